import { OrgChecks, type SiteCheckInput } from '@repoless/contract/site-check.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { DAY, tidyEvents } from '../storage/event-world.ts';
import { callsAs, OPERATOR, siteBody } from '../support/backend.ts';
import { startByogit } from '../support/byogit.ts';
import { type EventWorld, startEventWorld, startWebhookReceiver, verified } from '../support/message-receivers.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const world = startBeforeAll(() => startEventWorld({ settings: { SITE_CHECK_INTERVAL: '0' } }));
const receiver = startBeforeAll(() => startWebhookReceiver());

async function found(verdict: 'fine' | 'wrong' | 'warning', drifts: SiteCheckInput['drifts'] = [], site = 'first'): Promise<void> {
  const findings = [{ check: 'project-type', verdict, data: { site } }];
  const { done, read } = callsAs(world, OPERATOR);
  const { version } = z.object({ version: z.int() }).parse(await read(siteOf(site)));
  await done('PUT', `/config/wknd/sites/${site}/checks.json`, { version, switched: true, drifts, findings });
}

const siteOf = (site: string) => `/config/wknd/sites/${site}.json`;
const reported = async (site: string) =>
  (await world.events(`?site=${site}`)).events.map(({ kind, phase, open, about }) => [kind, phase, about, open]);

it('a failing check and a drift are reported once and their ends once, but not findings of the first check', async () => {
  const { id, secret = '' } = await world.subscribe({ type: 'webhook', url: receiver.url });
  const drift = { field: 'siteName', authoring: 'other', service: 'first' } as const;
  await found('wrong');
  await found('fine');
  await found('wrong');
  await found('wrong', [drift]);
  await found('warning', [drift]);
  await found('fine');
  const all = (await receiver.until(4)).map((message) => verified(message, secret));
  const about = { org: 'wknd', site: 'first' };
  const causes = all.map(({ type, data }) => [type, data['cause']].join(' ')).toSorted((a, b) => a.localeCompare(b));
  expect(causes).toEqual([
    'check-failed.began check:first/project-type',
    'check-failed.ended check:first/project-type',
    'drift.began drift:first',
    'drift.ended drift:first',
  ]);
  for (const { data } of all) expect(data).toMatchObject(about);
  expect((await world.events('?site=first')).events.map(({ kind, phase, about: what }) => [kind, phase, what])).toEqual([
    ['drift', 'ended', 'siteName'],
    ['check-failed', 'ended', 'project-type'],
    ['drift', 'began', 'siteName'],
    ['check-failed', 'began', 'project-type'],
  ]);
  expect((await world.events('?site=first&open=true')).events).toEqual([]);
  await world.backend.call('DELETE', `/config/wknd/subscriptions/${id}.json`, { as: OPERATOR });
});

it('a check that still fails is reported again when its event has expired, and so is its end', async () => {
  await world.register('lasting');
  await found('fine', [], 'lasting');
  await found('wrong', [], 'lasting');
  const later = new Date(Date.now() + (LIMITS.eventDays + 1) * DAY);
  await tidyEvents(world.backend.store, later);
  await tidyEvents(world.backend.store, later);
  await found('wrong', [], 'lasting');
  const again = ['check-failed', 'began', 'project-type', true];
  expect(await reported('lasting')).toEqual([again]);
  expect((await world.events('?site=lasting')).events[0]?.time).toBe(later.toISOString());
  await found('fine', [], 'lasting');
  expect((await reported('lasting'))[0]).toEqual(['check-failed', 'ended', 'project-type', false]);
});

it('problems of a removed site end with it, and a new site of its name has its own', async () => {
  await world.register('again');
  const drift = { field: 'siteName', authoring: 'other', service: 'again' } as const;
  await found('fine', [], 'again');
  await found('wrong', [drift], 'again');
  const key = { roles: ['author'], expiresIn: 3600 };
  expect((await world.backend.call('POST', '/config/wknd/sites/again/apiKeys.json', { as: OPERATOR, body: key })).status).toBe(201);
  const ends = new Date(Date.now() + DAY).toISOString();
  const secret = { value: 'token', expires: ends };
  const put = await world.backend.call('POST', '/config/wknd/sites/again/secrets/vendor.json', { as: OPERATOR, body: secret });
  expect(put.status, put.text).toBe(200);
  await tidyEvents(world.backend.store, new Date());
  const open = async () => (await world.events('?site=again&open=true')).events.map(({ kind }) => kind).toSorted();
  expect(await open()).toEqual(['check-failed', 'drift', 'expires-soon', 'secret-ends']);
  expect((await world.backend.call('DELETE', siteOf('again'), { as: OPERATOR })).status).toBe(204);
  expect(await open()).toEqual([]);
  expect((await reported('again')).slice(0, 4).map(([, phase]) => phase)).toEqual(['ended', 'ended', 'ended', 'ended']);
  await world.register('again');
  await found('fine', [], 'again');
  await found('wrong', [], 'again');
  expect((await reported('again')).slice(0, 2)).toEqual([
    ['check-failed', 'began', 'project-type', true],
    expect.arrayContaining(['ended']),
  ]);
});

/** Checks all sites, and waits until findings about their code are stored, too: `until` passes. */
async function checkAll(of: EventWorld, until: () => Promise<unknown>): Promise<void> {
  const { done, read } = callsAs(of, OPERATOR);
  await done('POST', '/config/wknd/checks.json');
  await vi.waitFor(
    async () => {
      expect(OrgChecks.parse(await read('/config/wknd/checks.json')).running).toBeUndefined();
      await until();
    },
    { timeout: 20_000, interval: 20 },
  );
}

