import { expect, it } from 'vitest';
import { openStore } from '#backend/storage/open-store.ts';
import { publishStatements } from '#backend/storage/publish-statements.ts';
import { postgresEngine, sqliteEngine } from '../support/each-store.ts';
import type { StorePlace } from '../support/each-store.ts';
import { execute } from '../support/postgres.ts';
import { rowsRead } from '../support/rows-read.ts';
import { scansOf } from '../support/scans-of.ts';

const NOW = new Date('2026-01-01T00:00:00Z');
const UNTIL = new Date('2026-01-01T00:01:00Z');
const BATCH = 60;

const postgres = postgresEngine();
it('reads no more of PostgreSQL for a batch where many more sites wait', { timeout: 60_000 }, async () => {
  const few = await rowsOfBatches(await postgres.place(), 400);
  const many = await rowsOfBatches(await postgres.place(), 8000);
  expect(few).toBeGreaterThan(BATCH);
  expect(many).toBeLessThan(2 * few);
});

const sqlite = sqliteEngine();
it('finds the sites of a batch on SQLite by indexes alone', async () => {
  const { options } = await sqlite.place();
  const lease = { place: 'here', owner: 'one', until: UNTIL.toISOString(), now: NOW.toISOString(), leased: NOW.toISOString() };
  const args = { ...lease, limit: BATCH, behind: 'org-1' };
  expect(scansOf(options.dataDir, (compile) => publishStatements(compile, 'sqlite').claim, args)).toEqual([]);
  expect(scansOf(options.dataDir, (compile) => publishStatements(compile, 'sqlite').finish, args)).toEqual([]);
});

/** Rows of the queue that PostgreSQL read to claim and to end three batches while so many sites of three organizations wait. */
async function rowsOfBatches({ options }: StorePlace, waiting: number): Promise<number> {
  const sites = Array.from({ length: waiting }, (_, index) => ({ org: `org-${index % 3}`, site: `site-${index}` }));
  const { databaseUrl = '' } = options;
  const first = await openStore(options);
  await first.publishing.publishTo('here');
  await first.publishing.queue(sites, NOW);
  await first.close();
  // As the database does by itself soon after many rows came.
  await execute(databaseUrl, 'analyze publish_queue');
  const before = await rowsRead(databaseUrl, 'publish_queue');
  const store = await openStore(options);
  for (const owner of ['one', 'two', 'three']) {
    expect(await store.publishing.isWaiting()).toBe(true);
    const lease = { place: 'here', owner, until: UNTIL, now: NOW, leased: NOW, limit: BATCH, behind: 'org-1' };
    expect(await store.publishing.claim(lease)).toHaveLength(BATCH);
    expect(await store.publishing.finish(owner)).toHaveLength(BATCH);
  }
  // A connection tells what it read when it ends.
  await store.close();
  return (await rowsRead(databaseUrl, 'publish_queue')) - before;
}
