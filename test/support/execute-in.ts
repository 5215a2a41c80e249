import type { StoreOptions } from '@repoless/service/db/open-store.ts';
import { Database, DATABASE_FILE } from '@repoless/service/db/sqlite/connect.ts';
import { join } from 'node:path';
import pg from 'pg';

/** Executes a statement in a database behind the back of its store. */
export async function executeIn(
  { dataDir, databaseUrl }: Pick<StoreOptions, 'dataDir' | 'databaseUrl'>,
  statement: string,
  file = DATABASE_FILE,
): Promise<void> {
  if (databaseUrl === undefined) {
    const database = new Database(join(dataDir, file));
    database.exec(statement);
    database.close();
  } else {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query(statement);
    await client.end();
  }
}
