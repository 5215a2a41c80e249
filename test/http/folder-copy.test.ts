import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { folderCopy } from '#backend/publishing/folder-copy.ts';
import { OPERATOR, publicPart, siteBody, startTestBackend } from '../support/backend.ts';
import { longestStandstill } from '../support/loop-delay.ts';
import { until, untilPublished } from '../support/published-copy.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'repoless-copy-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function put(...keys: string[]): Promise<void> {
  for (let at = 0; at < keys.length; at += 100)
    await Promise.all(
      keys.slice(at, at + 100).map(async (key) => {
        await mkdir(join(folder, key, '..'), { recursive: true });
        await writeFile(join(folder, key), '{}');
      }),
    );
}

async function files(): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .toSorted();
}

/** Page by page, by somebody who goes on, or by another one each time. */
async function listed(limit: number, goesOn = true): Promise<string[]> {
  const found: string[] = [];
  for (let place = folderCopy(folder); ; place = goesOn ? place : folderCopy(folder)) {
    const { keys, hasMore } = await place.keys(found.at(-1) ?? '', limit);
    found.push(...keys);
    if (!hasMore) return found;
  }
}

it('lists the copies in their order, each once, in pages of any length', async () => {
  expect(await listed(3)).toEqual([]);
  const orgs = ['a', 'a-b', 'a0', 'ab', 'b'];
  const keys = ['live', 'preview'].flatMap((tier) => orgs.flatMap((org) => orgs.map((site) => `${tier}/${org}/${site}/config.json`)));
  await put(
    ...keys,
    'index.json',
    'live/other.json',
    'live/a/other.json',
    'live/a/a/other.json',
    'live/empty/site/other.json',
    'z/a/a/config.json',
  );
  for (const limit of [1, 2, 7, 1000]) {
    expect(await listed(limit)).toEqual(keys.toSorted());
    expect(await listed(limit, false)).toEqual(keys.toSorted());
  }
  const place = folderCopy(folder);
  expect((await place.keys('live/ab/gone/config.json', 1)).keys).toEqual(['live/b/a-b/config.json']);
  expect((await place.keys('live/a-b/b/config.json', 1)).keys).toEqual(['live/a/a-b/config.json']);
});

it('removes the drafts of writers that were killed with the daily look, and leaves those that are being written', async () => {
  await put('live/wknd/one/config.json', 'live/wknd/gone/other.json');
  const [old, other, young] = [`live/wknd/one/.${randomUUID()}`, `live/wknd/gone/.${randomUUID()}`, `live/wknd/one/.${randomUUID()}`];
  const kept = ['live/wknd/one/.hidden', 'live/wknd/gone/other.json', young];
  await put(old, other, ...kept);
  const past = new Date(Date.now() - 61 * 60_000);
  for (const file of [old, other, ...kept.slice(0, 2)]) await utimes(join(folder, file), past, past);
  const backend = await startTestBackend({ settings: { PUBLISH_TO: folder }, dryRun: false });
  await until(async () => expect(await files()).toEqual(kept.toSorted()));
  const body = siteBody('wknd', 'one', { public: publicPart('one') });
  expect((await backend.call('PUT', '/config/wknd/sites/one.json', { as: OPERATOR, body })).status).toBe(201);
  await untilPublished(backend);
  await backend.stop();
  const copies = ['live/wknd/one/config.json', 'preview/wknd/one/config.json'];
  expect(await files()).toEqual([...kept, ...copies].toSorted());
  for (const file of copies) expect((await stat(join(folder, file))).mode & 0o777).toBe(0o644);
});

it('leaves no folder of a site that was removed, nor of its organization', async () => {
  const folders = async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory())
      .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
      .toSorted();
  };
  const backend = await startTestBackend({ settings: { PUBLISH_TO: folder }, dryRun: false });
  const at = (site: string) => `/config/wknd/sites/${site}.json`;
  const putSite = async (site: string) => {
    const body = siteBody('wknd', site, { public: publicPart(site) });
    expect((await backend.call('PUT', at(site), { as: OPERATOR, body })).status).toBe(201);
    await untilPublished(backend);
  };
  const removeSite = async (site: string) => {
    expect((await backend.call('DELETE', at(site), { as: OPERATOR })).status).toBe(204);
    await untilPublished(backend);
  };
  for (const site of ['one', 'two']) await putSite(site);
  await removeSite('one');
  const of = (...names: string[]) => ['live', 'preview'].flatMap((tier) => [tier, ...names.map((name) => `${tier}/${name}`)]);
  expect(await folders()).toEqual(of('wknd', 'wknd/two'));
  await removeSite('two');
  expect(await folders()).toEqual(of());
  await putSite('one');
  expect(await files()).toEqual(['live/wknd/one/config.json', 'preview/wknd/one/config.json']);
  await backend.stop();
});

it('removes the empty folders that earlier versions left with the daily look, and those alone', async () => {
  await put('live/wknd/one/other.json');
  for (const empty of ['live/wknd/gone', 'live/former/gone', 'live/nothing', 'elsewhere/nothing'])
    await mkdir(join(folder, empty), { recursive: true });
  expect(await listed(10)).toEqual([]);
  const left = await readdir(folder, { recursive: true });
  expect(left.toSorted()).toEqual(['elsewhere', 'elsewhere/nothing', 'live', 'live/wknd', 'live/wknd/one', 'live/wknd/one/other.json']);
});

it('writes and removes copies of one organization at once', async () => {
  const object = { bytes: Buffer.from('{}'), contentType: 'application/json', etag: '"x"', cacheControl: '', surrogateKeys: [] };
  const places = [folderCopy(folder), folderCopy(folder)];
  const sites = Array.from({ length: 40 }, (_, index) => `live/wknd/s${index % 4}/config.json`);
  const signal = new AbortController().signal;
  await Promise.all(
    [0, 1, 2, 3].map(async (own) => {
      for (const [turn, key] of sites.filter((_, index) => index % 4 === own).entries()) {
        const place = places[turn % 2];
        expect(await place?.write(key, object, undefined, signal)).toBe(true);
        expect(await place?.remove(key, (await place.read(key, signal))?.tag ?? '', signal)).toBe(true);
      }
    }),
  );
  expect(await readdir(folder, { recursive: true })).toEqual(['live']);
});

it('lists ten thousand copies at the cost of each, and gives others their turn', { timeout: 120_000 }, async () => {
  const keys = (count: number) => Array.from({ length: count }, (_, index) => `live/wknd/site-${index}/config.json`);
  async function cost(count: number): Promise<number> {
    const before = process.cpuUsage();
    expect(await listed(250)).toHaveLength(count);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / count;
  }
  await put(...keys(1500));
  await cost(1500);
  const few = await cost(1500);
  await put(...keys(12_000));
  let many = 0;
  expect(await longestStandstill(async () => void (many = await cost(12_000)))).toBeLessThan(100);
  expect(many).toBeLessThan(2.5 * few);
  expect(await listed(5000)).toEqual(keys(12_000).toSorted());
});
