import { Problem } from '@repoless/contract/errors.ts';
import { CreatedSubscription, Subscription, SubscriptionList } from '@repoless/contract/event.ts';
import { DryRun } from '@repoless/contract/endpoint-parts.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { callsAs, OPERATOR, startTestBackend } from '../support/backend.ts';
import { startEventWorld, startWebhookReceiver, verified } from '../support/message-receivers.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const world = startBeforeAll(() => startEventWorld());
const receiver = startBeforeAll(() => startWebhookReceiver());

describe('a code sync that fails', () => {
  it('is reported once by a signed webhook, and once when it succeeds', async () => {
    const { id, secret = '' } = await world.subscribe({ type: 'webhook', url: receiver.url });
    await world.fail('told');
    await receiver.until(1);
    await world.fail('told');
    await world.mend('told');
    const [began, ended, ...more] = await receiver.until(2);
    expect(more).toEqual([]);
    const about = { org: 'wknd', kind: 'sync-failed', repository: 'github:wknd/wknd', ref: 'told' };
    if (began === undefined || ended === undefined) throw new Error('Nothing came.');
    expect(verified(began, secret)).toMatchObject({
      type: 'sync-failed.began',
      data: { ...about, phase: 'began', detail: 'branch not found', link: `${world.backend.address}/config/wknd/events.json` },
    });
    expect(verified(ended, secret)).toMatchObject({ type: 'sync-failed.ended', data: { ...about, phase: 'ended', open: false } });
    expect(began.headers['webhook-id']).not.toBe(ended.headers['webhook-id']);
    await expect
      .poll(async () => (await world.deliveries(id)).map(({ state, attempts, status }) => [state, attempts, status]))
      .toEqual([
        ['sent', 1, 204],
        ['sent', 1, 204],
      ]);
  });
});

describe('the list of events', () => {
  it('has pages, the newest event first, and filters by open problems and by site', async () => {
    for (const branch of ['a', 'b', 'c']) await world.fail(branch);
    await world.mend('b');
    const { events } = await world.events();
    expect(events.slice(0, 4).map(({ ref, phase, open }) => [ref, phase, open])).toEqual([
      ['b', 'ended', false],
      ['c', 'began', true],
      ['b', 'began', false],
      ['a', 'began', true],
    ]);
    expect((await world.events('?open=true')).events.map(({ ref }) => ref)).toEqual(['c', 'a']);
    expect((await world.events('?site=first')).events).toEqual(events);
    expect((await world.events('?site=second')).events).toEqual([]);
    const page = await world.events('?limit=2&open=true&site=first');
    expect([page.events.length, page.links.next]).toEqual([2, undefined]);
    const first = await world.events('?limit=3');
    const next = await world.events(new URL(first.links.next ?? '', world.backend.address).search);
    expect([...first.events, ...next.events]).toEqual(events);
  });

  it('counts the unread events of a person', async () => {
    const { events, unread } = await world.events();
    expect(unread).toBe(events.length);
    const read = async (upTo: number) =>
      (await world.backend.call('POST', '/config/wknd/events/read.json', { as: OPERATOR, body: { upTo } })).json();
    expect(await read(events[1]?.id ?? 0)).toEqual({ unread: 1 });
    expect(await read(Number.MAX_SAFE_INTEGER)).toEqual({ unread: 0 });
    await world.fail('after-all');
    expect((await world.events()).unread).toBe(1);
    for (const body of [{}, { upTo: -1 }, { upTo: 'all' }]) {
      const answer = await world.backend.call('POST', '/config/wknd/events/read.json', { as: OPERATOR, body });
      expect(answer.code).toBe('BODY_INVALID');
    }
  });
});

describe('the problem of a failed code sync', () => {
  it('ends when its branch is deleted', async () => {
    await world.fail('deleted');
    await world.remove('other');
    const open = async () => (await world.events('?open=true')).events.map(({ ref }) => ref);
    expect(await open()).toContain('deleted');
    await world.remove('deleted');
    expect(await open()).not.toContain('deleted');
    expect((await world.events()).events.slice(0, 2)).toMatchObject([
      { kind: 'sync-failed', ref: 'deleted', phase: 'ended', open: false },
      { phase: 'began', open: false },
    ]);
  });
});

