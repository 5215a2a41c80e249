import type { Database as Connection } from 'better-sqlite3';
import pg from 'pg';
import { migratePostgres } from '../db/postgres/migrate-postgres.ts';
import { Database } from '../db/sqlite/driver.ts';
import type { Verification } from '../db/verify/verify-copy.ts';
import { insertRows, NUMBERED } from './insert-rows.ts';
import { copiedTables, intoPostgres } from './into-postgres.ts';
import { counted, lookAt } from './verify.ts';

/**
 * Copies an embedded database that is not being written to an empty PostgreSQL database in one transaction, and verifies both: every document,
 * version, reference and audit trail. Returns how much was copied. Rejects if something is damaged or did not arrive.
 */
export async function copyDatabase(file: string, address: string): Promise<string> {
  const before = await lookAt(file);
  if (before.problems.length > 0) throw new Error(`${before.problems.join('\n')}\nThe database is incomplete, so it was not moved.`);
  await migratePostgres(address);
  const source = new Database(file, { readonly: true, fileMustExist: true });
  try {
    await intoPostgres(address, async (client) => {
      for (const table of copiedTables(source)) await copyTable(client, source, table);
    });
  } finally {
    source.close();
  }
  return await requireSame(before, address);
}

/** Verifies a PostgreSQL database. Rejects where it is not as much as was found before, or not whole. Out: how much it is. */
export async function requireSame(before: Verification, address: string): Promise<string> {
  const after = await lookAt(address);
  const problems = [...before.problems, ...after.problems];
  if (problems.length > 0 || counted(before.counts) !== counted(after.counts))
    throw new Error([...problems, 'The PostgreSQL database does not match the embedded one. Continue with the embedded one.'].join('\n'));
  return counted(after.counts);
}

async function copyTable(client: pg.Client, source: Connection, table: string): Promise<void> {
  const { rows: found } = await client.query(`select 1 from ${pg.escapeIdentifier(table)} limit 1`);
  if (found.length > 0) throw new Error(`The PostgreSQL database is not empty: there are rows in "${table}". Specify an empty one.`);
  const order = NUMBERED.includes(table) ? 'order by id' : '';
  await insertRows(client, table, source.prepare<[], Record<string, unknown>>(`select * from "${table}" ${order}`).iterate());
}
