import pg from 'pg';
import { Database } from '#backend/storage/sqlite/driver.ts';

/** The published copy is newer than a database that was brought back: all of it is compared again at the next start. */
const AGAIN = `update publishing set phase = 'sites', after_key = '', due = '', owner = '', lease_until = ''`;

export function lookAtCopyAgain(file: string): void {
  const db = new Database(file, { fileMustExist: true });
  try {
    // A copy of an earlier version publishes nothing.
    if (db.prepare("select 1 from sqlite_master where type = 'table' and name = 'publishing'").get() !== undefined) db.exec(AGAIN);
  } finally {
    db.close();
  }
}

/** The same of a PostgreSQL database. */
export async function lookAtCopyOfPostgresAgain(address: string): Promise<void> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    const { rows } = await client.query<{ found: string | null }>("select to_regclass('publishing') as found");
    if (typeof rows[0]?.found === 'string') await client.query(AGAIN);
  } finally {
    await client.end();
  }
}
