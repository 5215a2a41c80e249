import { EventList } from '@repoless/contract/event.ts';
import { CodeStatus } from '@repoless/contract/job.ts';
import { UsageReport } from '@repoless/contract/org.ts';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { OPERATOR } from '../support/backend.ts';
import { cloneOf, type CodeClone, reportPush, startCodeWorld } from '../support/code-world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { temporaryDirectory } from '../support/child-backend.ts';

const LIMIT = 200_000;
const WEBHOOK_SECRET = 'the-secret-of-the-webhook';
const HOUR = 60 * 60 * 1000;
/** How far the service's clock is behind the real one, by which tokens are issued. It only decreases. */
let behind = 100 * HOUR;
let second: CodeClone;

const settings = { ORG_CODE_BYTES: String(LIMIT), GITHUB_WEBHOOK_SECRET: WEBHOOK_SECRET };
const world = startBeforeAll(() => startCodeWorld({ orgs: ['wknd', 'other', 'late'], settings, now: () => new Date(Date.now() - behind) }));
const folder = startBeforeAll(temporaryDirectory);
beforeAll(async () => {
  second = await cloneOf(world.codeHost.address, 'wknd/legacy', join(folder.path, 'second'));
  await put('wknd', 'own', 'wknd');
  await put('wknd', 'second', 'legacy');
  await put('other', 'theirs', 'wknd');
});

const call = (method: string, path: string, body?: unknown) =>
  world.backend.call(method, path, { as: OPERATOR, ...(body !== undefined && { body }) });
const put = (org: string, site: string, repo: string) => world.register(`${org}/${site}`, { code: { owner: 'wknd', repo } });
const used = async (org: string) => UsageReport.parse((await call('GET', `/config/${org}/usage.json`)).json()).codeBytes.used;
/** Syncs a branch. Returns the error, if it failed. */
const sync = async (site: string, ref: string) => (await world.sync(site, ref)).error;
/** Reports a push to a repository of `wknd` as the code host does; `site` shows its sync. */
async function pushed(site: string, repo: string, branch: string, time: number): Promise<string | undefined> {
  const repository = { name: repo, owner: { login: 'WKND' } };
  expect((await reportPush(world.backend, WEBHOOK_SECRET, { ref: `refs/heads/${branch}`, repository, time })).status).toBe(202);
  return (await world.ended(site, branch)).error;
}
const eventsOf = async (org: string) =>
  EventList.parse((await call('GET', `/config/${org}/events.json`)).json()).events.map(({ kind, ref }) => `${kind} ${ref}`);
const BRANCHES = ['one', 'two', 'three', 'four', 'five', 'six'];
/** Bytes of `main` at first, and of each of the branches. */
let [main, each] = [0, 0];

it('branches requested by another organization count for that organization, not for the owner', async () => {
  expect(await sync('wknd/own', 'main')).toBeUndefined();
  main = await used('wknd');
  expect(main).toBeGreaterThan(100);
  expect(await used('other')).toBe(main);
  each = Math.floor((LIMIT - 2 * main) / 3);
  for (const branch of BRANCHES) await world.clone.push({ 'large.txt': branch.padEnd(each - main) }, branch);
  const errors = new Map<string, string | undefined>();
  for (const branch of BRANCHES) errors.set(branch, await sync('other/theirs', branch));
  expect(BRANCHES.map((branch) => errors.get(branch) === undefined)).toEqual([true, true, true, false, false, false]);
  expect(errors.get('four')).toContain('The organizations that requested this branch have no quota left for this branch: 200000 bytes');
  expect(await used('other')).toBe(main + 3 * each);
  expect(await used('wknd')).toBe(main);

  await second.push({ 'large.txt': 'x'.repeat(2 * (each + main)) });
  expect(await sync('wknd/second', 'main')).toBeUndefined();
  expect(await used('wknd')).toBeGreaterThan(3 * main + 2 * each);
});

it('a sync that exceeds the quota is reported only to its requesters', async () => {
  expect(await eventsOf('other')).toEqual(['sync-failed six', 'sync-failed five', 'sync-failed four']);
  expect(await eventsOf('wknd')).toEqual([]);
});

it('a branch that others requested also counts for a new requester, and is refused beyond the requester’s quota', async () => {
  await put('late', 'site', 'wknd');
  expect(await sync('late/site', 'one')).toBeUndefined();
  expect(await sync('late/site', 'two')).toBeUndefined();
  expect(await used('late')).toBe(main + 2 * each);
  await put('late', 'second', 'legacy');
  const most = await used('late');
  const refused = await call('POST', '/code/late/site/three/*');
  expect([refused.status, refused.headers['x-error-code']]).toEqual([413, 'STORAGE_QUOTA_REACHED']);
  expect(refused.headers['x-error']).toContain(
    'The organization "late" has no quota left for the branch "three", which others requested first',
  );
  expect(refused.text).toContain('"quota": "codeBytes"');
  expect([await used('late'), await used('other')]).toEqual([most, main + 3 * each]);
  expect((await call('POST', '/code/other/theirs/three/*')).status).toBe(202);
  expect((await world.ended('other/theirs', 'three')).error).toBeUndefined();
});

it('a push counts for the organization that owns the repository, if its quota allows', async () => {
  const before = await used('wknd');
  expect(await pushed('wknd/own', 'wknd', 'one', 1)).toBeUndefined();
  // Its second repository needs two of three shares: the branch counts for "other" as pushed.
  expect(await used('wknd')).toBe(before);
  await second.push({ 'large.txt': 'x' });
  expect(await sync('wknd/second', 'main')).toBeUndefined();
  const less = await used('wknd');
  expect(await pushed('wknd/own', 'wknd', 'one', 2)).toBeUndefined();
  expect(await used('wknd')).toBe(less + each);
});

it('a push to a repository whose own organization has no site on it counts for every organization that uses it', async () => {
  expect((await call('DELETE', '/config/wknd/sites/second.json')).status).toBe(204);
  await put('other', 'second', 'legacy');
  const before = [await used('wknd'), await used('late'), await used('other')];
  await second.push({ 'large.txt': 'xyz' }, 'pushed');
  expect(await pushed('late/second', 'legacy', 'pushed', 3)).toBeUndefined();
  const [own = 0, late = 0, other = 0] = before;
  const more = (await used('late')) - late;
  expect(more).toBeGreaterThan(0);
  expect([await used('wknd'), await used('other')]).toEqual([own, other + more]);
});

it('a branch without a remaining requester counts for no organization, and is removed after a day', { timeout: 120_000 }, async () => {
  const later = async (hours: number) => {
    behind -= hours * HOUR;
    expect(await sync('wknd/own', 'main')).toBeUndefined();
  };
  const branches = async () => CodeStatus.parse((await call('GET', '/code/wknd/own/main')).json()).branches;
  const before = await used('wknd');
  expect(await branches()).toEqual(['main', 'one', 'three', 'two']);
  expect((await call('DELETE', '/config/other/sites/theirs.json')).status).toBe(204);
  await later(2);
  await later(23);
  // "late" also requested "two", and "wknd" also "one".
  await later(2);
  await expect.poll(branches).toEqual(['main', 'one', 'two']);
  expect(await used('wknd')).toBe(before);
  // On its return, it gets the branches that it requests again.
  const without = await used('other');
  await put('other', 'theirs', 'wknd');
  expect(await used('other')).toBe(without + main);
});
