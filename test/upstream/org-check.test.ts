import type { OrgChecks, SiteCheck } from '@repoless/contract/site-check.ts';
import { EXAMPLE } from '@repoless/sandbox/hosted/example.ts';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { startHostedWorld } from './hosted-world.ts';
import { rolloutOrders } from './rollout-orders.ts';

const world = startHostedWorld();
const { asked, begin, sites, ok } = rolloutOrders(world);
beforeEach(begin);
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

test('a check of all sites reads each once, tells how far it is, is joined, and finds what is wrong without the authoring system', async () => {
  const names = await sites(12, sound);
  const [broken = ''] = names;
  change(broken, 'access', { admin: { role: { admin: [EXAMPLE.admin], config_admin: ['groups/nobody'] }, requireAuth: 'auto' } });
  const begun = await ok<{ running: object }>(world.call('POST', CHECKS), 202);
  expect(begun).toMatchObject({ running: { done: 0, total: names.length + 1 } });
  expect(await ok(world.call('POST', CHECKS), 202)).toMatchObject({ joined: true });
  const { sites: all, counts } = await checked();
  expect(all.find(({ name }) => name === broken)).toMatchObject({
    state: 'faulty',
    problems: expect.arrayContaining([{ check: 'groups-exist', verdict: 'wrong' }]),
  });
  // The other one is the example's site, whose configuration page is not mapped.
  expect(counts.states).toEqual({ faulty: 2, changed: names.length - 1 });
  const found = await ok<SiteCheck>(world.call('GET', `/config/wknd/sites/${broken}/checks.json`));
  expect(found).toMatchObject({ state: 'faulty', service: { by: EXAMPLE.admin } });
  expect(found.findings.find((finding) => finding.check === 'groups-exist')?.data).toMatchObject({
    missing: 'groups/nobody',
    site: broken,
  });
  expect(asked('GET').filter(({ path }) => /\/sites\/[^/]+\.json$/.test(path)).length).toBeLessThanOrEqual(names.length + 3);
  expect(asked().every(({ method }) => method === 'GET')).toBe(true);
  expect(world.stored()).not.toMatch(/eyJ[\w-]+\./);

  change(broken, 'access', { admin: { role: { admin: [EXAMPLE.admin] }, requireAuth: 'auto' } });
  expect((await check()).counts.states).toEqual({ faulty: 1, changed: names.length });
});

test('what was made elsewhere since somebody checked a site shows in the list of all', async () => {
  const [site = ''] = await sites(1, sound);
  await ok(world.call('PUT', `/config/wknd/sites/${site}/checks.json`, inOrder()));
  const listed = async () => (await check()).sites.find(({ name }) => name === site);
  expect(await listed()).toMatchObject({ isOutdated: false });
  // Times of the stand-in are whole milliseconds.
  await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse((await listed())?.authoring?.at ?? ''));
  change(site, 'robots', { txt: 'elsewhere' });
  expect(await listed()).toMatchObject({ state: 'changed', isOutdated: true });
});

test('what somebody found is stored within the bounds of a service of our own', async () => {
  const [site = ''] = await sites(1, sound);
  const finding = { check: 'groups-exist', verdict: 'wrong', data: { site } };
  const put = async (findings: readonly object[]) =>
    (await world.call('PUT', `/config/wknd/sites/${site}/checks.json`, { ...inOrder(), findings })).status;
  const data = Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`part-${index}`, 'x'.repeat(2000)]));
  expect(await put([finding])).toBe(200);
  expect(await put([finding, finding])).toBe(400);
  expect(await put([{ ...finding, data }])).toBe(400);
});

test('is for those who may list the sites, and ends with the sign-in', async () => {
  await sites(1);
  const stranger = { token: world.hosted.token('session', { email: EXAMPLE.stranger }) };
  expect((await world.call('POST', CHECKS, undefined, stranger)).body).toMatchObject({ code: 'NOT_AUTHORIZED' });
  const exp = Math.floor(Date.now() / 1000) + 30;
  await ok(world.call('POST', CHECKS, undefined, { token: world.hosted.token('session', { email: EXAMPLE.admin, exp }) }), 202);
  await checked();
  expect(asked().filter(({ path }) => /\/sites\/[^/]+\.json$/.test(path))).toEqual([]);
});
