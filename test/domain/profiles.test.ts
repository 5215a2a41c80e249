import { describe, expect, it } from 'vitest';
import { endpoints, profilePartEndpoints, sitePartEndpoints } from '@repoless/contract/endpoints.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { createAnswerBudget } from '@repoless/service/domain/answer-budget.ts';
import { historyOperations } from '@repoless/service/history/history-operations.ts';
import { profileOperations, setProfilePart } from '@repoless/service/profiles/profile-operations.ts';
import { putSite, setSitePart } from '@repoless/service/sites/site-operations.ts';
import { publicPaths, siteInput } from '../support/builders.ts';
import { eachStore } from '../support/each-store.ts';
import { carl, otto, createWorld, type World } from './world.ts';
import { getAggregate } from '@repoless/service/sites/find-site.ts';

const histories = historyOperations(createAnswerBudget(LIMITS.answerBytes));
const base = { org: 'acme', profile: 'base' };
const configAdmin = {
  users: [
    { id: 'u1', email: 'otto@example.com', roles: ['admin' as const] },
    { id: 'u2', email: 'carl@example.com', roles: ['config_admin' as const] },
  ],
};

const put = (world: World, body: object, caller = otto, query = {}) =>
  world.call(endpoints.putProfile, profileOperations.putProfile, caller, { params: base, body, query });
const site = (world: World, name: string, extra = {}, caller = otto) =>
  world.call(endpoints.putSite, putSite, caller, {
    params: { org: 'acme', site: name },
    query: { replace: 'true' },
    body: { ...siteInput(name), ...extra },
  });
const extending = { extends: { profile: 'base' } };
const robots = { robots: { txt: 'User-agent: *' } };
const stored = async (world: World, name: string) => (await world.store.reads.site('acme', name))?.aggregate;

