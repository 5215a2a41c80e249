import { join } from 'node:path';
import { Database } from '#backend/storage/sqlite/driver.ts';
import type { Database as Connection } from 'better-sqlite3';
import { PostgresDialect } from 'kysely';
import pg from 'pg';
import { migrate } from '#backend/storage/migrate.ts';
import type { Settings } from '../config.ts';
import { DATABASE_FILE } from './database-file.ts';
import { beginTrails } from './begin-trails.ts';
import { requireStopped } from './require-stopped.ts';
import { UsageError } from './usage-error.ts';
import { counted, lookAt } from './verify.ts';

/**
 * `move-database <postgres:// address>`: copies the embedded database to an empty PostgreSQL database, all in one transaction, and verifies both:
 * every document, version, reference and audit trail. The embedded database stays as it is. The service is stopped meanwhile.
 */
export async function move([address, ...more]: readonly string[], settings: Settings): Promise<number> {
  if (address === undefined || !/^postgres(?:ql)?:\/\//.test(address) || more.length > 0)
    throw new UsageError('Name the database that the service moves to: move-database <postgres:// address>.');
  if (settings.DATABASE_URL !== undefined) throw new UsageError('Leave DATABASE_URL out: the embedded database in DATA_DIR is moved.');
  await requireStopped(settings);
  const file = join(settings.DATA_DIR, DATABASE_FILE);
  const before = await lookAt(file);
  if (before.problems.length > 0) throw new Error(`${before.problems.join('\n')}\nThe database is not complete, so that it was not moved.`);
  await migrate('postgres', new PostgresDialect({ pool: new pg.Pool({ connectionString: address, max: 1 }) }));
  const source = new Database(file, { readonly: true, fileMustExist: true });
  try {
    await copyInto(address, source);
  } finally {
    source.close();
  }
  const after = await lookAt(address);
  const same = counted(before.counts) === counted(after.counts);
  if (after.problems.length > 0 || !same)
    throw new Error([...after.problems, 'The PostgreSQL database is not what was moved. Go on with the embedded one.'].join('\n'));
  process.stdout.write(`${counted(after.counts)}: moved. Set DATABASE_URL, and start the service.\n`);
  return 0;
}

async function copyInto(address: string, source: Connection): Promise<void> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    await client.query('begin');
    for (const [table, trigger] of TELLING) await client.query(`alter table ${table} disable trigger ${trigger}`);
    for (const table of tablesOf(source)) {
      if (table === 'audit') await beginTrails(client, source);
      await copyTable(client, source, table);
    }
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

/** What PostgreSQL would make of their rows by these triggers was made already, and is copied, too. */
const TELLING = [
  ['event_causes', 'user'],
  ['events', 'user'],
  ['sites', 'publish_site'],
] as const;
/** Their rows keep their numbers, and are copied in their order. */
const NUMBERED = ['audit', 'events'];

/** PostgreSQL fills these itself, by what is copied. */
const MADE_THERE = ['kysely_migration', 'kysely_migration_lock', 'org_usage', 'audit_heads'];

function tablesOf(source: Connection): string[] {
  const names = source
    .prepare<[], string>("select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name")
    .pluck()
    .all();
  return names.filter((name) => !MADE_THERE.includes(name));
}

async function copyTable(client: pg.Client, source: Connection, table: string): Promise<void> {
  const { rows: found } = await client.query(`select 1 from ${pg.escapeIdentifier(table)} limit 1`);
  if (found.length > 0) throw new Error(`The PostgreSQL database is not empty: there are rows in "${table}". Name an empty one.`);
  const columns = source.prepare<[string], string>('select name from pragma_table_info(?)').pluck().all(table);
  const names = columns.map((name) => pg.escapeIdentifier(name)).join(', ');
  const [own, order] = NUMBERED.includes(table) ? ['overriding system value', 'order by id'] : ['', ''];
  const insert = `insert into ${pg.escapeIdentifier(table)} (${names}) ${own}
    select ${names} from json_populate_recordset(null::${pg.escapeIdentifier(table)}, $1::json) ${order}`;
  let [batch, size]: [unknown[], number] = [[], 0];
  let [given, taken] = [0, 0];
  const store = async () => {
    if (batch.length > 0) taken += (await client.query(insert, [JSON.stringify(batch)])).rowCount ?? 0;
    given += batch.length;
    [batch, size] = [[], 0];
  };
  for (const row of source.prepare<[], Record<string, unknown>>(`select * from "${table}" ${order}`).iterate()) {
    const values = Object.entries(row).map(([name, value]) => [name, value instanceof Uint8Array ? hexadecimal(value) : value] as const);
    batch.push(Object.fromEntries(values));
    size += values.reduce<number>((sum, [, value]) => sum + (typeof value === 'string' ? value.length : 8), 0);
    if (batch.length >= ROWS || size >= CHARACTERS) await store();
  }
  await store();
  // Whoever prepared the database may have added triggers or policies of their own.
  if (taken !== given)
    throw new Error(
      `Of ${given} rows of "${table}" ${taken} came into the PostgreSQL database, so that nothing was moved. Go on with the embedded one.`,
    );
}

/** As PostgreSQL writes bytes as text. */
function hexadecimal(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes).toString('hex')}`;
}

const ROWS = 500;
const CHARACTERS = 4_000_000;
