import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { folderCopy } from '#backend/publishing/folder-copy.ts';
import { longestStandstill } from '../support/loop-delay.ts';

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
