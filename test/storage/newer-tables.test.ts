import { expect, it } from 'vitest';
import Database from 'better-sqlite3';
import { join } from 'node:path';
import pg from 'pg';
import { eachStore } from '../support/each-store.ts';
import type { StorePlace } from '../support/each-store.ts';

eachStore(({ emptyPlace: place }) => {
  it('does not open on tables that a newer program has changed, and leaves them as they are', async () => {
    const used = await place();
    await used.open().then((store) => store.close());
    await migratedBy(used, '9999-of-the-future');
    await expect(used.open()).rejects.toThrow(/9999-of-the-future/);
  });
});

/** Leaves what a newer program leaves behind. */
async function migratedBy({ options: { dataDir, databaseUrl } }: StorePlace, migration: string): Promise<void> {
  const statement = `insert into kysely_migration (name, timestamp) values ('${migration}', '2100-01-01T00:00:00.000Z')`;
  if (databaseUrl === undefined) {
    const database = new Database(join(dataDir, 'repoless.sqlite'));
    database.exec(statement);
    database.close();
  } else {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query(statement);
    await client.end();
  }
}
