import { expect } from 'vitest';
import pg from 'pg';

/** How many rows of a table PostgreSQL read so far, by the table or by its indexes. Waits for connections to the database that are being ended. */
export async function rowsRead(connectionString: string, table: string): Promise<number> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    // A connection tells what it read when it ends, which a pool that is closed does not wait for.
    await expect.poll(async () => (await client.query(OTHERS)).rows).toEqual([]);
    const { rows } = await client.query<{ read: string }>(
      `select (select seq_tup_read from pg_stat_user_tables where relname = $1)
        + (select sum(idx_tup_read) from pg_stat_user_indexes where relname = $1) as read`,
      [table],
    );
    return Number(rows[0]?.read);
  } finally {
    await client.end();
  }
}

const OTHERS = `select pid, application_name, query from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`;
