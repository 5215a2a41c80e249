import { type Dialect as Connection, Kysely, sql } from 'kysely';
import { migrations, type Migrations } from './schema.ts';
import type { Dialect } from './queries.ts';

export const MIGRATED = 'migrations';

/** Migrates the tables of the service over a separate connection, which it closes. */
export async function migrate(dialect: Dialect, connection: Connection): Promise<void> {
  const db = new Kysely<unknown>({ dialect: connection });
  await applyMigrations(db, { dialect, table: MIGRATED, migrations: migrations(dialect) }).finally(() => db.destroy());
}

/**
 * Applies pending migrations in one transaction. If several nodes start at once the others wait. Rejects with a message if a newer version
 * has changed the tables.
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

/** Throws a message if a newer version has changed the tables, or if the database was moved. */
export function requireUsable(applied: readonly string[], known: Migrations = migrations('sqlite')): void {
  requireNotMoved(applied);
  const newer = applied.find((name) => known[name] === undefined);
  if (newer === undefined) return;
  throw new Error(
    `A newer version has migrated the tables ("${newer}"), and this version cannot use them. Start the newer version, or restore the backup from before it.`,
  );
}

/** Whether no migration is pending. */
export function isComplete(applied: readonly string[]): boolean {
  return Object.keys(migrations('sqlite')).every((name) => applied.includes(name));
}

/** The entry among the migrations of a moved embedded database. Takes the address of the new one, without password. */
export function movedMark(to: string): string {
  return `${MOVED}${to}`;
}

/** Where a database was moved to, if it was. */
export function movedTo(applied: readonly string[]): string | undefined {
  return applied.find((name) => name.startsWith(MOVED))?.slice(MOVED.length);
}

/** Throws a message if the database was moved: its data is no longer the service's. */
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

/** Shares work between calls: the first starts it, the others wait for it too. */
export function once(work: () => Promise<void>): () => Promise<void> {
  let started: Promise<void> | undefined;
  return () => (started ??= work());
}
