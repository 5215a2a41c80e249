import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Store, Writes } from '@repoless/service/domain/ports.ts';
import { openStore } from '@repoless/service/db/open-store.ts';
import { siteWrite } from '../support/builders.ts';
import { sqliteEngine } from '../support/each-store.ts';

const WRITERS = 16;
const SUBJECT = { kind: 'site', org: 'acme', site: 'site' } as const;
/** More than the pages that these stores may have. */
const HUGE = { description: 'z'.repeat(400_000) };

describe('the next writer of a site, decided on what the one before it will leave', () => {
  const engine = sqliteEngine();
  const open = async (options: object = {}): Promise<Store> => openStore({ ...(await engine.place()).options, ...options });

  it('shares a commit with it', async () => {
    const { options } = await engine.place();
    const store = await openStore(options);
    // The first write begins the log.
    await store.write((writes) => next(writes), SUBJECT);
    const before = await commitsOf(options.dataDir);
    await Promise.all(Array.from({ length: WRITERS }, () => store.write((writes) => next(writes), SUBJECT)));
    expect(await version(store)).toBe(WRITERS + 1);
    const commits = (await commitsOf(options.dataDir)) - before;
    expect(commits).toBeGreaterThan(0);
    expect(commits).toBeLessThanOrEqual(WRITERS / 4);
    await store.close();
  });

  it('is decided again where that did not come to be', async () => {
    const store = await open({ maxPages: 80 });
    const seen: number[] = [];
    const [tooLarge, after] = await Promise.allSettled([
      store.write((writes) => next(writes, HUGE), SUBJECT),
      store.write((writes) => next(writes, {}, seen), SUBJECT),
    ]);
    expect(tooLarge).toMatchObject({ status: 'rejected', reason: { code: 'STORAGE_FULL' } });
    expect(after.status).toBe('fulfilled');
    expect(seen).toEqual([1, 0]);
    expect(await version(store)).toBe(1);
    await store.close();
  });

  it.each([
    ['refused', (found: number) => Promise.reject(new Error(`Found ${found}.`)), { status: 'rejected', reason: new Error('Found 0.') }],
    ['content with it', (found: number) => Promise.resolve(found), { status: 'fulfilled', value: 0 }],
  ] as const)('is %s only on what was stored', async (_, answer, expected) => {
    const store = await open({ maxPages: 80 });
    const [tooLarge, after] = await Promise.allSettled([
      store.write((writes) => next(writes, HUGE), SUBJECT),
      store.write(async (writes) => answer((await writes.site('acme', 'site'))?.version ?? 0), SUBJECT),
    ]);
    expect(tooLarge.status).toBe('rejected');
    expect(after).toEqual(expected);
    await store.close();
  });

  it('hears of nothing before it is stored', async () => {
    const store = await open();
    const ends: string[] = [];
    await Promise.all([
      store.write((writes) => next(writes), SUBJECT).then(() => ends.push('stored')),
      store.write((writes) => writes.site('acme', 'site'), SUBJECT).then((found) => ends.push(`found ${found?.version}`)),
    ]);
    expect(ends).toEqual(['stored', 'found 1']);
    await store.close();
  });

  it('stores nothing beside a site that did not come to be', async () => {
    const store = await open({ maxPages: 80 });
    const time = new Date();
    const [tooLarge, after] = await Promise.allSettled([
      store.write((writes) => next(writes, HUGE), SUBJECT),
      store.write(async (writes) => {
        if ((await writes.site('acme', 'site')) === undefined) throw new Error('There is no site.');
        await writes.putSecret({ org: 'acme', site: 'site', name: 'one', type: 'hashed', sealed: 'h', created: time, lastModified: time });
      }, SUBJECT),
    ]);
    expect(tooLarge.status).toBe('rejected');
    expect(after).toEqual({ status: 'rejected', reason: new Error('There is no site.') });
    expect(await store.reads.secrets('acme', 'site')).toEqual([]);
    await store.close();
  });

  it('waits for the commit of what it reads where it is stored: a secret', async () => {
    const store = await open();
    const time = new Date();
    const secret = { org: 'acme', site: 'site', name: 'one', type: 'hashed', sealed: 'h', created: time, lastModified: time } as const;
    const [, found] = await Promise.all([
      store.write(async (writes) => {
        await next(writes);
        await writes.putSecret(secret);
      }, SUBJECT),
      store.write((writes) => writes.secrets('acme', 'site'), SUBJECT),
    ]);
    expect(found.map(({ name }) => name)).toEqual(['one']);
    await store.close();
  });
});

async function next(writes: Writes, more: object = {}, seen: number[] = []): Promise<void> {
  const present = (await writes.site('acme', 'site'))?.version ?? 0;
  seen.push(present);
  await writes.putSite(siteWrite('site', more, present + 1));
}

async function version({ reads }: Store): Promise<number> {
  return (await reads.site('acme', 'site'))?.version ?? 0;
}

/** Commits in the write-ahead log: frames that name a size of the database (https://sqlite.org/fileformat2.html#wal_file_format). */
async function commitsOf(dataDir: string): Promise<number> {
  const log = await readFile(join(dataDir, 'repoless.sqlite-wal'));
  const frame = 24 + log.readUInt32BE(8);
  let commits = 0;
  for (let at = 32; at + frame <= log.length; at += frame) if (log.readUInt32BE(at + 4) !== 0) commits += 1;
  return commits;
}
