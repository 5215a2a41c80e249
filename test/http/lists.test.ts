import { once } from 'node:events';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { AuditVerification } from '@repoless/contract/audit.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { OwnOrgs } from '@repoless/contract/org.ts';
import { openEventStream, askSlowly } from '../support/ask.ts';
import { callsAs, OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import { endJob, githubOrigin } from '../support/code-world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { longestBlock } from '../support/loop-delay.ts';
import { collectGarbage } from '../support/collect-garbage.ts';

const SECOND = 'second.admin@example.com';
const CLAIMED = ['wknd', 'streams', 'trail'];
const IDLE = Array.from({ length: LIMITS.ownOrgsSearched + 1 }, (_, index) => `idle-${index}`);
let passed = 0;
const backend = startBeforeAll(() =>
  startTestBackend({
    dryRun: false,
    orgs: [...CLAIMED, ...IDLE],
    claim: false,
    settings: { BODY_LIMIT: '4000000' },
    now: () => new Date(Date.now() + passed),
  }),
);
const { call, done } = callsAs(backend, OPERATOR);
beforeAll(async () => {
  for (const org of CLAIMED) await claim(org, { users: [{ email: SECOND, roles: ['admin'] }] });
});

const claim = (org: string, body: object) => done('PUT', `/config/${org}.json?confirm=true`, body);
const put = (org: string, site: string, characters: number) =>
  done('PUT', `/config/${org}/sites/${site}.json?replace=true`, siteBody(org, site, { public: { text: 'x'.repeat(characters) } }));

it('a list of sites has at most LIMITS.listLength bytes, and a longer one must be requested in pages', async () => {
  const count = Math.ceil(LIMITS.listLength / (LIMITS.documentBytes - 10_000));
  const large = Math.floor(LIMITS.listLength / count) - 10_000;
  for (let index = 1; index < count; index += 1) await put('wknd', `large-${index}`, large);
  await put('wknd', 'last', 0);
  const list = () => call('GET', '/config/wknd/sites.json?details=true');
  const room = LIMITS.listLength - (await list()).text.length;
  await put('wknd', 'last', room);
  expect((await list()).status).toBe(200);
  await put('wknd', 'last', room + 1);
  const over = await list();
  expect(over).toMatchObject({ status: 400, code: 'QUERY_INVALID' });
  expect(over.error).toMatch(/^The list has more than 16000000 bytes\. Request it in pages: \?limit=100/);
  expect((await call('GET', '/config/wknd/sites.json?details=true&limit=2')).status).toBe(200);
}, 240_000);

it('LIMITS.ownOrgsSearched organizations that name a person are searched, and the answer reports more', async () => {
  // A group without a role is not listed, but must be read to know that.
  const named = { groups: { idle: { members: [{ email: 'max@example.com' }] } } };
  const own = async () => OwnOrgs.parse((await backend.call('GET', '/orgs.json', { as: 'max@example.com' })).json());
  for (const org of IDLE.slice(0, LIMITS.ownOrgsSearched)) await claim(org, named);
  expect(await own()).toEqual({ orgs: [] });
  for (const org of IDLE.slice(LIMITS.ownOrgsSearched)) await claim(org, named);
  expect(await own()).toEqual({ orgs: [], more: true });
}, 240_000);

it('a call verifies LIMITS.verifiedEntries entries of the audit trail, and links to the rest', async () => {
  const verification = async () => AuditVerification.parse((await call('GET', '/config/trail/log/verification.json')).json());
  const { verified } = await verification();
  const fill = (count: number) =>
    backend.store.write(async (writes) => {
      for (let index = 0; index < count; index += 1)
        await writes.addAudit({ org: 'trail', action: 'look', user: OPERATOR, time: new Date(), requestId: `request-${index}` });
    });
  await fill(LIMITS.verifiedEntries - verified.to);
  expect(await verification()).toMatchObject({ intact: true, verified: { to: LIMITS.verifiedEntries }, links: {} });
  await fill(1);
  const next = `/config/trail/log/verification.json?after=${LIMITS.verifiedEntries}`;
  expect(await verification()).toMatchObject({ intact: true, verified: { to: LIMITS.verifiedEntries }, links: { next } });
}, 240_000);

it('verifications of one audit trail are queued up to LIMITS.verificationsWaiting, and do not delay those of another organization', async () => {
  const verify = (org: string) => call('GET', `/config/${org}/log/verification.json`);
  const ended: string[] = [];
  const ofTrail = Array.from({ length: LIMITS.verificationsWaiting + 5 }, async () => {
    const { status } = await verify('trail');
    ended.push(`trail ${status}`);
    return status;
  });
  const other = verify('wknd').then(({ status }) => ended.push(`wknd ${status}`));
  const statuses = await Promise.all(ofTrail);
  await other;
  expect(statuses.filter((status) => status === 503)).toHaveLength(4);
  expect(ended.slice(0, 6)).toContain('wknd 200');
}, 60_000);

it('an audit trail can be verified after any entry below Number.MAX_SAFE_INTEGER, and not after that number', async () => {
  const behind = (entry: number) => call('GET', `/config/trail/log/verification.json?after=${entry}`);
  const last = AuditVerification.parse((await behind(Number.MAX_SAFE_INTEGER - 1)).json());
  expect(last.verified.from).toBe(Number.MAX_SAFE_INTEGER);
  expect((await behind(Number.MAX_SAFE_INTEGER)).code).toBe('QUERY_INVALID');
});

it('an organization has up to LIMITS.jobStreams open streams, and one more is refused until one closes', async () => {
  await put('streams', 'site', 1);
  await put('wknd', 'last', 1);
  const token = await backend.token(OPERATOR);
  const second = await backend.token(SECOND);
  const open = (org: string, site: string, as = token) =>
    openEventStream(backend.address, `/job/${org}/${site}/main/code`, { 'x-auth-token': as });
  const streams = [];
  for (let count = 0; count < LIMITS.jobStreamsOfPerson; count += 1) streams.push(await open('streams', 'site', second));
  const own = await open('streams', 'site', second);
  expect([own.answer.statusCode, own.answer.headers['x-error-code']]).toEqual([503, 'OVERLOADED']);
  for (let count = streams.length; count < LIMITS.jobStreams; count += 1) streams.push(await open('streams', 'site'));
  expect(new Set(streams.map(({ answer }) => answer.statusCode))).toEqual(new Set([200]));
  const refused = await open('streams', 'site');
  expect([refused.answer.statusCode, refused.answer.headers['x-error-code']]).toEqual([503, 'OVERLOADED']);
  expect(refused.answer.headers['x-error']).toContain('This organization has 50 job streams open.');
  const other = await open('wknd', 'last');
  expect(other.answer.statusCode).toBe(200);
  other.clientRequest.destroy();
  streams.pop()?.clientRequest.destroy();
  const again = async () => {
    const { clientRequest, answer } = await open('streams', 'site');
    clientRequest.destroy();
    return answer.statusCode;
  };
  await expect.poll(again, { timeout: 20_000 }).toBe(200);

  // Each ends after LIMITS.jobStreamTime, not earlier: a stream compares the times after each event that it sends.
  const ends = streams.map(({ answer }) => once(answer, 'end'));
  passed = LIMITS.jobStreamTime - 60_000;
  for (const error of ['one', 'other']) {
    const events = streams.map(({ answer }) => once(answer, 'data'));
    await endJob(backend.store, githubOrigin('streams', 'streams'), { error });
    await Promise.all(events);
  }
  expect(streams.filter(({ answer }) => answer.readableEnded)).toEqual([]);
  passed = LIMITS.jobStreamTime;
  await Promise.all(ends);
}, 240_000);

describe('with several organizations,', () => {
  const MANY = Array.from({ length: LIMITS.listsAtOnce + 1 }, (_, index) => `many-${index}`);
  const LARGE = 30;
  /** Milliseconds for which the event loop is blocked. */
  const LONGEST_BLOCK = 120;
  const VERSIONS = '/config/wknd/sites/large-0/versions/1...2.json';

  const backend = startBeforeAll(() => {
    const orgs = ['wknd', 'crowded', 'other', 'long', ...MANY];
    return startTestBackend({ dryRun: false, orgs, settings: { BODY_LIMIT: '4000000' } });
  }, 240_000);
  beforeAll(async () => {
    for (let index = 0; index < LARGE; index += 1) await put('wknd', `large-${index}`, { folders: folders('a') });
    await put('wknd', 'large-0', { folders: folders('b') });
    for (let index = 0; index < 5; index += 1) await put('crowded', `large-${index}`, { folders: folders('a') });
    for (const org of MANY) await put(org, 'small', {});
    for (const site of ['one', 'two', 'three', 'four', 'five', 'six', 'seven'])
      await put('long', site, { public: { text: 'x'.repeat(2_000_000) } });
    await put('other', 'small', {});
    await put('other', 'small', { public: { text: 'x' } });
  }, 240_000);
  afterEach(() => {
    vi.useRealTimers();
  });

  /** More than a megabyte that lists don't show. */
  function folders(name: string): Record<string, string> {
    const pairs = Array.from({ length: 4900 }, (_, index) => [
      `/${name}-${index}/${'x'.repeat(100)}`,
      `/${name}-${index}/${'y'.repeat(100)}`,
    ]);
    return Object.fromEntries(pairs) as Record<string, string>;
  }

  const put = (org: string, site: string, extra: Readonly<Record<string, unknown>>) =>
    callsAs(backend, OPERATOR).done('PUT', `/config/${org}/sites/${site}.json?replace=true`, siteBody(org, site, extra));

  const get = (path: string) => backend.call('GET', path, { as: OPERATOR });
  const list = (org: string) => get(`/config/${org}/sites.json?details=true`);

  /** Sends three times the queued requests, then one for another organization. Returns the answers in order. */
  async function crowd(waiting: number, path: string, other: string): Promise<string[]> {
    const ended: string[] = [];
    const record = async (name: string, address: string) => {
      const { status, headers } = await get(address);
      ended.push(`${name} ${status} ${headers['x-error-code'] ?? ''}`.trim());
    };
    await Promise.all([...Array.from({ length: 3 * waiting }, () => record('many', path)), record('other', other)]);
    return ended;
  }

  function expectShares(ended: readonly string[], waiting: number): void {
    expect(new Set(ended)).toEqual(new Set(['many 200', 'many 503 OVERLOADED', 'other 200']));
    const served = ended.filter((line) => line.endsWith('200'));
    expect(served.length - 1).toBeGreaterThan(waiting);
    expect(served.indexOf('other 200')).toBeLessThan(waiting);
  }

  it('lists of one organization are queued up to LIMITS.listsWaiting, and do not delay another organization', async () => {
    const path = '/config/crowded/sites.json?details=true';
    expectShares(await crowd(LIMITS.listsWaiting, path, '/config/other/sites.json?details=true'), LIMITS.listsWaiting);
    expectShares(await crowd(LIMITS.listsWaiting, path, '/config/other/sites/small.json'), LIMITS.listsWaiting);
    const answers = await Promise.all(Array.from({ length: 3 * LIMITS.listsWaiting }, () => get(path)));
    const refused = answers.find(({ status }) => status === 503);
    expect(refused?.headers['retry-after']).toBe('1');
    expect(refused?.error).toBe('Too many lists of sites of this organization are being requested. Try again in a second.');
  }, 120_000);

  it('more than LIMITS.listsAtOnce organizations list their sites concurrently, and none is refused', async () => {
    const lists = MANY.flatMap((org) => [list(org), list(org)]);
    expect(new Set((await Promise.all(lists)).map(({ status }) => status))).toEqual(new Set([200]));
  }, 120_000);

  it('a list of large sites does not block, however little it shows of them', async () => {
    const { sites } = (await list('wknd')).json() as { sites: { name: string }[] };
    expect(sites.map(({ name }) => name)).toEqual(Array.from({ length: LARGE }, (_, index) => `large-${index}`).toSorted());
    expect(await longestBlock(() => list('wknd'))).toBeLessThan(LONGEST_BLOCK);
  }, 60_000);

  it('comparisons of one organization are queued up to LIMITS.comparisonsWaiting, and do not delay another organization', async () => {
    const [compared, read] = ['/config/other/sites/small/versions/1...2.json', '/config/other/sites/small.json'];
    expectShares(await crowd(LIMITS.comparisonsWaiting, VERSIONS, compared), LIMITS.comparisonsWaiting);
    expectShares(await crowd(LIMITS.comparisonsWaiting, VERSIONS, read), LIMITS.comparisonsWaiting);
  }, 120_000);

  it('more concurrent comparisons than LIMITS.comparisonsAtOnce do not block', async () => {
    expect((await get(VERSIONS)).json()).toHaveLength(2 * 4900);
    const several = () => Promise.all(Array.from({ length: 2 * LIMITS.comparisonsAtOnce }, () => get(VERSIONS)));
    expect(await longestBlock(several)).toBeLessThan(LONGEST_BLOCK);
  }, 60_000);

  const slowReader = (path: string, token: string) =>
    askSlowly(backend.port, `GET ${path} HTTP/1.1\r\nhost: ${new URL(backend.address).host}\r\nx-auth-token: ${token}\r\n\r\n`);

  it('slow readers of long lists stay within the share of their organization in LIMITS.answerBytes, which is released when they leave', async () => {
    const token = await backend.token(OPERATOR);
    const path = '/config/long/sites.json?details=true';
    collectGarbage();
    const before = process.memoryUsage();
    const readers = [];
    for (let count = 0; count < 12; count += 1) readers.push(await slowReader(path, token));
    collectGarbage();
    const { arrayBuffers, heapUsed } = process.memoryUsage();
    expect(readers.map(({ status }) => status)).toEqual([200, ...Array<number>(11).fill(503)]);
    expect(arrayBuffers - before.arrayBuffers + heapUsed - before.heapUsed).toBeLessThan(LIMITS.answerBytes);
    expect(await get(path)).toMatchObject({ code: 'OVERLOADED', headers: { 'retry-after': '5' } });
    // Small lists do not count, nor do other organizations.
    expect((await get('/config/long/sites.json')).status).toBe(200);
    expect((await list('wknd')).status).toBe(200);
    expect((await get(VERSIONS)).status).toBe(200);
    for (const { socket } of readers) socket.destroy();
    await expect.poll(async () => (await get(path)).status).toBe(200);
  }, 120_000);

  it('requests of a long list by HEAD, or with a failed condition, hold no memory', async () => {
    for (let count = 0; count < 3; count += 1) {
      const head = await backend.call('HEAD', '/config/long/sites.json?details=true', { as: OPERATOR });
      expect([head.status, Number(head.headers['content-length']) > 14_000_000, head.text]).toEqual([200, true, '']);
      const failed = await backend.call('GET', '/config/long/sites.json?details=true', { as: OPERATOR, headers: { 'if-match': '"x"' } });
      expect(failed.status).toBe(412);
      const { etag = '' } = (await get(VERSIONS)).headers;
      expect((await backend.call('GET', VERSIONS, { as: OPERATOR, headers: { 'if-none-match': etag } })).status).toBe(304);
    }
  }, 60_000);

  it('a reader that takes longer than LIMITS.pageSending for each LIMITS.pageSize of a long list is disconnected', async () => {
    const token = await backend.token(OPERATOR);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { socket, status } = await slowReader('/config/long/sites.json?details=true', token);
    expect(status).toBe(200);
    vi.advanceTimersByTime(LIMITS.pageSending);
    expect(socket.destroyed).toBe(false);
    vi.advanceTimersByTime(LIMITS.pageSending * (LIMITS.listLength / LIMITS.pageSize - 1));
    let rest = 0;
    const ended = new Promise((resolve) => socket.on('error', () => undefined).on('close', resolve));
    socket.on('data', (chunk: Buffer) => (rest += chunk.length)).resume();
    await ended;
    expect(rest).toBeLessThan(13_000_000);
  }, 60_000);
});
