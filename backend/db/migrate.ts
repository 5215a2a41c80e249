import { Kysely, sql } from 'kysely';
import type { Dialect as Connection } from 'kysely';
import { migrations } from './schema.ts';
import type { Migrations } from './schema.ts';
import type { Dialect } from './queries.ts';

/** Where the service keeps the names of those that were applied. */
export const MIGRATED = 'migrations';

/** Brings the tables of the service up to date over a connection of its own, which it closes. */
export async function migrate(dialect: Dialect, connection: Connection): Promise<void> {
  const db = new Kysely<unknown>({ dialect: connection });
  await applyMigrations(db, { dialect, table: MIGRATED, migrations: migrations(dialect) }).finally(() => db.destroy());
}

/**
 * Applies what was not applied yet, all in one transaction. Of several nodes that start at once the others wait. Rejects with a sentence where
 * a newer version has changed the tables.
 */
export async function applyMigrations(
  db: Kysely<unknown>,
  program: { readonly dialect: Dialect; readonly table: string; readonly migrations: Migrations },
): Promise<void> {
  const table = sql.table(program.table);
  await db.transaction().execute(async (within) => {
    if (program.dialect === 'postgres') await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(within);
    await sql`create table if not exists ${table} (name text not null primary key, applied text not null)`.execute(within);
    const { rows } = await sql<{ name: string }>`select name from ${table} order by name`.execute(within);
    const applied = rows.map(({ name }) => name);
    requireUsable(applied, program.migrations);
    for (const [name, statements] of Object.entries(program.migrations)) {
      if (applied.includes(name)) continue;
      for (const statement of statements) await sql.raw(statement).execute(within);
      await sql`insert into ${table} (name, applied) values (${name}, ${new Date().toISOString()})`.execute(within);
    }
  });
}

/** Throws a sentence where a newer version has changed the tables, or where the database was moved. */
export function requireUsable(applied: readonly string[], known: Migrations = migrations('sqlite')): void {
  requireNotMoved(applied);
  const newer = applied.find((name) => known[name] === undefined);
  if (newer === undefined) return;
  throw new Error(
    `A newer version has migrated the tables ("${newer}"), and this version cannot use them. Start the newer version, or restore the backup from before it.`,
  );
}

/** Whether the service has nothing to apply any more. */
export function isComplete(applied: readonly string[]): boolean {
  return Object.keys(migrations('sqlite')).every((name) => applied.includes(name));
}

/** What an embedded database has among its migrations once it was moved. In: the address of where it is now, without password. */
export function movedMark(to: string): string {
  return `${MOVED}${to}`;
}

/** Where a database was moved to, if it was. */
export function movedTo(applied: readonly string[]): string | undefined {
  return applied.find((name) => name.startsWith(MOVED))?.slice(MOVED.length);
}

/** Throws a sentence where a database was moved: what would be written to it, or copied from it, is not what the service has. */
export function requireNotMoved(applied: readonly string[]): void {
  const to = movedTo(applied);
  if (to === undefined) return;
  throw new Error(
    `The embedded database was moved to ${to}. Set DATABASE_URL to that. To use the file again, without the changes made there since, run move-database --back.`,
  );
}

const MOVED = 'moved to ';

/** The advisory lock that is held while tables of PostgreSQL are changed. */
export const MIGRATION_LOCK = 3_853_314_791_062_309_107n;
