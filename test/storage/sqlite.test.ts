import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openStore } from '@repoless/service/db/open-store.ts';
import { connectWriter } from '@repoless/service/db/sqlite/connect.ts';
import { siteWrite } from '../support/builders.ts';
import { sqliteEngine } from '../support/each-store.ts';
import { putSite } from './put-site.ts';

const FULL = 2;

describe('the embedded store', () => {
  const engine = sqliteEngine();
  afterEach(() => void vi.useRealTimers());

  it('allows answers to be cached until another program writes to its file, which it notices within a second', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { dataDir } = (await engine.newDatabase()).options;
    const [service, command] = [await openStore({ dataDir }), await openStore({ dataDir })];
    const after = (ms: number) => vi.setSystemTime(Date.now() + ms);
    after(1);
    const read = Date.now();
    expect(service.isCurrent(read)).toBe(true);
    await putSite(service, siteWrite('own'));
    after(60_000);
    expect(service.isCurrent(read)).toBe(true);
    await putSite(command, siteWrite('other'));
    after(1000);
    expect(service.isCurrent(read)).toBe(false);
    after(1);
    const again = Date.now();
    after(60_000);
    expect(service.isCurrent(again)).toBe(true);
    after(-61_000);
    expect(service.isCurrent(again)).toBe(false);
    await Promise.all([service.close(), command.close()]);
  });

  it('does not slow down the promises of the process after it is closed', async () => {
    const costOfPromises = async () => {
      const before = process.cpuUsage();
      for (let n = 0; n < 200_000; n += 1) await Promise.resolve();
      return process.cpuUsage(before).user;
    };
    await costOfPromises();
    // Microseconds. The system counts in steps: a short time may be none. With forty closed stores it was a hundred times this.
    const before = Math.max(await costOfPromises(), 10_000);
    for (let n = 0; n < 40; n += 1) {
      const store = await engine.open();
      await putSite(store, siteWrite());
      await store.close();
    }
    expect(await costOfPromises()).toBeLessThan(10 * before);
  });

  it('syncs every commit to disk, also after an existing database is reopened', async () => {
    const { dataDir } = (await engine.emptyDatabase()).options;
    const file = join(dataDir, 'repoless.sqlite');
    for (const _time of ['first', 'again']) {
      const db = connectWriter(file);
      expect(db.pragma('synchronous', { simple: true })).toBe(FULL);
      expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
      db.exec('create table if not exists something (a)');
      db.close();
    }
  });

  it('refuses a write when it is full, changes nothing, and continues when there is space', async () => {
    const { dataDir } = (await engine.newDatabase()).options;
    const small = await openStore({ dataDir, maxPages: 125 });
    const large = { title: 'x'.repeat(1000), description: 'y'.repeat(9000) };
    let stored = 0;
    const refused = await (async () => {
      for (;;) {
        const outcome = await putSite(small, siteWrite(`site-${stored}`, large)).catch((error: unknown) => error);
        if (outcome !== undefined) return outcome;
        stored += 1;
      }
    })();
    expect(refused).toMatchObject({ code: 'STORAGE_FULL' });
    expect(stored).toBeGreaterThan(0);
    expect(await small.reads.listSiteNames('acme', { limit: 1000 })).toHaveLength(stored);
    expect(await small.reads.latestVersion({ kind: 'site', org: 'acme', site: `site-${stored}` })).toBe(0);
    await small.close();

    const unlimited = await openStore({ dataDir });
    await putSite(unlimited, siteWrite(`site-${stored}`, large));
    expect(await unlimited.reads.listSiteNames('acme', { limit: 1000 })).toHaveLength(stored + 1);
    await unlimited.close();
  });

  it('stores the other writes of a batch if one does not fit', async () => {
    const { dataDir } = (await engine.newDatabase()).options;
    const store = await openStore({ dataDir, maxPages: 80 });
    const huge = { description: 'z'.repeat(400_000) };
    const [before, tooLarge, after] = await Promise.allSettled([
      putSite(store, siteWrite('a')),
      putSite(store, siteWrite('b', huge)),
      putSite(store, siteWrite('c')),
    ]);
    expect([before.status, after.status]).toEqual(['fulfilled', 'fulfilled']);
    expect(tooLarge).toMatchObject({ status: 'rejected', reason: { code: 'STORAGE_FULL' } });
    expect(await store.reads.listSiteNames('acme', { limit: 9 })).toEqual(['a', 'c']);
    await store.close();
  });

  it('keeps its write-ahead log small under many writes', async () => {
    const database = await engine.newDatabase();
    const store = await database.open();
    const body = { description: 'y'.repeat(5000) };
    for (let round = 1; round <= 100; round += 1) {
      await Promise.all(Array.from({ length: 50 }, (_, index) => putSite(store, siteWrite(`site-${index}`, body, round))));
    }
    expect(statSync(join(database.options.dataDir, 'repoless.sqlite-wal')).size).toBeLessThan(40 * 1024 * 1024);
  });
});
