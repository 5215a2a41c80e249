import type { RolloutSite } from '@repoless/contract/rollout.ts';
import { EXAMPLE } from '@repoless/sandbox/hosted/example.ts';
import { beforeEach, expect, test } from 'vitest';
import { startHostedWorld } from './hosted-world.ts';
import { rolloutOrders } from './rollout-orders.ts';

const world = startHostedWorld();
const { asked, begin, sites, ok, start, one, order, rowsOf, ended } = rolloutOrders(world);
beforeEach(begin);
const EDITS = [{ op: 'add', path: '/headers/~1**', value: { key: 'x-from', value: '{site}' }, by: 'key' }];

test('stops after a wave after which a check fails that did not, says at which site, and goes on when it is resumed', async () => {
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
  await ok(order(id, 'resume'));
  expect(await ended(id)).toMatchObject({ state: 'stopped', stopped: { reason: 'worse' }, sites: { changed: 3 }, worse: 2 });
  expect((await rowsOf(id)).map((row) => row.worse)).toEqual([['groups-exist'], ['groups-exist'], undefined]);
  await ok(order(id, 'undo'));
  expect(await ended(id)).toMatchObject({ state: 'undone', sites: { undone: 3 } });
});

test('reads what sites share once a wave, and tries again where the hosted service does not respond', async () => {
  const names = await sites(4);
  const jobs = () => asked('GET').filter(({ path }) => path.startsWith('/job/')).length;
  world.hosted.fault({ kind: 'cut', method: 'GET', path: `/config/wknd/sites/${names[0] ?? ''}.json`, skip: 1 });
  const { id } = await start({ edits: EDITS, sites: names });
  expect(await ended(id)).toMatchObject({ state: 'done', sites: { changed: 4 }, worse: 0 });
  expect(jobs()).toBeLessThanOrEqual(4);
});

test('stops where the technical account would no longer publish, as somebody saw it who could read the authoring system', async () => {
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

test('a profile is checked at its first wave, and at the sites that get it with all others', async () => {
  await ok(world.call('PUT', '/config/wknd/profiles/checked.json', { robots: { txt: 'a' } }), 201);
  const names = await sites(3, () => ({ extends: { profile: 'checked' } }));
  const config = { robots: { txt: 'b' }, access: { admin: { role: { config_admin: ['groups/editors'] } } } };
  const { id } = await start({ profile: 'checked', config, waves: [1, '100%'] });
  expect(await ended(id)).toMatchObject({ state: 'stopped', stopped: { reason: 'worse' }, sites: { staged: 1, waiting: 2 }, worse: 1 });
  await ok(order(id, 'resume'));
  expect(await ended(id)).toMatchObject({ state: 'stopped', stopped: { reason: 'worse' }, sites: { changed: 3 }, worse: 3 });
  expect((await rowsOf(id)).map(({ name, worse }) => [name, worse])).toEqual(names.toSorted().map((name) => [name, ['groups-exist']]));
});
