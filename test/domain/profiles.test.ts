import { describe, expect, it } from 'vitest';
import { endpoints, profilePartEndpoints, sitePartEndpoints } from '@repoless/contract/endpoints.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { createAnswerBudget } from '@repoless/service/domain/answer-budget.ts';
import { historyOperations } from '@repoless/service/history/history-operations.ts';
import { profileOperations, setProfilePart } from '@repoless/service/profiles/profile-operations.ts';
import { putSite, setSitePart } from '@repoless/service/sites/site-operations.ts';
import { publicPaths, siteInput } from '../support/builders.ts';
import { eachStore } from '../support/each-store.ts';
import { carl, otto, world, type World } from './world.ts';
import { getAggregate } from '@repoless/service/sites/find-site.ts';

const histories = historyOperations(createAnswerBudget(LIMITS.answerBytes));
const base = { org: 'acme', profile: 'base' };
const configAdmin = {
  users: [
    { id: 'u1', email: 'otto@example.com', roles: ['admin' as const] },
    { id: 'u2', email: 'carl@example.com', roles: ['config_admin' as const] },
  ],
};

const put = (place: World, body: object, caller = otto, query = {}) =>
  place.call(endpoints.putProfile, profileOperations.putProfile, caller, { params: base, body, query });
const site = (place: World, name: string, extra = {}, caller = otto) =>
  place.call(endpoints.putSite, putSite, caller, {
    params: { org: 'acme', site: name },
    query: { replace: 'true' },
    body: { ...siteInput(name), ...extra },
  });
const extending = { extends: { profile: 'base' } };
const robots = { robots: { txt: 'User-agent: *' } };
const stored = async (place: World, name: string) => (await place.store.reads.site('acme', name))?.aggregate;

