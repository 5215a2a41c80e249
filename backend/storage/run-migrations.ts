import { setTimeout as later } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { neededBy, newestOf } from './marked-migration.ts';
import type { MarkedMigrations } from './marked-migration.ts';
import { recordOf } from './migration-record.ts';
import type { CarriedOut } from './migration-record.ts';
import { requireNotMoved } from './moved.ts';
import { withShortLocks } from './short-locks.ts';
import type { Dialect } from './tables.ts';

export interface MigrationRun {
  readonly dialect: Dialect;
  /** Where it is kept which were carried out. */
  readonly table: string;
  readonly migrations: MarkedMigrations;
  /** The nodes that run and do not know a migration, each as it is named to a person. Left out where a program is one node alone. */
  without?(db: Kysely<unknown>, migration: string): Promise<readonly string[]>;
}

/**
 * Carries out what was not yet, one migration after the other. Several nodes may do so at once. Rejects with a sentence where a newer version
 * left tables that this one cannot use, or where older nodes run that could not use those that this one makes.
 */
export async function runMigrations(all: Kysely<unknown>, run: MigrationRun): Promise<void> {
  const { dialect, migrations } = run;
  const work = async (db: Kysely<unknown>) => {
    const record = await recordOf(db, run);
    const carriedOut = await record.carriedOut();
    requireUsable(carriedOut, migrations);
    const done = new Set(carriedOut.map(({ name }) => name));
    for (const name of Object.keys(migrations).toSorted()) {
      const migration = migrations[name];
      if (migration === undefined || done.has(name)) continue;
      const needs = neededBy(name, migration);
      if (needs !== '') await requireNobodyWithout(db, run, name, needs);
      await withShortLocks(db, { dialect, what: `What "${name}" changes`, inPieces: migration.inPieces ?? false }, async (within) => {
        await migration.up(within);
        await record.keep(within, name, needs);
      });
    }
    await record.complete();
  };
  await all.connection().execute((db) => whileAlone(db, dialect, () => work(db)));
}

/** Throws a sentence where the tables have what a newer version made, and this one cannot go on with it, or were moved. */
export function requireUsable(carriedOut: readonly CarriedOut[], known: MarkedMigrations): void {
  requireNotMoved(carriedOut);
  const newest = newestOf(known);
  const beyond = carriedOut.find(({ name, needs }) => known[name] === undefined && (needs === undefined || needs > newest));
  if (beyond === undefined) return;
  throw new Error(
    `A newer version has migrated the tables ("${beyond.name}"), and this version cannot use them. Start the newer version, or restore the backup from before it.`,
  );
}

/** Whether there is nothing to carry out any more. */
export function isComplete(carriedOut: readonly CarriedOut[], known: MarkedMigrations): boolean {
  const names = new Set(carriedOut.map(({ name }) => name));
  return Object.keys(known).every((name) => names.has(name));
}

/** A node that was killed, or is just ending, is waited for. */
async function requireNobodyWithout(db: Kysely<unknown>, { without }: MigrationRun, name: string, needs: string): Promise<void> {
  if (without === undefined) return;
  let nodes = await without(db, needs);
  for (let waited = 0; nodes.length > 0 && waited < GOODBYE; waited += PAUSE) {
    await later(PAUSE);
    nodes = await without(db, needs);
  }
  if (nodes.length === 0) return;
  throw new Error(
    `This version removes from the tables what older versions need ("${name}"), and older nodes are running: ${nodes.join('; ')}. Stop them, then start this one.`,
  );
}

/**
 * Does something to the tables while no other node does. In: one connection. It asks again and again instead of waiting in the database: a
 * statement that waits there would be waited for by `create index concurrently`, and both for ever.
 */
async function whileAlone(db: Kysely<unknown>, dialect: Dialect, work: () => Promise<void>): Promise<void> {
  if (dialect === 'sqlite') return work();
  while (!(await taken(db))) await later(ATTEMPT_EACH);
  try {
    await work();
  } finally {
    await sql`select pg_advisory_unlock(${sql.lit(MIGRATION_LOCK)})`.execute(db);
  }
}

async function taken(db: Kysely<unknown>): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`select pg_try_advisory_lock(${sql.lit(MIGRATION_LOCK)}) as taken`.execute(db);
  return rows[0]?.taken === true;
}

/** Milliseconds; longer than a node that was killed counts as one that runs. */
const GOODBYE = 8000;
const PAUSE = 500;

/** What whoever changes the tables of PostgreSQL holds. It is that of Kysely's own migrator, which earlier versions used: they wait for it, too. */
export const MIGRATION_LOCK = 3_853_314_791_062_309_107n;
/** Milliseconds. */
const ATTEMPT_EACH = 100;