describe('an external repository', () => {
  const SECRET = 'the-very-secret-value-4711';
  const MINUTE = 60_000;
  const KEY_OF_NOTE = 'wknd byogit:';
  /** Milliseconds by which the service's clock is behind. It never goes back. */
  let behind = 64 * MINUTE;
  const logged: string[] = [];

  const byogit = startBeforeAll(() => startByogit(SECRET));
  const world = startBeforeAll(() =>
    startEventWorld({
      settings: { SITE_CHECK_INTERVAL: '0', CODE_RETRY_DELAY: '2' },
      now: () => new Date(Date.now() - behind),
      logged: (line) => logged.push(line),
    }),
  );
  beforeAll(async () => {
    const source = { type: 'byogit', url: byogit.url, raw_url: byogit.rawUrl, secretId: 'cm-byog' };
    const body = siteBody('wknd', 'external', { code: { owner: '100', repo: '200', source } });
    await call('PUT', '/config/wknd/sites/external.json', body);
    await call('POST', '/config/wknd/sites/external/secrets/cm-byog.json', { value: SECRET });
    await sync();
  });

  const { done: call } = callsAs(world, OPERATOR);

  async function sync(): Promise<void> {
    await call('POST', '/code/wknd/external/main/*');
    expect((await world.ended('external', 'main')).error).toBeUndefined();
  }

  const check = (until: () => Promise<unknown>) => checkAll(world, until);
  const push = (name: string) => byogit.branches.get('main')?.set(name, 'pushed');
  const noted = async () => await world.backend.store.shortLived.list('unsynced', KEY_OF_NOTE);
  const reported = async () => (await world.events()).events.map(({ kind, phase, repository }) => `${kind} ${phase} ${repository}`);
  /** Number of requests for the branch. */
  const requests = () => byogit.requests.filter((path) => path.endsWith('/branches/main')).length;

  it('is reported after a push without a sync, and again when it is synced', async () => {
    await world.subscribe({ type: 'webhook', url: 'https://hooks.example.com/' }, { kinds: ['sync-silent'], sites: ['external'] });
    const before = requests();
    await check(async () => expect(requests()).toBe(before + 1));
    expect(await noted()).toEqual([]);

    push('unlisted.txt');
    await check(async () => expect(await noted()).toHaveLength(1));
    expect(await reported()).toEqual([]);
    behind -= 20 * MINUTE;
    await check(async () => expect(await reported()).toEqual(['sync-silent began byogit:100/200']));
    await sync();
    await check(async () => expect(await reported()).toEqual(['sync-silent ended byogit:100/200', 'sync-silent began byogit:100/200']));
    expect(await noted()).toEqual([]);
  });

  it('is not reported if it does not answer or refuses the secret, which is not logged', async () => {
    push('unread.txt');
    byogit.secret = 'another';
    const before = requests();
    await check(async () => expect(requests()).toBe(before + 1));
    byogit.secret = SECRET;
    byogit.faults.push({ path: '/branches/main', status: 503 });
    await check(async () => expect(requests()).toBe(before + 2));
    expect(await noted()).toEqual([]);
    expect(logged.join('\n')).not.toContain(SECRET);
  });
});

describe('a push to the code host', () => {
  const MINUTE = 60_000;
  /** Milliseconds by which the service's clock is behind, because receivers refuse messages from the future. It never goes back. */
  let behind = 32 * MINUTE;

  const world = startBeforeAll(() => startEventWorld({ settings: { SITE_CHECK_INTERVAL: '0' }, now: () => new Date(Date.now() - behind) }));
  const receiver = startBeforeAll(() => startWebhookReceiver());

  const check = (until: () => Promise<unknown>) => checkAll(world, until);
  const noted = async () => await world.backend.store.shortLived.list('unsynced', 'wknd ');
  const reported = async () => (await world.events()).events.map(({ kind, phase }) => `${kind} ${phase}`);

  it('is not reported if it was synced in time', async () => {
    await world.sync('first');
    await world.clone.push({ 'told.txt': 'pushed' }, 'main');
    await check(async () => expect(await noted()).toHaveLength(1));
    await world.sync('first');
    behind = 16 * MINUTE;
    await check(async () => expect(await noted()).toEqual([]));
    expect(await reported()).toEqual([]);
  });

  it('without a sync is reported once after a while, and once when it is synced', async () => {
    const { secret = '' } = await world.subscribe({ type: 'webhook', url: receiver.url }, { kinds: ['sync-silent'], sites: ['first'] });
    await check(async () => expect(await noted()).toEqual([]));

    await world.clone.push({ 'unlisted.txt': 'pushed' }, 'main');
    await check(async () => expect(await noted()).toHaveLength(1));
    behind = 2 * MINUTE;
    await check(async () => expect(await noted()).toHaveLength(1));
    expect(await reported()).toEqual([]);

    behind = 0;
    await check(async () => expect(await reported()).toEqual(['sync-silent began']));
    await check(async () => expect(await reported()).toEqual(['sync-silent began']));
    const [began = { headers: {}, body: '' }] = await receiver.until(1);
    expect(verified(began, secret)).toMatchObject({
      type: 'sync-silent.began',
      data: { org: 'wknd', repository: 'github:wknd/wknd', ref: 'main' },
    });

    await world.sync('first');
    await check(async () => expect(await reported()).toEqual(['sync-silent ended', 'sync-silent began']));
    expect(await noted()).toEqual([]);
    const all = await receiver.until(2);
    expect(all.map((message) => verified(message, secret).type)).toEqual(['sync-silent.began', 'sync-silent.ended']);
  });
});
