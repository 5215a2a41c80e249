import pg from 'pg';

/** How many rows of a table PostgreSQL read so far, by the table or by its indexes, for connections that ended. */
export async function rowsRead(connectionString: string, table: string): Promise<number> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
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
