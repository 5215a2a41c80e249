import { setTimeout as later } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Dialect } from './tables.ts';

/**
 * Does something to the tables while no other node does. In: one connection. It asks again and again instead of waiting in the database: a
 * statement that waits there would be waited for by `create index concurrently`, and both for ever.
 */
export async function whileAlone(db: Kysely<unknown>, dialect: Dialect, work: () => Promise<void>): Promise<void> {
  if (dialect === 'sqlite') return work();
  while (!(await taken(db))) await later(PAUSE);
  try {
    await work();
  } finally {
    await sql`select pg_advisory_unlock(${sql.lit(LOCK)})`.execute(db);
  }
}

async function taken(db: Kysely<unknown>): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`select pg_try_advisory_lock(${sql.lit(LOCK)}) as taken`.execute(db);
  return rows[0]?.taken === true;
}

/** That of Kysely's own migrator, which earlier versions used: they wait for it, too. */
const LOCK = 3_853_314_791_062_309_107n;
const PAUSE = 100;