const ALL = '/config/wknd/subscriptions.json';
const HOOK = 'https://hooks.example.com/a?token=b';
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const as = OPERATOR;
const one = (id: string) => `/config/wknd/subscriptions/${id}.json`;
const log: string[] = [];

const backend = startBeforeAll(() => {
  const settings = {
    SMTP_URL: 'smtp://service:hush-hush@127.0.0.1:9',
    MAIL_FROM: 'service@example.com',
    MAIL_DOMAINS: 'teams.example.com',
  };
  return startTestBackend({ orgs: ['wknd', 'acme'], settings, logged: (line) => log.push(line) });
});
const { call } = callsAs(backend, OPERATOR);
const mute = startBeforeAll(() => startTestBackend());

describe('a subscription', () => {
  it('has its own secret, which is shown once and nowhere else', async () => {
    const created = await call('POST', ALL, { channel: { type: 'webhook', url: HOOK } });
    expect(created.status).toBe(201);
    const { secret = '', ...subscription } = CreatedSubscription.parse(created.json());
    expect(Buffer.from(secret.replace('whsec_', ''), 'base64')).toHaveLength(32);
    const read = await call('GET', one(subscription.id));
    expect(read.json()).toEqual(subscription);
    const list = await call('GET', ALL);
    const audit = await call('GET', '/config/wknd/log.json');
    const stored = JSON.stringify(await backend.store.reads.subscriptions('wknd'));
    for (const text of [read.text, list.text, audit.text, stored, log.join('\n')]) expect(text).not.toContain(secret.slice(6));
    expect(audit.text).toContain(`"create-subscription/${subscription.id}"`);
    await call('DELETE', one(subscription.id));
  });

  it('preserves its secret if replaced without one, and accepts another', async () => {
    const channel = { type: 'webhook', url: HOOK, secret: SECRET };
    const { id, secret } = CreatedSubscription.parse((await call('POST', ALL, { channel })).json());
    expect(secret).toBe(SECRET);
    const sealed = async () => (await backend.store.reads.subscriptions('wknd')).find((found) => found.id === id)?.channel;
    const before = await sealed();
    const body = { kinds: ['sync-failed'], sites: ['first'], channel: { type: 'webhook', url: 'https://other.example.com/' } };
    const put = await call('PUT', one(id), body);
    expect(Subscription.parse(put.json())).toMatchObject(body);
    expect(await sealed()).toMatchObject({ sealed: z.object({ sealed: z.string() }).parse(before).sealed });
    await call('PUT', one(id), { channel: { ...channel, secret: SECRET.replaceAll('B', 'C') } });
    expect(await sealed()).not.toMatchObject({ sealed: z.object({ sealed: z.string() }).parse(before).sealed });
    expect((await call('PUT', one(id), body, { 'if-match': '"another"' })).status).toBe(412);
    expect((await call('DELETE', one(id))).status).toBe(204);
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect((await backend.call(method, one(id), { as, ...(method === 'PUT' && { body }) })).code).toBe('SUBSCRIPTION_NOT_FOUND');
  });

  it('gets a new etag with each secret that is set, even if it is the same', async () => {
    const channel = { type: 'webhook', url: HOOK, secret: SECRET };
    const created = await call('POST', ALL, { channel });
    const { id } = CreatedSubscription.parse(created.json());
    const etagOf = async () => (await call('GET', one(id))).headers['etag'] ?? '';
    const first = await etagOf();
    expect(created.headers['etag']).toBe(first);
    const replaced = await call('PUT', one(id), { channel: { type: 'webhook', url: HOOK } });
    expect([replaced.headers['etag'], await etagOf()]).toEqual([first, first]);
    const headers = { 'if-match': first };
    const dryRun = await call('PUT', `${one(id)}?dryRun=true`, { channel }, headers);
    expect(DryRun.parse(dryRun.json()).diff).toEqual([{ op: 'replace', path: '/channel/secret', value: '[sealed]' }]);
    const again = await call('PUT', one(id), { channel }, headers);
    expect([again.status, again.headers['etag']]).toEqual([200, await etagOf()]);
    expect(await etagOf()).not.toBe(first);
    for (const method of ['PUT', 'DELETE']) {
      const late = await backend.call(method, one(id), { as, headers, ...(method === 'PUT' && { body: { channel } }) });
      expect(late).toMatchObject({ status: 412, code: 'PRECONDITION_FAILED' });
    }
    expect((await backend.call('DELETE', one(id), { as, headers: { 'if-match': await etagOf() } })).status).toBe(204);
  });

  it('of another organization is not found', async () => {
    const { id } = CreatedSubscription.parse((await call('POST', ALL, { channel: { type: 'webhook', url: HOOK } })).json());
    expect((await call('GET', `/config/acme/subscriptions/${id}.json`)).code).toBe('SUBSCRIPTION_NOT_FOUND');
    const path = `/config/acme/subscriptions/${id}/deliveries.json`;
    expect((await call('GET', path)).code).toBe('SUBSCRIPTION_NOT_FOUND');
    await call('DELETE', one(id));
  });

  it.each([
    ['no channel', {}],
    ['a channel of another kind', { channel: { type: 'pager', number: 1 } }],
    ['a file address', { channel: { type: 'webhook', url: 'file:///etc/passwd' } }],
    ['an address with a password', { channel: { type: 'webhook', url: 'https://ada:hush@hooks.example.com/' } }],
    ['an address that is too long', { channel: { type: 'webhook', url: `https://hooks.example.com/${'x'.repeat(LIMITS.addressLength)}` } }],
    ['a short secret', { channel: { type: 'webhook', url: HOOK, secret: 'whsec_AAAA' } }],
    ['a secret of another form', { channel: { type: 'webhook', url: HOOK, secret: 'x'.repeat(40) } }],
    ['no kinds', { kinds: [], channel: { type: 'webhook', url: HOOK } }],
    ['an unknown kind', { kinds: ['weather'], channel: { type: 'webhook', url: HOOK } }],
    ['an invalid site name', { sites: ['%'], channel: { type: 'webhook', url: HOOK } }],
    [
      'too many sites',
      { sites: Array.from({ length: LIMITS.subscriptionSites + 1 }, (_, n) => `s${n}`), channel: { type: 'webhook', url: HOOK } },
    ],
    ['an e-mail address of two lines', { channel: { type: 'email', to: `${OPERATOR}\r\nBcc: sam@example.com` } }],
    ['two addresses', { channel: { type: 'email', to: `${OPERATOR},sam@example.com` } }],
    ['an e-mail address that is too long', { channel: { type: 'email', to: `${'x'.repeat(LIMITS.mailAddressLength)}@teams.example.com` } }],
    ['an unknown field', { channel: { type: 'webhook', url: HOOK, digest: 'daily' } }],
  ])('is refused with %s', async (_what, body) => {
    expect(await call('POST', ALL, body)).toMatchObject({ status: 400, code: 'BODY_INVALID' });
    expect(SubscriptionList.parse((await call('GET', ALL)).json()).subscriptions).toEqual([]);
  });

  it('by e-mail may go only to the caller or to a domain that the operator allows', async () => {
    for (const to of [OPERATOR, OPERATOR.toUpperCase(), 'web@teams.example.com']) {
      const answer = await call('POST', ALL, { channel: { type: 'email', to } });
      expect(answer.status, answer.text).toBe(201);
      const { id, secret, channel } = CreatedSubscription.parse(answer.json());
      expect([secret, channel]).toEqual([undefined, { type: 'email', to, digest: 'each' }]);
      await call('DELETE', one(id));
    }
    for (const to of ['sam.stranger@example.com', 'web@sub.teams.example.com', 'web@teams.example.com.evil.example']) {
      const answer = await call('POST', ALL, { channel: { type: 'email', to } });
      expect([answer.status, Problem.parse(answer.json()).code]).toEqual([409, 'SUBSCRIPTION_REFUSED']);
    }
  });

  it('by e-mail is refused if the service sends none', async () => {
    const answer = await mute.call('POST', ALL, { as, body: { channel: { type: 'email', to: OPERATOR } } });
    expect([answer.status, Problem.parse(answer.json()).detail]).toEqual([
      409,
      expect.stringContaining('ask the operator to set SMTP_URL'),
    ]);
  });
});
