import { Kysely } from 'kysely';
import type { Dialect as KyselyDialect } from 'kysely';
import { newestOf } from './marked-migration.ts';
import { migrations } from './migrations.ts';
import { nodesWithout } from './postgres/listeners.ts';
import { runMigrations } from './run-migrations.ts';
import type { Dialect } from './tables.ts';

/** Where the service keeps which migrations were carried out. */
export const MIGRATED = 'kysely_migration';

/** Brings the tables up to date over a connection of its own, which it closes. Several nodes may do so at once. */
export async function migrate(dialect: Dialect, connection: KyselyDialect): Promise<void> {
  const db = new Kysely<unknown>({ dialect: connection });
  try {
    const others = dialect === 'postgres' && { without: nodesWithout };
    await runMigrations(db, { dialect, table: MIGRATED, migrations: migrations(dialect), ...others });
  } finally {
    await db.destroy();
  }
}

/** The newest migration that this program knows. */
export function knownTables(dialect: Dialect): string {
  return newestOf(migrations(dialect));
}
