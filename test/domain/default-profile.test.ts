import { endpoints } from '@repoless/contract/endpoints.ts';
import { profileOperations } from '@repoless/service/profiles/profile-operations.ts';
import { getAggregate } from '@repoless/service/sites/find-site.ts';
import { putSite } from '@repoless/service/sites/site-operations.ts';
import { expect, it } from 'vitest';
import { siteInput } from '../support/builders.ts';
import { eachStore } from '../support/each-store.ts';
import { otto, world, type World } from './world.ts';

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
  const begin = async () => world(await engine.open());

  it('holds for sites that say nothing about extends: those there are, and those to come', async () => {
    const place = await begin();
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

  it('holds for no site that extends another, or nothing', async () => {
    const place = await begin();
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

  it('goes from its sites where it is removed, but not from under one that names it', async () => {
    const place = await begin();
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

  it('is not removed, where a site lacks its code without it', async () => {
    const place = await begin();
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

  it('and sites that are written on another node at the same moment end as one after the other', async () => {
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
