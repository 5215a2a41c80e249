import { PostgresDialect } from 'kysely';
import pg from 'pg';
import { migrate } from '../migrate.ts';

/** Brings the tables of a PostgreSQL database up to date. Rejects where that cannot be, or where the server ends meanwhile. */
export async function migratePostgres(address: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: address, max: 1 });
  // Where the server ends between two statements, the next one fails. Without listeners the program would end.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => void client.on('error', () => undefined));
  await migrate('postgres', new PostgresDialect({ pool }));
}