eachStore((engine) => {
  const openWorld = async () => world(await engine.open(), configAdmin);

  it('affects every site that extends it, without a new version of the site', async () => {
    const place = await openWorld();
    await put(place, robots);
    for (const name of ['one', 'two']) await site(place, name, extending);
    await site(place, 'three');
    await put(place, { robots: { txt: 'Disallow: /' } });
    expect(await Promise.all(['one', 'two', 'three'].map((name) => place.store.reads.robots('acme', name)))).toEqual([
      'Disallow: /',
      'Disallow: /',
      undefined,
    ]);
    const one = await place.store.reads.site('acme', 'one');
    expect(one).toMatchObject({ version: 1, config: { name: 'one', ...extending } });
    expect(one?.config.robots).toBeUndefined();
  });

  it('is refused entirely if one of its sites breaks a rule, and names that site', async () => {
    const place = await openWorld();
    await put(place, {});
    await site(place, 'one', extending);
    await site(place, 'two', extending);
    const shared = { public: publicPaths('/content/shared') };
    await expect(put(place, { ...shared, ...robots })).rejects.toMatchObject({
      code: 'CONTENT_ROOT_TAKEN',
      message: expect.stringMatching(/"acme\/two".*"acme\/one"/),
    });
    expect([await place.store.reads.robots('acme', 'one'), (await place.store.reads.profile('acme', 'base'))?.version]).toEqual([
      undefined,
      1,
    ]);
    await site(place, 'alone', shared);
    await site(place, 'two');
    await expect(put(place, shared)).rejects.toMatchObject({ code: 'CONTENT_ROOT_TAKEN', data: { site: 'alone', extending: 'acme/one' } });
  });

  it('cannot lose the code that a site needs, or be removed from that site', async () => {
    const place = await openWorld();
    await put(place, { code: { owner: 'acme', repo: 'shared' } });
    const { content } = siteInput('one');
    await place.call(endpoints.putSite, putSite, otto, { params: { org: 'acme', site: 'one' }, body: { content, ...extending } });
    expect((await stored(place, 'one'))?.code).toMatchObject({ owner: 'acme', repo: 'shared', source: { type: 'github' } });
    await expect(put(place, {})).rejects.toMatchObject({ code: 'BODY_INVALID', errors: [{ pointer: '/code' }] });
    await expect(place.call(endpoints.deleteProfile, profileOperations.deleteProfile, otto, { params: base })).rejects.toMatchObject({
      code: 'PROFILE_IN_USE',
      data: { sites: 'one' },
    });
    await site(place, 'one');
    expect(await place.call(endpoints.deleteProfile, profileOperations.deleteProfile, otto, { params: base })).toEqual({ status: 204 });
  });

  it('has versions and audit entries, and affects its sites again when restored', async () => {
    const place = await openWorld();
    await put(place, robots, otto, { versionName: 'first' });
    await site(place, 'one', extending);
    await put(place, { robots: { txt: 'mistake' } });
    const restored = await place.call(endpoints.postProfile, profileOperations.postProfile, otto, {
      params: base,
      query: { restoreVersion: '1' },
    });
    expect(restored).toMatchObject({ status: 200, body: robots });
    expect(await place.store.reads.robots('acme', 'one')).toBe(robots.robots.txt);
    const list = await place.call(endpoints.listProfileVersions, histories.listProfileVersions, otto, {
      params: base,
      query: { limit: '9' },
    });
    expect(list.body).toMatchObject({ current: 3, versions: [{ version: 3 }, { version: 2 }, { version: 1, name: 'first' }] });
    const actions = (await place.store.reads.audits('acme', { limit: 10 })).map(({ action, from, to }) => [action, from, to]);
    expect(actions.filter(([action]) => String(action).includes('base'))).toEqual([
      ['restore-profiles/base', 2, 3],
      ['put-profiles/base', 1, 2],
      ['put-profiles/base', undefined, 1],
    ]);
  });

  it('and a site that concurrently starts to extend it end in a serial order', async () => {
    const place = await openWorld();
    await put(place, robots);
    const names = Array.from({ length: 8 }, (_, index) => `site-${index}`);
    await Promise.all([...names.map((name) => site(place, name, extending)), put(place, { robots: { txt: 'new' } })]);
    expect(new Set(await Promise.all(names.map((name) => place.store.reads.robots('acme', name))))).toEqual(new Set(['new']));
  });

  describe('A change by a config_admin', () => {
    const people = { access: { admin: { role: { admin: ['carl@example.com'] } } } };

    it('is stored, unless it changes who administers', async () => {
      const place = await openWorld();
      expect(await put(place, robots, carl)).toMatchObject({ status: 201 });
      await expect(put(place, people, carl)).rejects.toMatchObject({ code: 'NOT_AUTHORIZED' });
      const set = place.call(profilePartEndpoints.access.set, setProfilePart('access'), carl, { params: base, body: people.access });
      await expect(set).rejects.toMatchObject({ code: 'NOT_AUTHORIZED' });
    });

    it('cannot give a site administrators through a profile', async () => {
      const place = await openWorld();
      await put(place, people);
      await site(place, 'one', {}, carl);
      const extend = place.call(sitePartEndpoints.extends.set, setSitePart('extends'), carl, {
        params: { org: 'acme', site: 'one' },
        body: { profile: 'base' },
      });
      await expect(extend).rejects.toMatchObject({ code: 'NOT_AUTHORIZED' });
    });
  });

  it('cannot have a secret', async () => {
    const place = await openWorld();
    const source = {
      type: 'byogit',
      url: 'https://git.example/api',
      raw_url: 'https://git.example/raw',
      owner: '1',
      repo: '2',
      secretId: 'cm-byog',
    };
    await expect(put(place, { code: { source } })).rejects.toMatchObject({
      code: 'SECRET_NOT_ALLOWED',
      errors: [{ pointer: '/code/source/secretId' }],
    });
  });

  it('cannot be extended if it does not exist', async () => {
    const place = await openWorld();
    await expect(site(place, 'one', extending)).rejects.toMatchObject({
      code: 'BODY_INVALID',
      errors: [{ pointer: '/extends/profile', detail: expect.stringContaining('acme/base') }],
    });
  });

  it('with the delivery address of one site cannot be extended by another', async () => {
    const place = await openWorld();
    await put(place, { code: { owner: 'acme', repo: 'code' }, content: siteInput('one').content });
    const extend = (name: string) => place.call(endpoints.putSite, putSite, otto, { params: { org: 'acme', site: name }, body: extending });
    expect(await extend('one')).toMatchObject({ status: 201 });
    await expect(extend('two')).rejects.toMatchObject({ code: 'CONTENT_ADDRESS_MISMATCH' });
  });
});
describe('The default profile', () => {
  const params = { org: 'acme', profile: 'default' };
  const cache = { headers: { '/**': [{ key: 'cache-control', value: 'max-age=60' }] } };
  const put = (place: World, body: object) => place.call(endpoints.putProfile, profileOperations.putProfile, otto, { params, body });
  const remove = (place: World) => place.call(endpoints.deleteProfile, profileOperations.deleteProfile, otto, { params });
  const site = (place: World, name: string, extra = {}) =>
    place.call(endpoints.putSite, putSite, otto, {
      params: { org: 'acme', site: name },
      query: { replace: 'true' },
      body: { ...siteInput(name), ...extra },
    });
  const holds = async (place: World, name: string) => (await place.store.reads.site('acme', name))?.aggregate;

  eachStore((engine) => {
    const openWorld = async () => world(await engine.open());

    it('applies to existing and new sites without “extends”', async () => {
      const place = await openWorld();
      await site(place, 'before');
      await put(place, cache);
      await site(place, 'after');
      for (const name of ['before', 'after']) {
        expect(await holds(place, name)).toMatchObject({ ...cache, extends: { profile: 'default' } });
        const stored = await place.store.reads.site('acme', name);
        expect([stored?.version, stored?.config.headers, stored?.config.extends]).toEqual([1, undefined, undefined]);
      }
      const shown = await place.call(endpoints.getAggregate, getAggregate, otto, { params: { org: 'acme', site: 'after' } });
      expect(shown.body).toMatchObject({ ...cache, extends: { profile: 'default' } });
    });

    it('does not apply to a site that extends another profile, or none', async () => {
      const place = await openWorld();
      const base = { params: { org: 'acme', profile: 'base' }, body: { title: 'Base' } };
      await place.call(endpoints.putProfile, profileOperations.putProfile, otto, base);
      await put(place, cache);
      await site(place, 'other', { extends: { profile: 'base' } });
      await site(place, 'nothing', { extends: {} });
      await put(place, { ...cache, title: 'Default' });
      expect(await holds(place, 'other')).toMatchObject({ title: 'Base' });
      expect((await holds(place, 'other'))?.headers).toBeUndefined();
      expect(await holds(place, 'nothing')).toEqual((await place.store.reads.site('acme', 'nothing'))?.config);
      await site(place, 'nothing');
      expect(await holds(place, 'nothing')).toMatchObject(cache);
    });

    it('no longer applies to its sites when removed, which a site that names it prevents', async () => {
      const place = await openWorld();
      await put(place, cache);
      await site(place, 'one');
      await site(place, 'named', { extends: { profile: 'default' } });
      await expect(remove(place)).rejects.toMatchObject({ code: 'PROFILE_IN_USE', data: { sites: 'named', count: '1' } });
      await site(place, 'named');
      expect(await remove(place)).toEqual({ status: 204 });
      const one = await place.store.reads.site('acme', 'one');
      expect(one?.aggregate).toEqual(one?.config);
      expect(await put(place, cache)).toMatchObject({ status: 201 });
      expect(await holds(place, 'one')).toMatchObject(cache);
    });

    it('is not removed if a site has no code without it', async () => {
      const place = await openWorld();
      await put(place, { code: { owner: 'acme', repo: 'shared' } });
      const { content } = siteInput('one');
      await place.call(endpoints.putSite, putSite, otto, { params: { org: 'acme', site: 'one' }, body: { content } });
      expect(await holds(place, 'one')).toMatchObject({ code: { repo: 'shared' } });
      await expect(remove(place)).rejects.toMatchObject({
        code: 'BODY_INVALID',
        message: expect.stringContaining('Without this profile site "acme/one"'),
        errors: [{ pointer: '/code' }],
      });
    });

    it('and sites that are concurrently written on another node end in a serial order', async () => {
      const shared = await engine.place();
      const place = await world(await shared.open());
      const other = engine.name === 'PostgreSQL' ? await world(await shared.open()) : place;
      for (let round = 0; round < 12; round += 1) {
        const names = Array.from({ length: 8 }, (_, index) => `site-${round}-${index}`);
        const made = put(place, { title: `Round ${round}` });
        await Promise.all([...names.map((name, index) => site(index % 2 === 0 ? other : place, name)), made]);
        const titles = await Promise.all(names.map(async (name) => (await holds(place, name))?.title));
        expect(new Set(titles)).toEqual(new Set([`Round ${round}`]));
        await Promise.all([...names.map((name) => site(other, name, { description: 'changed' })), remove(place)]);
        const alone = await Promise.all(names.map(async (name) => (await holds(other, name))?.title));
        expect(new Set(alone)).toEqual(new Set([undefined]));
      }
    });
  });
});
