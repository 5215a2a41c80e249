import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../config.ts';
import { connectClient } from '../db/postgres/connections.ts';
import { writableAddress } from '../db/postgres/servers.ts';
import { Database } from '../db/sqlite/connect.ts';
import { DATABASE_FILE } from './database-file.ts';

/** Refuses, with a sentence, where the service runs on the database of these settings. */
export async function requireStopped(settings: Settings): Promise<void> {
  const address = settings.DATABASE_URL?.reveal();
  if (address === undefined) requireFree(join(settings.DATA_DIR, DATABASE_FILE));
  else await requireNoNode(await writableAddress(address));
}

/** A program that has the file open holds a shared lock on it. A damaged file may be replaced. */
function requireFree(file: string): void {
  if (!existsSync(file)) return;
  const db = new Database(file, { fileMustExist: true, timeout: 0 });
  try {
    db.pragma('locking_mode = exclusive');
    db.exec('begin exclusive; rollback');
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY'))
      throw new Error(`The service runs on ${file}. Stop it first.`, { cause: error });
  } finally {
    db.close();
  }
}

async function requireNoNode(address: string): Promise<void> {
  const client = await connectClient({ connectionString: address, connectionTimeoutMillis: 10_000 });
  try {
    const { rows } = await client.query<{ table: string | null }>("select to_regclass('listeners') as table");
    if ((rows[0]?.table ?? '') === '') return;
    const nodes = await client.query<{ name: string }>('select name from listeners where heard_until > now() order by name');
    if (nodes.rows.length > 0)
      throw new Error(`The service runs on this database (${nodes.rows.map(({ name }) => name).join(', ')}). Stop all nodes first.`);
  } finally {
    await client.end();
  }
}
