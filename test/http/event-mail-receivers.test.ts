import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { CreatedSubscription, EventDeliveryList, Subscription, SubscriptionList } from '@repoless/contract/event.ts';
import type { EventDelivery } from '@repoless/contract/event.ts';
import { OPERATOR, startTestBackend } from '../support/backend.ts';
import type { TestBackend } from '../support/backend.ts';
import { startMailReceiver } from '../support/message-receivers.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const ALL = '/config/wknd/subscriptions.json';
const LEAVER = 'leaver@example.org';
const DAY = 24 * 60 * 60_000;
let backend: TestBackend;
/** Milliseconds by which the service's clock is ahead. */
let ahead = 0;

const mail = startBeforeAll(() => startMailReceiver());
beforeAll(async () => {
  const settings = { SMTP_URL: mail.url, MAIL_FROM: 'service@repoless.example', MAIL_DOMAINS: 'teams.example.com' };
  backend = await startTestBackend({ orgs: ['wknd'], settings, dryRun: false, now: () => new Date(Date.now() + ahead) });
});
afterEach(() => {
  ahead = 0;
});
afterAll(async () => {
  await backend.stop();
});

async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const who = 'x-auth-token' in headers ? {} : { as: OPERATOR };
  const answer = await backend.call(method, path, { ...who, headers, ...(body !== undefined && { body }) });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer;
}

const admit = async (email: string, role = 'admin') =>
  z.object({ id: z.string() }).parse((await call('POST', '/config/wknd/users.json', { email, roles: [role] })).json()).id;
const leaves = (user: string) => call('DELETE', `/config/wknd/users/${user}.json`);
const tokenOf = async (who: Parameters<TestBackend['token']>[0]) => ({ 'x-auth-token': await backend.token(who) });
const subscribe = async (channel: object, headers?: Record<string, string>) =>
  CreatedSubscription.parse((await call('POST', ALL, { channel: { type: 'email', ...channel } }, headers)).json()).id;
const one = (id: string) => `/config/wknd/subscriptions/${id}.json`;
const listed = async (id: string) =>
  SubscriptionList.parse((await call('GET', ALL)).json()).subscriptions.find((subscription) => subscription.id === id);
const told = () =>
  backend.store.write((writes) =>
    writes.setCause({
      kind: 'drift',
      cause: crypto.randomUUID(),
      org: 'wknd',
      about: 'title',
      isOpen: true,
      time: new Date().toISOString(),
    }),
  );

/** What became of the newest message to a subscription, once it does not wait any more. */
async function outcome(id: string): Promise<EventDelivery> {
  return await vi.waitFor(async () => {
    const answer = await call('GET', `/config/wknd/subscriptions/${id}/deliveries.json`);
    const [newest] = EventDeliveryList.parse(answer.json()).deliveries;
    if (newest === undefined || newest.state === 'waiting') throw new Error('It waits.');
    return newest;
  }, WAIT);
}

it('is given up and says why where the receiver does not administer the organization any more, and arrives when they do again', async () => {
  const user = await admit(LEAVER);
  const id = await subscribe({ to: 'Leaver@example.org' }, await tokenOf(LEAVER));
  await told();
  expect(await outcome(id)).toMatchObject({ state: 'sent' });
  expect(await listed(id)).not.toHaveProperty('withheld');
  const before = mail.all.length;

  await leaves(user);
  await told();
  const given = await outcome(id);
  expect(given).toMatchObject({
    state: 'failed',
    attempts: 1,
    problem:
      'Not sent: Leaver@example.org can no longer configure the organization. Remove this subscription, or give them a role that can, and send the message again.',
  });
  expect(mail.all).toHaveLength(before);
  expect(await listed(id)).toMatchObject({ withheld: true });
  const read = await call('GET', one(id));
  expect(Subscription.parse(read.json())).toMatchObject({ withheld: true });

  // An author sees nothing of the organization as a whole.
  await leaves(await admit(LEAVER, 'author'));
  await admit(LEAVER, 'config_admin');
  expect(await listed(id)).not.toHaveProperty('withheld');
  expect((await backend.call('DELETE', one(id), { as: OPERATOR, headers: { 'if-match': String(read.headers['etag']) } })).status).toBe(412);
  await call('POST', `/config/wknd/subscriptions/${id}/deliveries/${given.id}.json`);
  expect(await outcome(id)).toMatchObject({ state: 'sent', id: given.id });
  expect(mail.recipients).toEqual(['Leaver@example.org']);
  const { etag } = (await call('GET', one(id))).headers;
  await call('DELETE', one(id), undefined, { ...(await tokenOf(OPERATOR)), 'if-match': String(etag) });
});

it('of a day, and one that only tries the subscription, are held to the same', async () => {
  const user = await admit('daily@example.org');
  const id = await subscribe({ to: 'daily@example.org', digest: 'daily' }, await tokenOf('daily@example.org'));
  await told();
  await leaves(user);
  const before = mail.all.length;
  await call('POST', `/config/wknd/subscriptions/${id}/test.json`);
  expect(await outcome(id)).toMatchObject({ state: 'failed' });
  ahead = 2 * DAY;
  const ended = async () => (await backend.store.events.deliveries(id, 5)).filter(({ state }) => state !== 'waiting');
  await vi.waitFor(async () => expect(await ended()).toMatchObject([{ state: 'failed' }, { state: 'failed' }]), WAIT);
  ahead = 0;
  expect(mail.all).toHaveLength(before);
  await call('DELETE', one(id));
});

it('goes to whoever administers by another name than the address, by a group, and to domains that the operator named', async () => {
  const identity = { email: 'named@example.org', userId: 'named-id@techacct.example.com' };
  const user = await admit('named-id@techacct.example.com');
  const byName = await subscribe({ to: 'named@example.org' }, await tokenOf(identity));
  const group = { members: [{ email: 'grouped@example.org' }] };
  await call('POST', '/config/wknd/groups/admins.json', group);
  await admit('groups/admins');
  const byGroup = await subscribe({ to: 'grouped@example.org' }, await tokenOf('grouped@example.org'));
  const team = await subscribe({ to: 'web@teams.example.com' });
  await told();
  for (const id of [byName, byGroup, team]) expect(await outcome(id)).toMatchObject({ state: 'sent' });
  await leaves(user);
  await call('POST', '/config/wknd/groups/admins.json', { members: [] });
  await told();
  for (const id of [byName, byGroup]) expect(await outcome(id)).toMatchObject({ state: 'failed' });
  expect(await outcome(team)).toMatchObject({ state: 'sent' });
  expect((await call('GET', ALL)).text).not.toContain('named-id@techacct.example.com');
});

const WAIT = { timeout: 20_000, interval: 20 };
