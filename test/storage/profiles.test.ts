import { expect, it } from 'vitest';
import { org, publicPaths, siteWrite } from '../support/builders.ts';
import { eachStore } from '../support/each-store.ts';
import { aggregateWrite, changeProfile, extendProfile, over, profile, concurrently, putPlain } from './profiles.ts';
import { millisecondsOf } from '../support/loop-delay.ts';
import { putSite } from './put-site.ts';
import type { Store } from '@repoless/service/domain/ports.ts';

eachStore((engine) => {
  it('returns profiles as they were stored, and their names in order', async () => {
    const { reads, write } = await engine.open();
    const other = profile({ title: 'Other' }, 7, 'a-other');
    await write((writes) => writes.putProfile(profile()));
    await write((writes) => writes.putProfile(other));
    expect(await reads.profile('acme', 'base')).toEqual(profile());
    expect(await reads.profile('acme', 'a-other')).toEqual(other);
    expect(await reads.profile('other', 'base')).toBeUndefined();
    expect(await reads.listProfileNames('acme')).toEqual(['a-other', 'base']);
    expect(await reads.listProfileNames('other')).toEqual([]);

    await write((writes) => writes.deleteProfile('acme', 'a-other'));
    expect(await reads.listProfileNames('acme')).toEqual(['base']);
  });

  it('returns a site’s own configuration, and the effective one over its profile', async () => {
    const store = await engine.open();
    const published = publicPaths('/content/site');
    await changeProfile(store, { title: 'Of the profile', public: published, robots: { txt: 'User-agent: *' } });
    await extendProfile(store, 'site');
    await putSite(store, siteWrite('plain'));

    const stored = await store.reads.site('acme', 'site');
    expect(stored?.config).not.toHaveProperty('title');
    expect(stored?.aggregate).toMatchObject({ name: 'site', title: 'Of the profile', public: published });
    await store.write((writes) => writes.putOrg(org()));
    expect((await store.reads.orgAndSite('acme', 'site')).site).toEqual(stored);
    const [plain, site] = await store.reads.listSites('acme', { limit: 9, bytes: 1_000_000 });
    expect(plain?.aggregate).toBe(plain?.config);
    expect(site).toEqual(stored);
    expect(await store.reads.sitesOfProfile('acme', 'base')).toEqual([stored]);
    expect(await store.reads.sitesOfProfile('acme', 'other')).toEqual([]);

    expect((await store.reads.publicConfig('acme', 'site'))?.json).toBe(JSON.stringify({ public: published }, null, 2));
    expect(await store.reads.robots('acme', 'site')).toBe('User-agent: *');
    expect(await store.reads.siteWithContentRoot('author-p1-e2.example.com/content/site')).toEqual({ org: 'acme', site: 'site' });
  });

  it('applies a profile change to each of its sites, and no others, and notifies of each', async () => {
    const store = await engine.open();
    await changeProfile(store, { robots: { txt: 'Disallow: /' } });
    for (const name of ['b', 'a']) await extendProfile(store, name);
    const notified: string[] = [];
    store.onSiteChange((_org, site) => notified.push(site));
    await putSite(store, siteWrite('plain', { robots: { txt: 'Allow: /' } }));
    await expect.poll(() => notified.filter((site) => site === 'plain')).toHaveLength(engine.notifications);
    notified.length = 0;
    const before = await store.reads.site('acme', 'a');

    const robots = { txt: 'Disallow: /new\0, "and" \\ more: ü' };
    await changeProfile(store, { robots, title: 'New' });
    expect(new Set(notified)).toEqual(new Set(['a', 'b']));
    const after = await store.reads.site('acme', 'a');
    expect(after).toMatchObject({ config: before?.config, etag: before?.etag, version: 1, aggregate: { title: 'New' } });
    expect(await store.reads.robots('acme', 'b')).toBe(robots.txt.replace('\0', '\uFFFD'));
    expect(await store.reads.robots('acme', 'plain')).toBe('Allow: /');
    expect((await store.reads.sitesOfProfile('acme', 'base')).map(({ site }) => site)).toEqual(['a', 'b']);
  });

  it('detaches a site from its profile when it stops extending it', async () => {
    const store = await engine.open();
    await changeProfile(store, { title: 'Of the profile' });
    await extendProfile(store, 'site');
    await putSite(store, siteWrite('site', {}, 2));
    expect(await store.reads.sitesOfProfile('acme', 'base')).toEqual([]);
    const stored = await store.reads.site('acme', 'site');
    expect(stored?.aggregate).toBe(stored?.config);
  });

  it('refuses a profile that gives two sites the same content root, and changes nothing', async () => {
    const store = await engine.open();
    await changeProfile(store, {});
    for (const name of ['a', 'b']) await extendProfile(store, name);
    await expect(changeProfile(store, { public: publicPaths('/content/x') })).rejects.toMatchObject({ code: 'CONTENT_ROOT_TAKEN' });
    expect(await store.reads.profile('acme', 'base')).toMatchObject({ version: 1 });
    expect(await store.reads.publicConfig('acme', 'a')).toBeUndefined();
  });

  it('applies a profile change to hundreds of sites at once', async () => {
    const store = await engine.open();
    const base = profile({ title: 'Of the profile' });
    await store.write((writes) => writes.putProfile(base));
    const names = Array.from({ length: 500 }, (_, index) => `site-${index}`);
    const oneByOne = await millisecondsOf(() =>
      Promise.all(
        names.map((name) => {
          const site = siteWrite(name, { extends: { profile: 'base' } });
          return store.write((writes) => writes.putSite({ ...site, aggregate: over(base, site.config) }));
        }),
      ),
    );
    const atOnce = await millisecondsOf(() => changeProfile(store, { title: 'New' }));
    // Comparing each with each would take a hundred times as long.
    expect(atOnce / oneByOne).toBeLessThan(10);
    const sites = await store.reads.sitesOfProfile('acme', 'base');
    expect(sites).toHaveLength(500);
    expect(sites.every(({ aggregate }) => aggregate.title === 'New')).toBe(true);
  });

  it('changes only the effective configuration of a site, even if it was not read before', async () => {
    const store = await engine.open();
    await putSite(store, siteWrite());
    const { config } = siteWrite();
    await store.write((writes) => writes.putAggregate(aggregateWrite('site', { ...config, title: 'Held' })));
    expect(await store.reads.site('acme', 'site')).toMatchObject({ config, version: 1, aggregate: { title: 'Held' } });
  });
});
eachStore((engine) => {
  /** Two nodes on PostgreSQL; SQLite allows one. */
  const nodes = async () => {
    const database = await engine.newDatabase();
    const first = await database.open();
    return { first, second: engine.name === 'SQLite' ? first : await database.open() };
  };
  const makeDefault = (store: Store, run?: (seen: number) => void) => changeProfile(store, { title: 'Default' }, run, 'default');
  const titleOf = async (store: Store, site: string) => (await store.reads.site('acme', site))?.aggregate.title;

  it('applies a profile change to a site that starts to extend it concurrently', async () => {
    const { first, second } = await nodes();
    await changeProfile(first, { title: 'Old' });
    const changed = concurrently(() => changeProfile(second, { title: 'New' }));
    await extendProfile(first, 'site', changed.run);
    await changed.ended();
    expect(changed.seen).toEqual([1]);
    expect(await titleOf(first, 'site')).toBe('New');
  });

  it('stores a site over a profile that changes concurrently', async () => {
    const { first, second } = await nodes();
    await changeProfile(first, { title: 'Old' });
    const extended = concurrently(() => extendProfile(second, 'site'));
    await changeProfile(first, { title: 'New' }, extended.run);
    await extended.ended();
    expect(extended.seen).toEqual([0]);
    expect(await titleOf(first, 'site')).toBe('New');
  });

  it('retries a site whose profile is removed concurrently', async () => {
    const { first, second } = await nodes();
    await changeProfile(first, { title: 'Old' });
    const seen: number[] = [];
    const extended = concurrently(() => extendProfile(second, 'site', (version) => void seen.push(version)));
    await first.write(async (writes) => {
      extended.run((await writes.sitesOfProfile('acme', 'base')).length);
      await writes.deleteProfile('acme', 'base');
    });
    await extended.ended();
    expect(seen).toEqual([0]);
  });

  it.each([
    ['is changed', (store: Store) => extendProfile(store, 'site', undefined, { description: 'Changed' }), 'New'],
    ['stops extending it', (store: Store) => putSite(store, siteWrite('site', {}, 2)), undefined],
    ['is removed', (store: Store) => store.write((writes) => writes.deleteSite('acme', 'site', new Date())), undefined],
  ])('changes a profile while a site %s', async (_how, change, title) => {
    const { first, second } = await nodes();
    await changeProfile(first, { title: 'Old' });
    await extendProfile(first, 'site');
    const other = concurrently(() => change(second));
    await changeProfile(first, { title: 'New' }, other.run);
    await other.ended();
    const site = await first.reads.site('acme', 'site');
    expect(site?.aggregate.title).toBe(title);
    expect(site?.aggregate.description).toBe(site?.config.description);
  });

  it('applies a new default profile to a site that is stored concurrently, before or after it', async () => {
    const { first, second } = await nodes();
    const concurrent = concurrently(() => makeDefault(second));
    await putPlain(first, 'site', concurrent.run);
    await concurrent.ended();
    expect(await titleOf(first, 'site')).toBe('Default');
    const removed = concurrently(() => second.write((writes) => writes.deleteProfile('acme', 'default')));
    const stored = concurrently(() => putPlain(second, 'other'));
    removed.run(0);
    await removed.ended();
    await makeDefault(first, stored.run);
    await stored.ended();
    expect(await titleOf(first, 'other')).toBe('Default');
  });

  it('runs the write of a site only once if others extend the same profile concurrently', async () => {
    const { first } = await nodes();
    await changeProfile(first, { title: 'Shared' });
    const seen: number[] = [];
    const names = Array.from({ length: 40 }, (_, index) => `site-${index}`);
    await Promise.all(names.map((name) => extendProfile(first, name, (version) => void seen.push(version))));
    expect(seen).toHaveLength(40);
    expect(await first.reads.sitesOfProfile('acme', 'base')).toHaveLength(40);
  });

  it('stores sites that extend a profile even if another one cannot be stored', async () => {
    const { first } = await nodes();
    await changeProfile(first, { title: 'Shared' });
    await putSite(first, siteWrite('taken', { public: publicPaths('/content/x') }));
    const results = await Promise.allSettled([
      extendProfile(first, 'a'),
      extendProfile(first, 'b', undefined, { public: publicPaths('/content/x') }),
      extendProfile(first, 'c'),
      putSite(first, siteWrite('plain')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: { code: 'CONTENT_ROOT_TAKEN' } });
    expect((await first.reads.sitesOfProfile('acme', 'base')).map(({ site }) => site)).toEqual(['a', 'c']);
  });

  it('never assigns a version of a profile twice', async () => {
    const { first, second } = await nodes();
    await extendProfile(first, 'site');
    await Promise.all(Array.from({ length: 10 }, (_, index) => changeProfile(index % 2 === 0 ? first : second, { title: `${index}` })));
    const stored = await first.reads.profile('acme', 'base');
    expect(stored?.version).toBe(10);
    expect(await titleOf(first, 'site')).toBe(stored?.config.title);
  });
});
