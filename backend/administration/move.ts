import type { Database as Connection } from 'better-sqlite3';
import { resolve } from 'node:path';
import pg from 'pg';
import type { Settings } from '../config.ts';
import { MIGRATED, movedMark, movedTo } from '../db/migrate.ts';
import { connectClient, migratePostgres } from '../db/postgres/connections.ts';
import { Database, DATABASE_FILE } from '../db/sqlite/connect.ts';
import { counted, verifyDatabase, type Verification } from './verify.ts';
import { migrationsIn } from './database-copy.ts';
import { lockDatabase, lockWrites, printableAddress, requireDatabase, requireStopped, UsageError } from './database-state.ts';

/**
 * `move-database <postgres:// address>`: copies the embedded database to an empty PostgreSQL database in one transaction, and verifies
 * both: every document, version, reference and audit trail. The embedded database is unchanged except for a mark that makes services and
 * commands refuse it. The service must be stopped. `move-database --back` removes the mark.
 */
export async function move(args: readonly string[], settings: Settings): Promise<number> {
  const { address, back } = readOptions(args);
  if (settings.DATABASE_URL !== undefined)
    throw new UsageError('Unset DATABASE_URL: this command moves the embedded database in DATA_DIR.');
  const file = resolve(settings.DATA_DIR, DATABASE_FILE);
  if (back) {
    await requireStopped(settings);
    const to = await unmarkMoved(file);
    process.stdout.write(`The service can use ${file} again. Changes written to ${to} since the move are not in it.\n`);
    return 0;
  }
  await requireDatabase(settings);
  await requireStopped(settings);
  const moved = await moveLocked(file, address);
  process.stdout.write(`${moved}: moved. Set DATABASE_URL, and start the service.\n`);
  return 0;
}

/** A service that is started in the meantime cannot write, so no acknowledged write is lost. */
async function moveLocked(file: string, address: string): Promise<string> {
  const lock = await lockWrites(file);
  const moved = await copyDatabase(file, address).finally(() => lock.release());
  const exclusive = lockDatabase(file);
  if (exclusive === undefined)
    throw new Error(`The service was started on ${file} in the meantime. Stop it, empty the PostgreSQL database, and move again.`);
  try {
    markMoved(exclusive, address);
  } finally {
    exclusive.close();
  }
  return moved;
}

