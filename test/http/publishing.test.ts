import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { OPERATOR, publicPart, siteBody, startTestBackend } from '../support/backend.ts';
import type { TestBackend } from '../support/backend.ts';
import { eachStore } from '../support/each-store.ts';
import type { StorePlace } from '../support/each-store.ts';
import { answersOf, copyIn, until, untilPublished } from '../support/published-copy.ts';

eachStore((engine) => {
  let folder: string;
  let place: StorePlace;
  let backend: TestBackend;
  const start = (settings: Readonly<Record<string, string>> = { PUBLISH_TO: folder }, claim = true) =>
    startTestBackend({ settings, claim, dryRun: false, open: () => place.open() });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repoless-copy-'));
    place = await engine.place();
    backend = await start();
  });
  afterEach(async () => {
    await backend.stop();
    await rm(folder, { recursive: true });
  });

  async function call(method: string, path: string, body?: unknown, at = backend): Promise<void> {
    const answer = await at.call(method, `/config/wknd${path}`, { as: OPERATOR, ...(body !== undefined && { body }) });
    expect(answer.status, answer.text).toBeLessThan(300);
  }
  const put = (site: string, more: object = {}, at = backend) =>
    call('PUT', `/sites/${site}.json`, siteBody('wknd', site, { public: publicPart(site), ...more }), at);
  async function published(): Promise<Record<string, string>> {
    await untilPublished(backend);
    return await copyIn(folder);
  }
  const keys = (...sites: string[]) => ['live', 'preview'].flatMap((tier) => sites.map((site) => `${tier}/wknd/${site}/config.json`));

  it('has what both hosts answer, byte for byte, after each kind of write that changes it', async () => {
    await call('PUT', '/profiles/base.json', { public: { brand: 'Größe 1' } });
    await call('PUT', '/profiles/other.json', { public: { brand: 'other' } });
    const writes: readonly (() => Promise<void>)[] = [
      () => put('one'),
      () => put('one', { public: { ...publicPart('one'), greeting: 'Grüße' } }),
      () => call('POST', '/sites/one/public.json', { ...publicPart('one'), further: 1 }),
      () => put('two', { extends: { profile: 'base' } }),
      () => call('PUT', '/profiles/base.json', { public: { brand: 'Größe 2' } }),
      () => put('two', { extends: { profile: 'other' } }),
      () => call('PUT', '/profiles/default.json', { public: { brand: 'of the default profile' } }),
      () => call('DELETE', '/profiles/default.json'),
      () => call('POST', '/sites/one.json?restoreVersion=1'),
      () => call('DELETE', '/sites/one/public.json'),
      () => call('DELETE', '/sites/two.json'),
    ];
    const seen: string[] = [];
    for (const write of writes) {
      await write();
      const copy = await published();
      expect(copy).toEqual(await answersOf(backend, ['one', 'two']));
      seen.push(JSON.stringify(copy));
    }
    // Each of them changed what is answered.
    expect(seen.every((copy, index) => copy !== seen[index - 1])).toBe(true);
    expect(await published()).toEqual({});
  });

  it('has nothing of a host that is guarded, and loses what it had as soon as one is', async () => {
    await put('shut', { access: { site: { requireAuth: true } } });
    await put('half', { access: { preview: { allow: ['ada@example.com'] } } });
    await put('open');
    await call('PUT', '/profiles/guards.json', { access: { live: { requireAuth: true } } });
    await put('extends', { extends: { profile: 'guards' } });
    expect(Object.keys(await published())).toEqual([
      'live/wknd/half/config.json',
      'live/wknd/open/config.json',
      ...keys('extends', 'open').slice(2),
    ]);
    await call('POST', '/sites/open/access.json', { site: { allow: ['ada@example.com'] } });
    await call('POST', '/sites/half/access.json', { preview: { allow: ['ada@example.com'] }, live: { requireAuth: true } });
    await call('PUT', '/profiles/guards.json', { access: { site: { requireAuth: true } } });
    expect(await published()).toEqual({});
    await call('POST', '/sites/open/access.json', { site: { requireAuth: false, allow: ['ada@example.com'] } });
    expect(Object.keys(await published())).toEqual(keys('open'));
  });

  it('has all sites after the first start that names a place, and nothing of those that went', async () => {
    await backend.stop();
    place = await engine.place();
    backend = await start({});
    const sites = Array.from({ length: 30 }, (_, index) => `site-${index}`);
    for (const site of sites) await put(site);
    // Nothing is kept for a place that nobody named.
    expect(await backend.store.publishing.waiting()).toEqual({ count: 0, oldest: undefined });
    const other = `${folder}-of-before`;
    await backend.stop();
    backend = await start({ PUBLISH_TO: other }, false);
    await until(async () => expect(await copyIn(other)).toEqual(await answersOf(backend, sites)));
    await backend.stop();
    backend = await start({ PUBLISH_TO: folder }, false);
    await until(async () => expect(Object.keys(await copyIn(folder))).toHaveLength(60));
    await call('DELETE', '/sites/site-7.json');
    await put('site-8', { public: { ...publicPart('site-8'), greeting: 'new' } });
    expect(await published()).toEqual(await answersOf(backend, sites));
    // It is named again after another one: what went meanwhile is found by its objects.
    await backend.stop();
    backend = await start({ PUBLISH_TO: other }, false);
    await until(async () => expect(await copyIn(other)).toEqual(await answersOf(backend, sites)));
    expect(Object.keys(await copyIn(other))).toHaveLength(58);
    await rm(other, { recursive: true });
  });

  it('follows a profile that hundreds of sites extend', { timeout: 120_000 }, async () => {
    await call('PUT', '/profiles/base.json', { public: { brand: 'one' } });
    const sites = Array.from({ length: 300 }, (_, index) => `site-${index}`);
    await Promise.all(sites.map((site) => put(site, { extends: { profile: 'base' } })));
    await untilPublished(backend);
    await call('PUT', '/profiles/base.json', { public: { brand: 'two' } });
    const copy = await published();
    expect(Object.keys(copy)).toHaveLength(600);
    expect(Object.values(copy).filter((text) => !text.includes('"two"'))).toEqual([]);
  });

  it('waits while the place is away, and misses nothing when it is back', async () => {
    await put('before');
    await untilPublished(backend);
    await rm(folder, { recursive: true });
    // A file where the folder was: nothing can be written below it.
    await writeFile(folder, '');
    await put('meanwhile');
    await call('DELETE', '/sites/before.json');
    await put('again', { public: { ...publicPart('again'), value: 1 } });
    await put('again', { public: { ...publicPart('again'), value: 2 } });
    expect((await backend.call('GET', '/health')).status).toBe(200);
    expect((await backend.store.publishing.waiting()).count).toBe(3);
    await rm(folder);
    const copy = await published();
    expect(Object.keys(copy)).toEqual(keys('again', 'meanwhile'));
    expect(copy).toEqual(await answersOf(backend, ['before', 'again', 'meanwhile']));
  });
});
