import { request } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { beforeAll, expect, it } from 'vitest';
import { AuditVerification } from '@repoless/contract/audit.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { OwnOrgs } from '@repoless/contract/org.ts';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const SECOND = 'second.admin@example.com';
const CLAIMED = ['wknd', 'streams', 'trail'];
const IDLE = Array.from({ length: LIMITS.ownOrgsLooked + 1 }, (_, index) => `idle-${index}`);
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
beforeAll(async () => {
  for (const org of CLAIMED) await claim(org, { users: [{ email: SECOND, roles: ['admin'] }] });
});

async function claim(org: string, body: object): Promise<void> {
  const answer = await backend.call('PUT', `/config/${org}.json?confirm=true`, { as: OPERATOR, body });
  expect(answer.status, answer.text).toBe(201);
}
const put = async (org: string, site: string, characters: number) => {
  const body = siteBody(org, site, { public: { text: 'x'.repeat(characters) } });
  const answer = await backend.call('PUT', `/config/${org}/sites/${site}.json?replace=true`, { as: OPERATOR, body });
  expect(answer.status, answer.text.slice(0, 300)).toBeLessThan(300);
};

it('a list of sites with LIMITS.listLength bytes is given, and of one more a part is to be asked for', async () => {
  const count = Math.ceil(LIMITS.listLength / (LIMITS.documentBytes - 10_000));
  const large = Math.floor(LIMITS.listLength / count) - 10_000;
  for (let index = 1; index < count; index += 1) await put('wknd', `large-${index}`, large);
  await put('wknd', 'last', 0);
  const list = () => backend.call('GET', '/config/wknd/sites.json?details=true', { as: OPERATOR });
  const room = LIMITS.listLength - (await list()).text.length;
  await put('wknd', 'last', room);
  expect((await list()).status).toBe(200);
  await put('wknd', 'last', room + 1);
  const over = await list();
  expect([over.status, over.headers['x-error-code']]).toEqual([400, 'QUERY_INVALID']);
  expect(over.headers['x-error']).toMatch(/^The list has more than 16000000 bytes\. Request it in pages: \?limit=100/);
  expect((await backend.call('GET', '/config/wknd/sites.json?details=true&limit=2', { as: OPERATOR })).status).toBe(200);
}, 240_000);

it('of the organizations that name somebody LIMITS.ownOrgsLooked are looked at, and the answer says that there are more', async () => {
  // Nothing is told of a group without a role, but it must be read to know.
  const named = { groups: { idle: { members: [{ email: 'max@example.com' }] } } };
  const own = async () => OwnOrgs.parse((await backend.call('GET', '/orgs.json', { as: 'max@example.com' })).json());
  for (const org of IDLE.slice(0, LIMITS.ownOrgsLooked)) await claim(org, named);
  expect(await own()).toEqual({ orgs: [] });
  for (const org of IDLE.slice(LIMITS.ownOrgsLooked)) await claim(org, named);
  expect(await own()).toEqual({ orgs: [], more: true });
}, 240_000);

it('a call verifies LIMITS.verifiedEntries entries of the audit trail, and names the call for the rest', async () => {
  const verification = async () =>
    AuditVerification.parse((await backend.call('GET', '/config/trail/log/verification.json', { as: OPERATOR })).json());
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

it('verifications of one audit trail take turns, LIMITS.verificationsWaiting wait, and another organization’s is not behind them', async () => {
  const verify = (org: string) => backend.call('GET', `/config/${org}/log/verification.json`, { as: OPERATOR });
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

it('the audit trail is verified behind the last entry that a number can name, and not behind the one after it', async () => {
  const behind = (entry: number) => backend.call('GET', `/config/trail/log/verification.json?after=${entry}`, { as: OPERATOR });
  const last = AuditVerification.parse((await behind(Number.MAX_SAFE_INTEGER - 1)).json());
  expect(last.verified.from).toBe(Number.MAX_SAFE_INTEGER);
  expect((await behind(Number.MAX_SAFE_INTEGER)).headers['x-error-code']).toBe('QUERY_INVALID');
});

it('LIMITS.jobStreams streams of an organization are open at once, and one more is refused until one closes', async () => {
  await put('streams', 'site', 1);
  await put('wknd', 'last', 1);
  const token = await backend.token(OPERATOR);
  const second = await backend.token(SECOND);
  const open = async (org: string, site: string, as = token): Promise<{ asked: ClientRequest; answer: IncomingMessage }> => {
    const headers = { host: new URL(backend.address).host, accept: 'text/event-stream', 'x-auth-token': as };
    const asked = request({ hostname: '127.0.0.1', port: backend.port, path: `/job/${org}/${site}/main/code`, agent: false, headers });
    asked.on('error', () => undefined);
    asked.end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.on('error', () => undefined).resume();
    return { asked, answer };
  };
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
  other.asked.destroy();
  streams.pop()?.asked.destroy();
  const again = async () => {
    const { asked, answer } = await open('streams', 'site');
    asked.destroy();
    return answer.statusCode;
  };
  await expect.poll(again, { timeout: 20_000 }).toBe(200);

  // Each ends by itself after LIMITS.jobStreamTime, and not before.
  const ends = streams.map(({ answer }) => once(answer, 'end'));
  passed = LIMITS.jobStreamTime - 60_000;
  expect(streams.every(({ answer }) => !answer.readableEnded)).toBe(true);
  passed = LIMITS.jobStreamTime;
  await Promise.all(ends);
}, 240_000);
