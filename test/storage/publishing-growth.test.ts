import { join } from 'node:path';
import pg from 'pg';
import { expect, it } from 'vitest';
import { openStore } from '#backend/storage/open-store.ts';
import { publishStatements } from '#backend/storage/publish-statements.ts';
import { compilerFor } from '#backend/storage/statement.ts';
import { connectWriter } from '#backend/storage/sqlite/connect.ts';
import { execute } from '../support/postgres.ts';
import { postgresEngine, sqliteEngine } from '../support/each-store.ts';
import type { StorePlace } from '../support/each-store.ts';

const NOW = new Date('2026-01-01T00:00:00Z');
const UNTIL = new Date('2026-01-01T00:01:00Z');
const BATCH = 60;

const postgres = postgresEngine();
it('reads no more of PostgreSQL for a batch where many more sites wait', async () => {
  const few = await rowsOfBatches(await postgres.place(), 400);
  const many = await rowsOfBatches(await postgres.place(), 8000);
  expect(few).toBeGreaterThan(BATCH);
  expect(many).toBeLessThan(2 * few);
}, 60_000);

const sqlite = sqliteEngine();
it('finds the sites of a batch on SQLite by indexes alone', async () => {
  const { options } = await sqlite.place();
  const db = connectWriter(join(options.dataDir, 'repoless.sqlite'));
  try {
    const { claim, finish } = publishStatements(compilerFor('sqlite'), 'sqlite');
    const lease = { place: 'here', owner: 'one', until: UNTIL.toISOString(), now: NOW.toISOString(), leased: NOW.toISOString() };
    for (const [statement, args] of [
      [claim, { ...lease, limit: BATCH }],
      [finish, { owner: 'one' }],
    ] as const) {
      const plan = db.prepare<unknown[], { detail: string }>(`explain query plan ${statement.sql}`).all(...statement.bind(args));
      expect(plan.length).toBeGreaterThan(0);
      expect(plan.map(({ detail }) => detail).filter((line) => /^SCAN (?:publish_queue|first|next)/.test(line))).toEqual([]);
    }
  } finally {
    db.close();
  }
});

/** Rows of the queue that PostgreSQL read to claim and to end three batches while so many sites of three organizations wait. */
async function rowsOfBatches({ options }: StorePlace, waiting: number): Promise<number> {
  const sites = Array.from({ length: waiting }, (_, index) => ({ org: `org-${index % 3}`, site: `site-${index}` }));
  const first = await openStore(options);
  await first.publishing.publishTo('here');
  await first.publishing.queue(sites, NOW);
  await first.close();
  // As the database does by itself soon after many rows came.
  await execute(options.databaseUrl ?? '', 'analyze publish_queue');
  const before = await rowsRead(options.databaseUrl);
  const store = await openStore(options);
  for (const owner of ['one', 'two', 'three']) {
    expect(await store.publishing.isWaiting()).toBe(true);
    const lease = { place: 'here', owner, until: UNTIL, now: NOW, leased: NOW, limit: BATCH };
    expect(await store.publishing.claim(lease)).toHaveLength(BATCH);
    expect(await store.publishing.finish(owner)).toHaveLength(BATCH);
  }
  // A connection tells what it read when it ends.
  await store.close();
  return (await rowsRead(options.databaseUrl)) - before;
}

async function rowsRead(connectionString: string | undefined): Promise<number> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{
      read: string;
    }>(`select (select seq_tup_read from pg_stat_user_tables where relname = 'publish_queue')
      + (select sum(idx_tup_read) from pg_stat_user_indexes where relname = 'publish_queue') as read`);
    return Number(rows[0]?.read);
  } finally {
    await client.end();
  }
}
