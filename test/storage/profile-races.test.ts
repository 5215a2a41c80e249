import { expect, it } from 'vitest';
import type { Store } from '@repoless/service/domain/ports.ts';
import { publicPaths, siteWrite } from '../support/builders.ts';
import { eachStore } from '../support/each-store.ts';
import { changeProfile, extendProfile, meanwhile, putPlain } from './profiles.ts';
import { putSite } from './put-site.ts';

eachStore((engine) => {
  /** Two nodes on PostgreSQL; SQLite allows one. */
  const nodes = async () => {
    const place = await engine.place();
    const here = await place.open();
    return { here, there: engine.name === 'SQLite' ? here : await place.open() };
  };
  const makeDefault = (store: Store, run?: (seen: number) => void) => changeProfile(store, { title: 'Default' }, run, 'default');
  const titleOf = async (store: Store, site: string) => (await store.reads.site('acme', site))?.aggregate.title;

  it('changes a profile after a site that comes to extend it meanwhile', async () => {
    const { here, there } = await nodes();
    await changeProfile(here, { title: 'Old' });
    const changed = meanwhile(() => changeProfile(there, { title: 'New' }));
    await extendProfile(here, 'site', changed.run);
    await changed.ended();
    expect(changed.seen).toEqual([1]);
    expect(await titleOf(here, 'site')).toBe('New');
  });

  it('stores a site after a change of the profile that it extends', async () => {
    const { here, there } = await nodes();
    await changeProfile(here, { title: 'Old' });
    const extended = meanwhile(() => extendProfile(there, 'site'));
    await changeProfile(here, { title: 'New' }, extended.run);
    await extended.ended();
    expect(extended.seen).toEqual([0]);
    expect(await titleOf(here, 'site')).toBe('New');
  });

  it('stores a site after the removal of the profile that it extends', async () => {
    const { here, there } = await nodes();
    await changeProfile(here, { title: 'Old' });
    const seen: number[] = [];
    const extended = meanwhile(() => extendProfile(there, 'site', (version) => void seen.push(version)));
    await here.write(async (writes) => {
      extended.run((await writes.sitesOfProfile('acme', 'base')).length);
      await writes.deleteProfile('acme', 'base');
    });
    await extended.ended();
    expect(seen).toEqual([0]);
  });

  it.each([
    ['is changed', (store: Store) => extendProfile(store, 'site', undefined, { description: 'Changed' }), 'New'],
    ['ceases to extend it', (store: Store) => putSite(store, siteWrite('site', {}, 2)), undefined],
    ['is removed', (store: Store) => store.write((writes) => writes.deleteSite('acme', 'site', new Date())), undefined],
  ])('changes a profile of which a site %s meanwhile', async (_how, change, title) => {
    const { here, there } = await nodes();
    await changeProfile(here, { title: 'Old' });
    await extendProfile(here, 'site');
    const other = meanwhile(() => change(there));
    await changeProfile(here, { title: 'New' }, other.run);
    await other.ended();
    const site = await here.reads.site('acme', 'site');
    expect(site?.aggregate.title).toBe(title);
    expect(site?.aggregate.description).toBe(site?.config.description);
  });

  it('makes a default profile after a site that is stored meanwhile, and stores a site after the profile', async () => {
    const { here, there } = await nodes();
    const made = meanwhile(() => makeDefault(there));
    await putPlain(here, 'site', made.run);
    await made.ended();
    expect(await titleOf(here, 'site')).toBe('Default');
    const removed = meanwhile(() => there.write((writes) => writes.deleteProfile('acme', 'default')));
    const stored = meanwhile(() => putPlain(there, 'other'));
    removed.run(0);
    await removed.ended();
    await makeDefault(here, stored.run);
    await stored.ended();
    expect(await titleOf(here, 'other')).toBe('Default');
  });

  it('decides a site only once where others extend the same profile at once', async () => {
    const { here } = await nodes();
    await changeProfile(here, { title: 'Shared' });
    const seen: number[] = [];
    const names = Array.from({ length: 40 }, (_, index) => `site-${index}`);
    await Promise.all(names.map((name) => extendProfile(here, name, (version) => void seen.push(version))));
    expect(seen).toHaveLength(40);
    expect(await here.reads.sitesOfProfile('acme', 'base')).toHaveLength(40);
  });

  it('stores the sites that extend a profile beside one that cannot be stored', async () => {
    const { here } = await nodes();
    await changeProfile(here, { title: 'Shared' });
    await putSite(here, siteWrite('taken', { public: publicPaths('/content/x') }));
    const results = await Promise.allSettled([
      extendProfile(here, 'a'),
      extendProfile(here, 'b', undefined, { public: publicPaths('/content/x') }),
      extendProfile(here, 'c'),
      putSite(here, siteWrite('plain')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: { code: 'CONTENT_ROOT_TAKEN' } });
    expect((await here.reads.sitesOfProfile('acme', 'base')).map(({ site }) => site)).toEqual(['a', 'c']);
  });

  it('never gives a version of a profile twice', async () => {
    const { here, there } = await nodes();
    await extendProfile(here, 'site');
    await Promise.all(Array.from({ length: 10 }, (_, index) => changeProfile(index % 2 === 0 ? here : there, { title: `${index}` })));
    const stored = await here.reads.profile('acme', 'base');
    expect(stored?.version).toBe(10);
    expect(await titleOf(here, 'site')).toBe(stored?.config.title);
  });
});
