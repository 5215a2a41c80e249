import { existsSync } from 'node:fs';
import { Database } from '../sqlite/driver.ts';
import { sql } from 'kysely';
import type { Reads } from '../../domain/ports.ts';
import { connectClient } from '../postgres/connect-client.ts';
import { READ_TIMEOUT } from '../postgres/connections.ts';
import { isComplete, MIGRATED, requireUsable } from '../migrate.ts';
import { readStatements } from '../read-statements.ts';
import { text } from '../row.ts';
import type { Row } from '../row.ts';
import { sqlReads } from '../sql-reads.ts';
import type { Query } from '../sql-reads.ts';
import { preparedStatements } from '../sqlite/prepared.ts';
import { compilerFor, slot } from '../statement.ts';
import type { Args } from '../statement.ts';
import type { Dialect, Tables, Value } from '../tables.ts';

/** A database that is looked at and never written. */
export interface Copy {
  readonly reads: Reads;
  /** Every row of a table, in the order of its key. */
  rows(table: keyof Tables, key: readonly string[]): AsyncIterable<Row>;
  /** What the engine itself finds wrong with the pages. */
  pageProblems(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** In: a file of SQLite, or the address of a PostgreSQL database. Rejects with a sentence where it is no copy of this version. */
export async function openCopy(place: string): Promise<Copy> {
  const copy = await open(place);
  try {
    await requireMigrated(copy);
  } catch (error) {
    await copy.close();
    throw error;
  }
  return { ...copy, reads: sqlReads(readStatements(compilerFor(copy.dialect)), copy.query) };
}

/** The migrations that were applied to a database; none where it is not one of the service. In: as for `openCopy`. Rejects where it cannot be opened. */
export async function migrationsIn(place: string): Promise<readonly string[]> {
  const copy = await open(place);
  try {
    return await appliedTo(copy).catch(() => []);
  } finally {
    await copy.close();
  }
}

async function open(place: string): Promise<Opened> {
  return /^postgres(?:ql)?:\/\//.test(place) ? await openPostgres(place) : openSqlite(place);
}

interface Opened extends Omit<Copy, 'reads'> {
  readonly dialect: Dialect;
  readonly query: Query;
}

function openSqlite(file: string): Opened {
  if (!existsSync(file)) throw new Error(`The file ${file} does not exist.`);
  const db = new Database(file, { readonly: true, fileMustExist: true, timeout: 1000 });
  const prepared = preparedStatements(db);
  const query: Query = async (statement, args) => prepared.rows(statement, args);
  return {
    dialect: 'sqlite',
    query,
    rows: rowsOf('sqlite', query),
    pageProblems: async () =>
      db
        .prepare<[], string>('pragma integrity_check')
        .pluck()
        .all()
        .filter((line) => line !== 'ok'),
    close: async () => void db.close(),
  };
}

async function openPostgres(address: string): Promise<Opened> {
  const client = await connectClient({
    connectionString: address,
    connectionTimeoutMillis: READ_TIMEOUT,
    options: '-c default_transaction_read_only=on',
  });
  const query: Query = async ({ name, sql: text, bind }, args) =>
    (await client.query<Record<string, unknown>>({ name, text, values: bind(args) })).rows;
  return { dialect: 'postgres', query, rows: rowsOf('postgres', query), pageProblems: async () => [], close: () => client.end() };
}

const PAGE = 500;

function rowsOf(dialect: Dialect, query: Query): Copy['rows'] {
  const compile = compilerFor(dialect);
  return async function* rows(table, key) {
    const columns = sql.join(key.map((column) => sql.ref(column)));
    const slots = sql.join(key.map((column) => slot<string>(column)));
    const statement = compile(`every-${table}`, (db) => ({
      compile: () =>
        sql`select * from ${sql.table(table)} where (${columns}) > (${slots}) order by ${columns} limit ${sql.lit(PAGE)}`.compile(db),
    }));
    let after: Args = Object.fromEntries(key.map((column) => [column, column === 'version' ? 0 : '']));
    for (;;) {
      const page = await query(statement, after);
      yield* page;
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return;
      after = Object.fromEntries(key.map((column) => [column, keyOf(last[column])]));
    }
  };
}

function keyOf(value: unknown): Value {
  return typeof value === 'number' ? value : String(value);
}

/** A copy is verified by a version that could run on it. */
async function requireMigrated(copy: Opened): Promise<void> {
  const applied = await appliedTo(copy).catch((cause: unknown) => {
    throw new Error('This is not a database of the service, or its first page is damaged.', { cause });
  });
  requireUsable(applied);
  if (isComplete(applied)) return;
  throw new Error('The copy was made by another version of the service. Verify it with that version, or start the service on it first.');
}

async function appliedTo({ dialect, query }: Opened): Promise<readonly string[]> {
  const statement = compilerFor(dialect)('migrated', (db) => ({
    compile: () => sql`select name from ${sql.table(MIGRATED)} order by name`.compile(db),
  }));
  return (await query(statement, {})).map((row) => text(row, 'name'));
}
