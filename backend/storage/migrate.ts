import { Kysely, Migrator } from 'kysely';
import type { Dialect as KyselyDialect } from 'kysely';
import { migrations } from './migrations.ts';
import type { Dialect } from './tables.ts';

/** Brings the tables up to date over a connection of its own, which it closes. Several nodes may do so at once. */
export async function migrate(dialect: Dialect, connection: KyselyDialect): Promise<void> {
  const db = new Kysely<unknown>({ dialect: connection });
  try {
    const { error } = await new Migrator({ db, provider: migrations(dialect) }).migrateToLatest();
    if (error !== undefined) throw error;
  } finally {
    await db.destroy();
  }
}