function readOptions(args: readonly string[]): { readonly address: string; readonly back: boolean } {
  const [address = '', ...more] = args;
  if (more.length === 0 && address === '--back') return { address: '', back: true };
  if (!/^postgres(?:ql)?:\/\//.test(address) || more.length > 0)
    throw new UsageError('Specify the database to move to: move-database <postgres:// address>. Or go back: move-database --back.');
  return { address, back: false };
}

/** Returns how much was copied. Rejects if something is damaged or did not arrive. */
async function copyDatabase(file: string, address: string): Promise<string> {
  const before = await verifyDatabase(file);
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
  return await requireSameCounts(before, address);
}

/** Verifies a PostgreSQL database and returns its counts. Rejects if they differ from the earlier ones, or if it is damaged. */
async function requireSameCounts(before: Verification, address: string): Promise<string> {
  const after = await verifyDatabase(address);
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

/** Changes the tables of a PostgreSQL database in one transaction, with those triggers disabled whose rows are copied too. */
async function intoPostgres(address: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = await connectClient({ connectionString: address });
  try {
    await client.query('begin');
    for (const [table, trigger] of DISABLED_TRIGGERS) await client.query(`alter table ${table} disable trigger ${trigger}`);
    await work(client);
    for (const [table, trigger] of DISABLED_TRIGGERS) await client.query(`alter table ${table} enable trigger ${trigger}`);
    for (const table of NUMBERED)
      await client.query(
        `select setval(pg_get_serial_sequence('${table}', 'id'), coalesce(max(id), 1), max(id) is not null) from ${table}`,
      );
    await client.query('commit');
  } finally {
    await client.end();
  }
}

/** The tables of the embedded database, without those that PostgreSQL fills itself while rows are copied. */
function copiedTables(source: Connection): string[] {
  const names = source
    .prepare<[], string>("select name from main.sqlite_master where type = 'table' and name not like 'sqlite_%' order by name")
    .pluck()
    .all();
  return names.filter((name) => name !== MIGRATED && !FILLED_BY_TRIGGERS.includes(name));
}

/** The rows that these triggers would create in PostgreSQL exist already, and are copied too. */
const DISABLED_TRIGGERS = [
  ['event_causes', 'user'],
  ['events', 'user'],
  ['event_deliveries', 'user'],
  ['sites', 'site_checks_of_removed'],
  ['sites', 'root_of_new_site'],
  ['code_jobs', 'requested_by_job'],
  ['code_branches', 'requested_by_anyone'],
  ['code_branches', 'request_removed'],
] as const;
const FILLED_BY_TRIGGERS = ['org_usage', 'audit_heads'];

/** Rows keep their numbers and are inserted in that order. */
const NUMBERED = ['audit', 'events'];

/** Rejects with a message if not every row was inserted. */
async function insertRows(client: pg.Client, table: string, rows: Iterable<Record<string, unknown>>): Promise<void> {
  let [batch, size]: [Record<string, unknown>[], number] = [[], 0];
  let [sent, inserted] = [0, 0];
  const store = async () => {
    const [first] = batch;
    if (first !== undefined) inserted += (await client.query(insertInto(table, Object.keys(first)), [JSON.stringify(batch)])).rowCount ?? 0;
    sent += batch.length;
    [batch, size] = [[], 0];
  };
  for (const row of rows) {
    const values = Object.entries(row).map(([name, value]) => [name, value instanceof Uint8Array ? hexadecimal(value) : value] as const);
    batch.push(Object.fromEntries(values));
    size += values.reduce<number>((sum, [, value]) => sum + (typeof value === 'string' ? value.length : 8), 0);
    if (batch.length >= ROWS || size >= CHARACTERS) await store();
  }
  await store();
  // The database may have triggers or policies that its owner added.
  if (inserted !== sent)
    throw new Error(
      `Of ${sent} rows of "${table}" ${inserted} arrived in the PostgreSQL database, so nothing was moved. Continue with the embedded one.`,
    );
}

function insertInto(table: string, columns: readonly string[]): string {
  const names = columns.map((name) => pg.escapeIdentifier(name)).join(', ');
  const [override, order] = NUMBERED.includes(table) ? ['overriding system value', 'order by id'] : ['', ''];
  return `insert into ${pg.escapeIdentifier(table)} (${names}) ${override}
    select ${names} from json_populate_recordset(null::${pg.escapeIdentifier(table)}, $1::json) ${order}`;
}

/** Bytes in PostgreSQL's text format. */
function hexadecimal(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes).toString('hex')}`;
}

const ROWS = 500;
const CHARACTERS = 4_000_000;

/**
 * Marks an embedded database as moved: services and commands refuse it from now on. Takes an exclusive connection, and the address of the
 * new database.
 */
function markMoved(exclusive: Connection, address: string): void {
  exclusive
    .prepare(`insert into ${MIGRATED} (name, applied) values (?, ?)`)
    .run(movedMark(printableAddress(address)), new Date().toISOString());
}

/** Removes the mark. Returns where the database was moved to. Rejects if it was not moved, or if another program has it open. */
async function unmarkMoved(file: string): Promise<string> {
  const to = movedTo(await migrationsIn(file));
  if (to === undefined) throw new Error(`${file} was not moved.`);
  const exclusive = lockDatabase(file);
  if (exclusive === undefined) throw new Error(`Another program has ${file} open. Try again when it has ended.`);
  try {
    exclusive.prepare(`delete from ${MIGRATED} where name = ?`).run(movedMark(to));
  } finally {
    exclusive.close();
  }
  return to;
}
