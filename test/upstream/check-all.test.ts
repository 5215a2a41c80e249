import type { OrgChecks, SiteCheck } from '@repoless/contract/site-check.ts';
import { EXAMPLE } from '@repoless/sandbox/hosted/example.ts';
import { beforeAll, beforeEach, expect, test, describe } from 'vitest';
import { startHostedWorld } from './hosted-world.ts';
import { rolloutCommands } from './rollout-commands.ts';
import type { RolloutSite } from '@repoless/contract/rollout.ts';

const world = startHostedWorld();
const { requests, reset, sites, ok } = rolloutCommands(world);
beforeEach(reset);
const FILES = ['component-definition.json', 'component-models.json', 'component-filters.json', 'head.html'];
beforeAll(() => world.hosted.set({ codeFiles: { 'wknd/wknd': Object.fromEntries(FILES.map((name) => [`/${name}`, '{}'])) } }));
/** A site without problems, as far as visible without the authoring system. */
const sound = (index: number) => {
  const root = `/content/sound/${index}`;
  return { public: { paths: { mappings: [`${root}/:/`, `${root}/configuration:/.helix/config.json`], includes: [`${root}/`] } } };
};
const CHECKS = '/config/wknd/checks.json';

/** The result when the check has ended. */
async function checked(): Promise<OrgChecks> {
  for (;;) {
    const checks = await ok<OrgChecks>(world.call('GET', CHECKS));
    if (checks.running === undefined) return checks;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const check = async () => {
  await ok(world.call('POST', CHECKS), 202);
  return await checked();
};
const change = (site: string, part: string, body: object) => world.hosted.change('POST', `/config/wknd/sites/${site}/${part}.json`, body);
const inOrder = (version = 1) => ({ version, switched: true, drifts: [], findings: [] });

test('a check of all sites reads each once, and their repository once, reports progress, can be joined, and finds faults without the authoring system', async () => {
  const names = await sites(12, sound);
  const [broken = ''] = names;
  change(broken, 'access', { admin: { role: { admin: [EXAMPLE.admin], config_admin: ['groups/nobody'] }, requireAuth: 'auto' } });
  const started = await ok<{ running: object }>(world.call('POST', CHECKS), 202);
  expect(started).toMatchObject({ running: { done: 0, total: names.length + 1 } });
  expect(await ok(world.call('POST', CHECKS), 202)).toMatchObject({ joined: true });
  const { sites: all, counts } = await checked();
  expect(all.find(({ name }) => name === broken)).toMatchObject({
    state: 'faulty',
    problems: expect.arrayContaining([{ check: 'groups-exist', verdict: 'wrong' }]),
  });
  // The other one is the example's site, whose configuration page is not mapped.
  expect(counts.states).toEqual({ faulty: 2, changed: names.length - 1 });
  const read = requests('GET').flatMap(({ path }) => /\/sites\/([^/]+)\.json$/.exec(path)?.[1] ?? []);
  expect([...new Set(read)].toSorted()).toEqual([EXAMPLE.ownSite, ...names].toSorted());
  expect(read).toHaveLength(names.length + 1);
  expect(requests('GET').flatMap(({ path }) => /^\/job\/(.*)$/.exec(path)?.[1] ?? [])).toEqual(['wknd/wknd/main/code']);
  const found = await ok<SiteCheck>(world.call('GET', `/config/wknd/sites/${broken}/checks.json`));
  expect(found).toMatchObject({ state: 'faulty', service: { by: EXAMPLE.admin } });
  expect(found.findings.find((finding) => finding.check === 'groups-exist')?.data).toMatchObject({
    missing: 'groups/nobody',
    site: broken,
  });
  expect(requests().filter(({ method }) => method !== 'GET')).toEqual([]);
  expect(world.stored()).not.toMatch(/eyJ[\w-]+\./);

  change(broken, 'access', { admin: { role: { admin: [EXAMPLE.admin] }, requireAuth: 'auto' } });
  expect((await check()).counts.states).toEqual({ faulty: 1, changed: names.length });
});

test('the list of all sites shows a change made elsewhere after a check', async () => {
  const [site = ''] = await sites(1, sound);
  await ok(world.call('PUT', `/config/wknd/sites/${site}/checks.json`, inOrder()));
  const listed = async () => (await check()).sites.find(({ name }) => name === site);
  expect(await listed()).toMatchObject({ isOutdated: false });
  // Times of the stand-in are whole milliseconds.
  await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse((await listed())?.authoring?.at ?? ''));
  change(site, 'robots', { txt: 'elsewhere' });
  expect(await listed()).toMatchObject({ state: 'changed', isOutdated: true });
});

test('findings are stored within the limits of our own service', async () => {
  const [site = ''] = await sites(1, sound);
  const finding = { check: 'groups-exist', verdict: 'wrong', data: { site } };
  const put = async (findings: readonly object[]) =>
    (await world.call('PUT', `/config/wknd/sites/${site}/checks.json`, { ...inOrder(), findings })).status;
  const data = Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`part-${index}`, 'x'.repeat(2000)]));
  expect(await put([finding])).toBe(200);
  expect(await put([finding, finding])).toBe(400);
  expect(await put([{ ...finding, data }])).toBe(400);
});

