import { describe, expect, test } from 'vitest';
import { checkSite } from '@repoless/core/checks/check-site.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { enable, open, situationOf, stateOf } from './apply.ts';
import { ADA, CARL, OTTO, startSetupWorld } from './setup-world.ts';

const PAGE = '/content/harbour';
const SITE = '/config/wknd/sites/harbour';
const world = startBeforeAll(() => startSetupWorld({ sites: true }));

async function store(method: string, path: string, body: object): Promise<void> {
  const answer = await world.backend.call(method, path, { as: OTTO, body });
  expect(answer.status, answer.text).toBeLessThan(300);
}

async function listed(admin: readonly string[], groups?: object): Promise<void> {
  const config = (await world.backend.call('GET', `${SITE}.json`, { as: OTTO })).json() as { access: { admin: { role: object } } };
  const access = { ...config.access, admin: { ...config.access.admin, role: { ...config.access.admin.role, admin } } };
  await store('PUT', `${SITE}.json`, { ...config, access, ...(groups === undefined ? {} : { groups }) });
}

async function verdict(email: string) {
  const found = checkSite(await situationOf(await world.person(email), PAGE)).find(({ check }) => check === 'caller-administers');
  return { verdict: found?.verdict, variant: found?.variant };
}

describe('A site that has administrators', () => {
  test('is set up for everyone, without adding the caller', async () => {
    const carl = await open(await world.person(CARL), PAGE);
    expect(stateOf(carl.plan, 'set-access')).toEqual({ kind: 'done' });
    expect(carl.plan).toMatchObject({ blocked: false, complete: false });
    expect((await enable(await world.person(ADA), PAGE)).result).toEqual({ outcome: 'complete' });
    for (const email of [ADA, OTTO, CARL]) expect((await open(await world.person(email), PAGE)).plan.complete, email).toBe(true);
  });

  test('is set up by someone else without adding them', async () => {
    const before = (await world.backend.call('GET', '/config/wknd/sites/ferry/access.json', { as: OTTO })).json();
    expect((await enable(await world.person(OTTO), '/content/ferry')).result).toEqual({ outcome: 'complete' });
    const after = (await world.backend.call('GET', '/config/wknd/sites/ferry/access.json', { as: OTTO })).json();
    const administrators = (access: unknown) => (access as { admin: { role: { admin: string[] } } }).admin.role.admin;
    expect(administrators(after)).toEqual(administrators(before));
  });

  test('proposes the caller if the site has no administrator', async () => {
    await listed([]);
    expect((await open(await world.person(OTTO), PAGE)).choices.administrators).toEqual(expect.arrayContaining([ADA, OTTO]));
    await listed([ADA]);
  });
});

describe('Whether the caller administers the site is decided as by the service', () => {
  test('for members of a group of the site, in either notation', async () => {
    expect(await verdict(CARL)).toEqual({ verdict: 'wrong' });
    for (const entry of ['/groups/owners', 'groups/owners.json']) {
      await listed([ADA, entry], { owners: { members: [{ email: CARL }] } });
      expect(await verdict(CARL), entry).toEqual({ verdict: 'fine' });
    }
    await listed([ADA, '/groups/owners'], { owners: { members: [{ email: ADA }] } });
    expect(await verdict(CARL)).toEqual({ verdict: 'wrong' });
  });

  test('for members of a group of the organization that they may not read', async () => {
    await store('POST', '/config/wknd/groups/bosses.json', { members: [{ email: CARL }] });
    await listed([ADA, '/groups/bosses']);
    expect(await verdict(CARL)).toEqual({ verdict: 'fine' });
    await listed([ADA]);
    expect(await verdict(CARL)).toEqual({ verdict: 'wrong' });
  });

  test('for people who administer the organization through a group', async () => {
    await store('POST', '/config/wknd/users.json', { email: 'groups/bosses', roles: ['admin'] });
    expect(await verdict(CARL)).toEqual({ verdict: 'fine' });
  });
});
