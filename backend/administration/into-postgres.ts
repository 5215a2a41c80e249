import type { Database as Connection } from 'better-sqlite3';
import type pg from 'pg';
import { connectClient } from '../db/postgres/connect-client.ts';
import { MIGRATED } from '../db/migrate.ts';
import { NUMBERED } from './insert-rows.ts';

/** Changes the tables of a PostgreSQL database in one transaction, with the triggers disabled whose rows are copied as well. */
export async function intoPostgres(address: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = await connectClient({ connectionString: address });
  try {
    await client.query('begin');
    for (const [table, trigger] of TELLING) await client.query(`alter table ${table} disable trigger ${trigger}`);
    await work(client);
    for (const [table, trigger] of TELLING) await client.query(`alter table ${table} enable trigger ${trigger}`);
    for (const table of NUMBERED)
      await client.query(
        `select setval(pg_get_serial_sequence('${table}', 'id'), coalesce(max(id), 1), max(id) is not null) from ${table}`,
      );
    await client.query('commit');
  } finally {
    await client.end();
  }
}

/** The tables of the embedded database; PostgreSQL fills those that are left out itself, by what is copied. */
export function copiedTables(source: Connection): string[] {
  return tablesOf(source).filter((name) => !MADE_THERE.includes(name));
}

/** Those that hold what the service stores. */
export function tablesOf(source: Connection): string[] {
  const names = source
    .prepare<[], string>("select name from main.sqlite_master where type = 'table' and name not like 'sqlite_%' order by name")
    .pluck()
    .all();
  return names.filter((name) => name !== MIGRATED);
}

/** What PostgreSQL would make of their rows by these triggers was made already, and is copied, too. */
const TELLING = [
  ['event_causes', 'user'],
  ['events', 'user'],
  ['event_deliveries', 'user'],
  ['sites', 'site_checks_of_removed'],
  ['sites', 'root_of_new_site'],
  ['code_jobs', 'asked_by_job'],
  ['code_branches', 'asked_by_somebody'],
  ['code_branches', 'asked_no_longer'],
] as const;
const MADE_THERE = ['org_usage', 'audit_heads'];