test('a check is allowed for people who may list the sites, and ends with the sign-in', async () => {
  await sites(1);
  const stranger = { token: world.hosted.token('session', { email: EXAMPLE.stranger }) };
  expect((await world.call('POST', CHECKS, undefined, stranger)).body).toMatchObject({ code: 'NOT_AUTHORIZED' });
  const exp = Math.floor(Date.now() / 1000) + 30;
  await ok(world.call('POST', CHECKS, undefined, { token: world.hosted.token('session', { email: EXAMPLE.admin, exp }) }), 202);
  await checked();
  expect(requests().filter(({ path }) => /\/sites\/[^/]+\.json$/.test(path))).toEqual([]);
});
describe('The checks of a rollout', () => {
  const { requests, sites, ok, start, one, command, rowsOf, ended } = rolloutCommands(world);
  const EDITS = [{ op: 'add', path: '/headers/~1**', value: { key: 'x-from', value: '{site}' }, by: 'key' }];

  test('stops after a wave with a newly failed check, names the site, and continues when resumed', async () => {
    const names = await sites(3);
    const [first = ''] = names;
    // Existing failures don't count against this change.
    const config_admin = ['groups/nobody'];
    const access = { admin: { role: { admin: [EXAMPLE.admin], config_admin }, requireAuth: 'auto' } };
    world.hosted.change('POST', `/config/wknd/sites/${names[2] ?? ''}/access.json`, access);
    const edits = [{ op: 'add', path: '/access/admin/role/config_admin', value: 'groups/editors' }];
    const { id } = await start({ edits, sites: names, waves: [1, '100%'] });
    expect(await ended(id)).toMatchObject({ state: 'stopped', stopped: { reason: 'worse' }, sites: { changed: 1, waiting: 2 }, worse: 1 });
    const worse = await ok<{ sites: RolloutSite[] }>(world.call('GET', one(id).replace('.json', '/sites.json?worse=true')));
    expect(worse.sites).toMatchObject([{ name: first, state: 'changed', worse: ['groups-exist'] }]);
    await ok(command(id, 'resume'));
    expect(await ended(id)).toMatchObject({ state: 'stopped', stopped: { reason: 'worse' }, sites: { changed: 3 }, worse: 2 });
    expect((await rowsOf(id)).map((row) => row.worse)).toEqual([['groups-exist'], ['groups-exist'], undefined]);
    await ok(command(id, 'undo'));
    expect(await ended(id)).toMatchObject({ state: 'undone', sites: { undone: 3 } });
  });

  test('reads what sites share once before and once after each wave, and retries if the hosted service does not respond', async () => {
    const jobs = () => requests('GET').filter(({ path }) => path.startsWith('/job/')).length;
    const { id: alone } = await start({ edits: EDITS, sites: await sites(1) });
    expect(await ended(alone)).toMatchObject({ state: 'done', sites: { changed: 1 } });
    const ofWave = jobs();
    // Each time, the syncs of their repository.
    expect(ofWave).toBe(2);

    const names = await sites(9);
    const path = `/config/wknd/sites/${names[0] ?? ''}.json`;
    world.hosted.fault({ kind: 'cut', method: 'GET', path, skip: 1 });
    const { id } = await start({ edits: EDITS, sites: names, waves: [4, '100%'] });
    expect(await ended(id)).toMatchObject({ state: 'done', sites: { changed: 9 }, worse: 0 });
    expect(requests('GET').filter((one) => one.path === path && one.status === 0)).toHaveLength(1);
    expect(jobs()).toBe(2 * ofWave);
  });

  test('stops if the technical account could no longer publish, as found by someone who could read the authoring system', async () => {
    const account = 'p100-e200@techacct.example.com';
    const access = { admin: { role: { admin: [EXAMPLE.admin], config_admin: [account] }, requireAuth: 'auto' } };
    const [site = ''] = await sites(1, () => ({ access }));
    const environment = { author: 'https://author-p100-e200.example.com', technicalAccount: account };
    const found = { version: 1, switched: true, environment, drifts: [], findings: [] };
    await ok(world.call('PUT', `/config/wknd/sites/${site}/checks.json`, found));
    const edits = [{ op: 'remove', path: '/access/admin/role/config_admin', value: account }];
    const { id } = await start({ edits, sites: [site] });
    expect(await ended(id)).toMatchObject({ state: 'stopped', stopped: { reason: 'worse' }, worse: 1 });
    expect(await rowsOf(id)).toMatchObject([{ worse: ['technical-account-listed'] }]);
  });

  test('checks a profile after its first wave, and at the sites that get it with all others', async () => {
    await ok(world.call('PUT', '/config/wknd/profiles/checked.json', { robots: { txt: 'a' } }), 201);
    const names = await sites(3, () => ({ extends: { profile: 'checked' } }));
    const config = { robots: { txt: 'b' }, access: { admin: { role: { config_admin: ['groups/editors'] } } } };
    const { id } = await start({ profile: 'checked', config, waves: [1, '100%'] });
    expect(await ended(id)).toMatchObject({ state: 'stopped', stopped: { reason: 'worse' }, sites: { staged: 1, waiting: 2 }, worse: 1 });
    await ok(command(id, 'resume'));
    expect(await ended(id)).toMatchObject({ state: 'stopped', stopped: { reason: 'worse' }, sites: { changed: 3 }, worse: 3 });
    expect((await rowsOf(id)).map(({ name, worse }) => [name, worse])).toEqual(names.toSorted().map((name) => [name, ['groups-exist']]));
  });
});
