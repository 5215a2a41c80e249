import { expect, it } from 'vitest';
import type { Store } from '@repoless/service/domain/ports.ts';
import { publicPaths, siteWrite } from '../support/builders.ts';
import { eachStore } from '../support/each-store.ts';
import { changeProfile, extendProfile, meanwhile } from './profiles.ts';
import { putSite } from './put-site.ts';

eachStore((engine) => {
  it('decides a site again whose profile is changed meanwhile', async () => {
    const store = await engine.open();
    await changeProfile(store, { title: 'Old' });
    const { seen, run } = meanwhile(() => changeProfile(store, { title: 'New' }));
    await extendProfile(store, 'site', run);
    expect(seen).toEqual([1, 2]);
    expect((await store.reads.site('acme', 'site'))?.aggregate.title).toBe('New');
  });

  it('decides a site again whose profile is removed meanwhile, or made', async () => {
    const store = await engine.open();
    await changeProfile(store, { title: 'Old' });
    const removed = meanwhile(() => store.write((writes) => writes.deleteProfile('acme', 'base')));
    await extendProfile(store, 'site', removed.run);
    expect(removed.seen).toEqual([1, 0]);
    const made = meanwhile(() => changeProfile(store, { title: 'New' }));
    await extendProfile(store, 'other', made.run);
    expect(made.seen).toEqual([0, 2]);
  });

  it('decides a site only once where others extend the same profile at once', async () => {
    const store = await engine.open();
    await changeProfile(store, { title: 'Shared' });
    const seen: number[] = [];
    const names = Array.from({ length: 40 }, (_, index) => `site-${index}`);
    await Promise.all(names.map((name) => extendProfile(store, name, (version) => void seen.push(version))));
    expect(seen).toHaveLength(40);
    expect(await store.reads.sitesOfProfile('acme', 'base')).toHaveLength(40);
  });

  it('stores the sites that extend a profile beside one that cannot be stored', async () => {
    const store = await engine.open();
    await changeProfile(store, { title: 'Shared' });
    await putSite(store, siteWrite('taken', { public: publicPaths('/content/x') }));
    const results = await Promise.allSettled([
      extendProfile(store, 'a'),
      extendProfile(store, 'b', undefined, { public: publicPaths('/content/x') }),
      extendProfile(store, 'c'),
      putSite(store, siteWrite('plain')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: { code: 'CONTENT_ROOT_TAKEN' } });
    expect((await store.reads.sitesOfProfile('acme', 'base')).map(({ site }) => site)).toEqual(['a', 'c']);
  });

  it('decides together stored sites again whose profile is changed meanwhile', async () => {
    const store = await engine.open();
    await changeProfile(store, { title: 'Old' });
    const { seen, run } = meanwhile(() => changeProfile(store, { title: 'New' }));
    await Promise.all(['a', 'b', 'c'].map((name) => extendProfile(store, name, run)));
    expect(seen).toContain(2);
    const sites = await store.reads.sitesOfProfile('acme', 'base');
    expect(sites.map(({ aggregate }) => aggregate.title)).toEqual(['New', 'New', 'New']);
  });

  it('reaches a site that comes to extend the profile while it is changed', async () => {
    const store = await engine.open();
    await changeProfile(store, { title: 'Old' });
    const { seen, run } = meanwhile(() => extendProfile(store, 'site'));
    await changeProfile(store, { title: 'New' }, run);
    expect(seen).toEqual([0, 1]);
    expect((await store.reads.site('acme', 'site'))?.aggregate.title).toBe('New');
  });

  it.each([
    ['is changed', (store: Store) => extendProfile(store, 'site', undefined, { description: 'Changed' }), [1, 1], 'New'],
    ['ceases to extend it', (store: Store) => putSite(store, siteWrite('site', {}, 2)), [1, 0], undefined],
    ['is removed', (store: Store) => store.write((writes) => writes.deleteSite('acme', 'site', new Date())), [1, 0], undefined],
  ])('decides a profile again of which a site %s meanwhile', async (_how, change, expected, title) => {
    const store = await engine.open();
    await changeProfile(store, { title: 'Old' });
    await extendProfile(store, 'site');
    const { seen, run } = meanwhile(() => change(store));
    await changeProfile(store, { title: 'New' }, run);
    expect(seen).toEqual(expected);
    const site = await store.reads.site('acme', 'site');
    expect(site?.aggregate.title).toBe(title);
    expect(site?.aggregate.description).toBe(site?.config.description);
  });

  it('decides the removal of a profile again that a site comes to extend meanwhile', async () => {
    const store = await engine.open();
    await changeProfile(store, { title: 'Old' });
    const { seen, run } = meanwhile(() => extendProfile(store, 'site'));
    await store.write(async (writes) => {
      await writes.profile('acme', 'base');
      const { length } = await writes.sitesOfProfile('acme', 'base');
      await run(length);
      if (length === 0) await writes.deleteProfile('acme', 'base');
    });
    expect(seen).toEqual([0, 1]);
    expect(await store.reads.profile('acme', 'base')).toBeDefined();
  });

  it('never gives a version of a profile twice', async () => {
    const store = await engine.open();
    await extendProfile(store, 'site');
    await Promise.all(Array.from({ length: 10 }, (_, index) => changeProfile(store, { title: `${index}` })));
    const stored = await store.reads.profile('acme', 'base');
    expect(stored?.version).toBe(10);
    expect((await store.reads.site('acme', 'site'))?.aggregate.title).toBe(stored?.config.title);
  });
});
