import { expect, it } from 'vitest';
import type { Store, Writes } from '@repoless/service/domain/ports.ts';
import { org, publicPaths, siteWrite } from '../support/builders.ts';
import { eachStore } from '../support/each-store.ts';
import { putSite } from './put-site.ts';

const TIME = new Date('2026-01-01T00:00:00.000Z');
const SECRET = { org: 'acme', site: 'site', name: 'one', type: 'hashed', sealed: 'hash', created: TIME, lastModified: TIME } as const;

eachStore((engine) => {
  it('returns a site, its organization and its version as they were stored', async () => {
    const store = await engine.open();
    await store.write((writes) => writes.putOrg(org()));
    await putSite(store, siteWrite());

    const { config, etag } = siteWrite();
    expect(await store.reads.org('acme')).toEqual(org());
    expect(await store.reads.site('acme', 'site')).toEqual({ org: 'acme', site: 'site', config, aggregate: config, etag, version: 1 });
    expect(await store.reads.orgAndSite('acme', 'site')).toMatchObject({ org: { version: 1 }, site: { version: 1 } });
    expect(await store.reads.version({ kind: 'site', org: 'acme', site: 'site' }, 1)).toMatchObject({
      version: 1,
      user: 'ada@example.com',
      data: config,
    });
  });

  it('returns nothing from an empty storage', async () => {
    const { reads } = await engine.open();
    expect(await reads.org('acme')).toBeUndefined();
    expect(await reads.orgAndSite('acme', 'site')).toEqual({ org: undefined, site: undefined });
    expect(await reads.version({ kind: 'site', org: 'acme', site: 'site' }, 1)).toBeUndefined();
    expect(await reads.latestVersion({ kind: 'site', org: 'acme', site: 'site' })).toBe(0);
    expect(await reads.publicConfig('acme', 'site')).toBeUndefined();
  });

  it('retains the versions of a removed site, newest first', async () => {
    const store = await engine.open();
    await putSite(store, siteWrite());
    await store.write(async (writes) => {
      await writes.deleteSite('acme', 'site', new Date());
      await writes.addVersion({ subject: { kind: 'site', org: 'acme', site: 'site' }, version: 2, created: new Date(), data: null });
    });
    expect(await store.reads.site('acme', 'site')).toBeUndefined();
    expect((await store.reads.versions({ kind: 'site', org: 'acme', site: 'site' })).map(({ version }) => version)).toEqual([2, 1]);
    expect(await store.reads.version({ kind: 'site', org: 'acme', site: 'site' }, 2)).toMatchObject({ data: null });
    expect(await store.reads.latestVersion({ kind: 'site', org: 'acme', site: 'site' })).toBe(2);
  });

  it('lists sites by name, page by page', async () => {
    const store = await engine.open();
    for (const name of ['b', 'a-b', 'a1', 'a', 'ab']) await putSite(store, siteWrite(name));
    const { reads } = store;
    expect(await reads.listSiteNames('acme', { limit: 9 })).toEqual(['a', 'a-b', 'a1', 'ab', 'b']);
    expect(await reads.listSiteNames('acme', { after: 'a-b', limit: 2 })).toEqual(['a1', 'ab']);
    expect((await reads.listSites('acme', { after: 'a1', limit: 2, bytes: 1_000_000 })).map(({ site }) => site)).toEqual(['ab', 'b']);
    expect(await reads.listSites('other', { limit: 2, bytes: 1_000_000 })).toEqual([]);
  });

  it('returns the public part of a site as serialized text, immediately after each write', async () => {
    const store = await engine.open();
    const published = publicPaths('/content/site');
    await putSite(store, siteWrite('site', { public: published, robots: { txt: 'User-agent: *' } }));
    const first = await store.reads.publicConfig('acme', 'site');
    expect(first?.json).toBe(JSON.stringify({ public: published }, null, 2));
    expect(await store.reads.robots('acme', 'site')).toBe('User-agent: *');

    await putSite(store, siteWrite('site', { public: { ...published, theme: 'dark' } }, 2));
    const second = await store.reads.publicConfig('acme', 'site');
    expect(second?.json).toContain('"theme": "dark"');
    expect(second?.etag).not.toBe(first?.etag);
    await putSite(store, siteWrite('site', {}, 3));
    expect(await store.reads.publicConfig('acme', 'site')).toBeUndefined();
  });

  it('finds the site of a content root and the holder of a secret, and refuses a second of either', async () => {
    const store = await engine.open();
    const code = {
      owner: 'p1',
      repo: 'r1',
      source: { type: 'byogit' as const, url: 'https://sync.example', raw_url: 'https://raw.example', secretId: 'cm-byog' as const },
    };
    await putSite(store, siteWrite('one', { public: publicPaths('/content/x'), code }));
    expect(await store.reads.siteWithContentRoot('author-p1-e2.example.com/content/x')).toEqual({ org: 'acme', site: 'one' });
    expect(await store.reads.secretHolder('acme', 'byogit:p1/r1')).toEqual({ org: 'acme', site: 'one' });
    expect(await store.reads.secretHolder('other', 'byogit:p1/r1')).toBeUndefined();

    await expect(putSite(store, siteWrite('two', { public: publicPaths('/content/x') }))).rejects.toMatchObject({
      code: 'CONTENT_ROOT_TAKEN',
    });
    await expect(putSite(store, siteWrite('two', { code }))).rejects.toMatchObject({ code: 'SECRET_NOT_ALLOWED' });
    expect(await store.reads.site('acme', 'two')).toBeUndefined();
  });

  it('finds a site by its current keys, and not by previous ones', async () => {
    const store = await engine.open();
    const codeOf = (repo: string) => ({ owner: 'p1', repo, source: { type: 'github' as const, url: `https://github.com/p1/${repo}` } });
    const keys = (root: string, repo: string) => ({ public: publicPaths(root), code: codeOf(repo) });
    const found = async () => [
      await store.reads.siteWithContentRoot('author-p1-e2.example.com/content/x'),
      await store.reads.siteWithContentRoot('author-p1-e2.example.com/content/y'),
      await store.reads.repositories('acme'),
    ];
    const site = { org: 'acme', site: 'site' };
    await putSite(store, siteWrite('site', keys('/content/x', 'one')));
    await putSite(store, siteWrite('site', { ...keys('/content/x', 'one'), title: 'the same keys' }, 2));
    expect(await found()).toEqual([site, undefined, ['github:p1/one']]);
    expect(await store.reads.site('acme', 'site')).toMatchObject({ version: 2, config: { title: 'the same keys' } });
    await putSite(store, siteWrite('site', keys('/content/y', 'two'), 3));
    expect(await found()).toEqual([undefined, site, ['github:p1/two']]);
  });

  it('changes nothing when the work of a write fails, and rejects with its error', async () => {
    const store = await engine.open();
    const failure = new Error('changed my mind');
    const work = store.write(async (writes) => {
      await writes.putSite(siteWrite());
      throw failure;
    });
    await expect(work).rejects.toBe(failure);
    expect(await store.reads.site('acme', 'site')).toBeUndefined();
  });

  it('retries a write that conflicts with another, so that no version number is assigned twice', async () => {
    const store = await engine.open();
    await Promise.all(Array.from({ length: 20 }, () => bump(store)));
    expect((await store.reads.site('acme', 'site'))?.version).toBe(20);
    const versions = await store.reads.versions({ kind: 'site', org: 'acme', site: 'site' });
    expect(versions.map(({ version }) => version)).toEqual(Array.from({ length: 20 }, (_, index) => 20 - index));
  });

  it('stores the other writes of a batch if one cannot be stored', async () => {
    const store = await engine.open();
    await putSite(store, siteWrite('taken', { public: publicPaths('/content/x') }));
    const results = await Promise.allSettled([
      putSite(store, siteWrite('a')),
      putSite(store, siteWrite('b', { public: publicPaths('/content/x') })),
      putSite(store, siteWrite('c')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await store.reads.listSiteNames('acme', { limit: 9 })).toEqual(['a', 'c', 'taken']);
  });

  it('stores nothing of a write if one part cannot be stored, and the other writes of its batch', async () => {
    const store = await engine.open();
    await putSite(store, siteWrite('taken', { public: publicPaths('/content/x') }));
    const half = store.write(async (writes) => {
      await writes.putSite(siteWrite('half'));
      await writes.putSite(siteWrite('other-half', { public: publicPaths('/content/x') }));
    });
    const results = await Promise.allSettled([putSite(store, siteWrite('a')), half, putSite(store, siteWrite('c'))]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await store.reads.listSiteNames('acme', { limit: 9 })).toEqual(['a', 'c', 'taken']);
  });

  it('notifies of each change before the write is acknowledged, and not after unsubscribing', async () => {
    const store = await engine.open();
    const notified: string[] = [];
    const stop = store.onSiteChange((orgName, site) => notified.push(`${orgName}/${site}`));
    await putSite(store, siteWrite());
    expect(notified).toContain('acme/site');
    await expect.poll(() => notified).toHaveLength(engine.notifications);
    await store.write((writes) => writes.deleteSite('acme', 'site', new Date()));
    expect(notified.length).toBeGreaterThan(engine.notifications);
    await expect.poll(() => notified).toHaveLength(2 * engine.notifications);
    expect(new Set(notified)).toEqual(new Set(['acme/site']));
    stop();
    await putSite(store, siteWrite('other'));
    expect(notified).toHaveLength(2 * engine.notifications);
  });

  it('notifies of a changed secret as of a change of its site', async () => {
    const store = await engine.open();
    const notified: string[] = [];
    store.onSiteChange((orgName, site) => notified.push(`${orgName}/${site}`));
    await putSite(store, siteWrite());
    await expect.poll(() => notified).toHaveLength(engine.notifications);
    await store.write((writes) => writes.putSecret(SECRET));
    expect(notified.length).toBeGreaterThan(engine.notifications);
    await expect.poll(() => notified).toHaveLength(2 * engine.notifications);
    await store.write((writes) => writes.deleteSecret(SECRET));
    expect(notified.length).toBeGreaterThan(2 * engine.notifications);
    await expect.poll(() => notified).toHaveLength(3 * engine.notifications);
    expect(new Set(notified)).toEqual(new Set(['acme/site']));
  });

  it('has a stored site after it was closed and reopened', async () => {
    const database = await engine.newDatabase();
    const store = await database.open();
    await putSite(store, siteWrite());
    await store.close();
    const again = await database.open();
    expect((await again.reads.site('acme', 'site'))?.etag).toBe(siteWrite().etag);
    await again.ping();
  });

  it('refuses writes once it is closed', async () => {
    const store = await (await engine.newDatabase()).open();
    await store.close();
    await expect(putSite(store, siteWrite())).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  });

  it('refuses a write within a write, which would wait for itself', async () => {
    const store = await engine.open();
    await expect(store.write(() => putSite(store, siteWrite()))).rejects.toThrow('A write starts another one.');
    await putSite(store, siteWrite());
  });

  it('removes a site with a secret that another write stores concurrently', async () => {
    const store = await engine.open();
    await putSite(store, siteWrite());
    const secretOf = async (writes: Writes) => {
      if ((await writes.site('acme', 'site')) !== undefined) await writes.putSecret(SECRET);
    };
    await Promise.all([
      store.write(secretOf),
      store.write((writes) => writes.deleteSite('acme', 'site', new Date())),
      store.write(secretOf),
    ]);
    expect(await store.reads.secrets('acme', 'site')).toEqual([]);
  });

  it('stores a resealed secret unless it was set or removed meanwhile', async () => {
    const store = await engine.open();
    await putSite(store, siteWrite());
    await store.write((writes) => writes.putSecret(SECRET));
    const reseal = (before: string, sealed: string) =>
      store.write((writes) => writes.reseal({ of: 'secret', secret: { ...SECRET, sealed }, before }));
    await reseal('another', 'late');
    expect(await store.reads.secret('acme', 'site', 'one')).toEqual(SECRET);
    await reseal(SECRET.sealed, 'again');
    expect(await store.reads.secret('acme', 'site', 'one')).toEqual({ ...SECRET, sealed: 'again' });
    await store.write((writes) => writes.deleteSecret(SECRET));
    await reseal('again', 'late');
    expect(await store.reads.secrets('acme', 'site')).toEqual([]);
  });

  it('retains short-lived values until they expire, and gives each to one caller', async () => {
    const { shortLived } = await engine.open();
    const later = new Date(Date.now() + 60_000);
    await shortLived.put('plan', 'state', { nonce: 'n' }, later);
    await shortLived.put('plan', 'past', 1, new Date(Date.now() - 1));
    expect(await shortLived.get('plan', 'state')).toEqual({ nonce: 'n' });
    expect(await shortLived.get('device', 'state')).toBeUndefined();
    expect(await shortLived.get('plan', 'past')).toBeUndefined();
    const taken = await Promise.all([shortLived.take('plan', 'state'), shortLived.take('plan', 'state')]);
    expect(taken.filter((value) => value !== undefined)).toEqual([{ nonce: 'n' }]);
  });
});

// Writes a value based on one read, as every operation does.
function bump(store: Store): Promise<void> {
  return store.write(async (writes) => {
    const { site } = await writes.orgAndSite('acme', 'site');
    const stored = site ?? (await writes.site('acme', 'site'));
    const version = (stored?.version ?? 0) + 1;
    await writes.putSite(siteWrite('site', { title: `${version}` }, version));
    await writes.addVersion({ subject: { kind: 'site', org: 'acme', site: 'site' }, version, created: new Date(), data: null });
  });
}