eachStore((engine) => {
  const openWorld = async () => createWorld(await engine.open(), configAdmin);

  it('affects every site that extends it, without a new version of the site', async () => {
    const world = await openWorld();
    await put(world, robots);
    for (const name of ['one', 'two']) await site(world, name, extending);
    await site(world, 'three');
    await put(world, { robots: { txt: 'Disallow: /' } });
    expect(await Promise.all(['one', 'two', 'three'].map((name) => world.store.reads.robots('acme', name)))).toEqual([
      'Disallow: /',
      'Disallow: /',
      undefined,
    ]);
    const one = await world.store.reads.site('acme', 'one');
    expect(one).toMatchObject({ version: 1, config: { name: 'one', ...extending } });
    expect(one?.config.robots).toBeUndefined();
  });

  it('is refused entirely if one of its sites breaks a rule, and names that site', async () => {
    const world = await openWorld();
    await put(world, {});
    await site(world, 'one', extending);
    await site(world, 'two', extending);
    const shared = { public: publicPaths('/content/shared') };
    await expect(put(world, { ...shared, ...robots })).rejects.toMatchObject({
      code: 'CONTENT_ROOT_TAKEN',
      message: expect.stringMatching(/"acme\/two".*"acme\/one"/),
    });
    expect([await world.store.reads.robots('acme', 'one'), (await world.store.reads.profile('acme', 'base'))?.version]).toEqual([
      undefined,
      1,
    ]);
    await site(world, 'alone', shared);
    await site(world, 'two');
    await expect(put(world, shared)).rejects.toMatchObject({ code: 'CONTENT_ROOT_TAKEN', data: { site: 'alone', extending: 'acme/one' } });
  });

  it('cannot lose the code that a site needs, or be removed from that site', async () => {
    const world = await openWorld();
    await put(world, { code: { owner: 'acme', repo: 'shared' } });
    const { content } = siteInput('one');
    await world.call(endpoints.putSite, putSite, otto, { params: { org: 'acme', site: 'one' }, body: { content, ...extending } });
    expect((await stored(world, 'one'))?.code).toMatchObject({ owner: 'acme', repo: 'shared', source: { type: 'github' } });
    await expect(put(world, {})).rejects.toMatchObject({ code: 'BODY_INVALID', errors: [{ pointer: '/code' }] });
    await expect(world.call(endpoints.deleteProfile, profileOperations.deleteProfile, otto, { params: base })).rejects.toMatchObject({
      code: 'PROFILE_IN_USE',
      data: { sites: 'one' },
    });
    await site(world, 'one');
    expect(await world.call(endpoints.deleteProfile, profileOperations.deleteProfile, otto, { params: base })).toEqual({ status: 204 });
  });

  it('has versions and audit entries, and affects its sites again when restored', async () => {
    const world = await openWorld();
    await put(world, robots, otto, { versionName: 'first' });
    await site(world, 'one', extending);
    await put(world, { robots: { txt: 'mistake' } });
    const restored = await world.call(endpoints.postProfile, profileOperations.postProfile, otto, {
      params: base,
      query: { restoreVersion: '1' },
    });
    expect(restored).toMatchObject({ status: 200, body: robots });
    expect(await world.store.reads.robots('acme', 'one')).toBe(robots.robots.txt);
    const list = await world.call(endpoints.listProfileVersions, histories.listProfileVersions, otto, {
      params: base,
      query: { limit: '9' },
    });
    expect(list.body).toMatchObject({ current: 3, versions: [{ version: 3 }, { version: 2 }, { version: 1, name: 'first' }] });
    const actions = (await world.store.reads.audits('acme', { limit: 10 })).map(({ action, from, to }) => [action, from, to]);
    expect(actions.filter(([action]) => String(action).includes('base'))).toEqual([
      ['restore-profiles/base', 2, 3],
      ['put-profiles/base', 1, 2],
      ['put-profiles/base', undefined, 1],
    ]);
  });

  it('and a site that concurrently starts to extend it end in a serial order', async () => {
    const world = await openWorld();
    await put(world, robots);
    const names = Array.from({ length: 8 }, (_, index) => `site-${index}`);
    await Promise.all([...names.map((name) => site(world, name, extending)), put(world, { robots: { txt: 'new' } })]);
    expect(new Set(await Promise.all(names.map((name) => world.store.reads.robots('acme', name))))).toEqual(new Set(['new']));
  });

  describe('A change by a config_admin', () => {
    const people = { access: { admin: { role: { admin: ['carl@example.com'] } } } };

    it('is stored, unless it changes who administers', async () => {
      const world = await openWorld();
      expect(await put(world, robots, carl)).toMatchObject({ status: 201 });
      await expect(put(world, people, carl)).rejects.toMatchObject({ code: 'NOT_AUTHORIZED' });
      const set = world.call(profilePartEndpoints.access.set, setProfilePart('access'), carl, { params: base, body: people.access });
      await expect(set).rejects.toMatchObject({ code: 'NOT_AUTHORIZED' });
    });

    it('cannot give a site administrators through a profile', async () => {
      const world = await openWorld();
      await put(world, people);
      await site(world, 'one', {}, carl);
      const extend = world.call(sitePartEndpoints.extends.set, setSitePart('extends'), carl, {
        params: { org: 'acme', site: 'one' },
        body: { profile: 'base' },
      });
      await expect(extend).rejects.toMatchObject({ code: 'NOT_AUTHORIZED' });
    });
  });

  it('cannot have a secret', async () => {
    const world = await openWorld();
    const source = {
      type: 'byogit',
      url: 'https://git.example/api',
      raw_url: 'https://git.example/raw',
      owner: '1',
      repo: '2',
      secretId: 'cm-byog',
    };
    await expect(put(world, { code: { source } })).rejects.toMatchObject({
      code: 'SECRET_NOT_ALLOWED',
      errors: [{ pointer: '/code/source/secretId' }],
    });
  });

  it('cannot be extended if it does not exist', async () => {
    const world = await openWorld();
    await expect(site(world, 'one', extending)).rejects.toMatchObject({
      code: 'BODY_INVALID',
      errors: [{ pointer: '/extends/profile', detail: expect.stringContaining('acme/base') }],
    });
  });

  it('with the delivery address of one site cannot be extended by another', async () => {
    const world = await openWorld();
    await put(world, { code: { owner: 'acme', repo: 'code' }, content: siteInput('one').content });
    const extend = (name: string) => world.call(endpoints.putSite, putSite, otto, { params: { org: 'acme', site: name }, body: extending });
    expect(await extend('one')).toMatchObject({ status: 201 });
    await expect(extend('two')).rejects.toMatchObject({ code: 'CONTENT_ADDRESS_MISMATCH' });
  });
});
describe('The default profile', () => {
  const params = { org: 'acme', profile: 'default' };
  const cache = { headers: { '/**': [{ key: 'cache-control', value: 'max-age=60' }] } };
  const put = (world: World, body: object) => world.call(endpoints.putProfile, profileOperations.putProfile, otto, { params, body });
  const remove = (world: World) => world.call(endpoints.deleteProfile, profileOperations.deleteProfile, otto, { params });
  const site = (world: World, name: string, extra = {}) =>
    world.call(endpoints.putSite, putSite, otto, {
      params: { org: 'acme', site: name },
      query: { replace: 'true' },
      body: { ...siteInput(name), ...extra },
    });
  const holds = async (world: World, name: string) => (await world.store.reads.site('acme', name))?.aggregate;

  eachStore((engine) => {
    const openWorld = async () => createWorld(await engine.open());

    it('applies to existing and new sites without “extends”', async () => {
      const world = await openWorld();
      await site(world, 'before');
      await put(world, cache);
      await site(world, 'after');
      for (const name of ['before', 'after']) {
        expect(await holds(world, name)).toMatchObject({ ...cache, extends: { profile: 'default' } });
        const stored = await world.store.reads.site('acme', name);
        expect([stored?.version, stored?.config.headers, stored?.config.extends]).toEqual([1, undefined, undefined]);
      }
      const shown = await world.call(endpoints.getAggregate, getAggregate, otto, { params: { org: 'acme', site: 'after' } });
      expect(shown.body).toMatchObject({ ...cache, extends: { profile: 'default' } });
    });

    it('does not apply to a site that extends another profile, or none', async () => {
      const world = await openWorld();
      const base = { params: { org: 'acme', profile: 'base' }, body: { title: 'Base' } };
      await world.call(endpoints.putProfile, profileOperations.putProfile, otto, base);
      await put(world, cache);
      await site(world, 'other', { extends: { profile: 'base' } });
      await site(world, 'nothing', { extends: {} });
      await put(world, { ...cache, title: 'Default' });
      expect(await holds(world, 'other')).toMatchObject({ title: 'Base' });
      expect((await holds(world, 'other'))?.headers).toBeUndefined();
      expect(await holds(world, 'nothing')).toEqual((await world.store.reads.site('acme', 'nothing'))?.config);
      await site(world, 'nothing');
      expect(await holds(world, 'nothing')).toMatchObject(cache);
    });

    it('cannot be removed while a site names it; once removed, it no longer applies to its sites', async () => {
      const world = await openWorld();
      await put(world, cache);
      await site(world, 'one');
      await site(world, 'named', { extends: { profile: 'default' } });
      await expect(remove(world)).rejects.toMatchObject({ code: 'PROFILE_IN_USE', data: { sites: 'named', count: '1' } });
      await site(world, 'named');
      expect(await remove(world)).toEqual({ status: 204 });
      const one = await world.store.reads.site('acme', 'one');
      expect(one?.aggregate).toEqual(one?.config);
      expect(await put(world, cache)).toMatchObject({ status: 201 });
      expect(await holds(world, 'one')).toMatchObject(cache);
    });

    it('is not removed if a site has no code without it', async () => {
      const world = await openWorld();
      await put(world, { code: { owner: 'acme', repo: 'shared' } });
      const { content } = siteInput('one');
      await world.call(endpoints.putSite, putSite, otto, { params: { org: 'acme', site: 'one' }, body: { content } });
      expect(await holds(world, 'one')).toMatchObject({ code: { repo: 'shared' } });
      await expect(remove(world)).rejects.toMatchObject({
        code: 'BODY_INVALID',
        message: expect.stringContaining('Without this profile site "acme/one"'),
        errors: [{ pointer: '/code' }],
      });
    });

    it('and sites that are concurrently written on another node end in a serial order', async () => {
      const shared = await engine.newDatabase();
      const world = await createWorld(await shared.open());
      const other = engine.name === 'PostgreSQL' ? await createWorld(await shared.open()) : world;
      for (let round = 0; round < 12; round += 1) {
        const names = Array.from({ length: 8 }, (_, index) => `site-${round}-${index}`);
        const profileChange = put(world, { title: `Round ${round}` });
        await Promise.all([...names.map((name, index) => site(index % 2 === 0 ? other : world, name)), profileChange]);
        const titles = await Promise.all(names.map(async (name) => (await holds(world, name))?.title));
        expect(new Set(titles)).toEqual(new Set([`Round ${round}`]));
        await Promise.all([...names.map((name) => site(other, name, { description: 'changed' })), remove(world)]);
        const alone = await Promise.all(names.map(async (name) => (await holds(other, name))?.title));
        expect(new Set(alone)).toEqual(new Set([undefined]));
      }
    });
  });
});
