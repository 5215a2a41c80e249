import { existsSync } from 'node:fs';
import { isComplete, MIGRATED, requireUsable } from '../db/migrate.ts';
import { connectClient, READ_TIMEOUT } from '../db/postgres/connections.ts';
import { compilerFor, type Dialect, type Query } from '../db/queries.ts';
import { Database } from '../db/sqlite/connect.ts';
import { readsOn } from '../db/store.ts';
import type { Reads } from '../domain/ports.ts';

export interface DatabaseCopy {
  readonly reads: Reads;
  /** Every row of a table, ordered by its key. */
  rows(table: string, key: readonly string[]): AsyncIterable<Row>;
  /** Damaged pages, as the integrity check of the engine describes them. PostgreSQL has none. */
  pageProblems(): Promise<readonly string[]>;
  close(): Promise<void>;
}

type Row = Readonly<Record<string, unknown>>;

/** Opens an SQLite file by its path, or a PostgreSQL database by its address. Rejects with a message if it is not of this version. */
export async function openCopy(location: string): Promise<DatabaseCopy> {
  const opened = await open(location);
  try {
    await requireMigrated(opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
  const compile = compilerFor(opened.dialect);
  // Safe: a query declares the type of its rows.
  const query = (async (built) => {
    const { sql, parameters } = compile(built);
    return await opened.select(sql, parameters);
  }) as Query;
  return { ...opened, reads: readsOn(query), rows: (table, key) => allRows(opened, table, key) };
}

/** The migrations applied to a database; none if it is not one of the service. Rejects if it cannot be opened. */
export async function migrationsIn(location: string): Promise<readonly string[]> {
  const opened = await open(location);
  try {
    return await appliedTo(opened).catch(() => []);
  } finally {
    await opened.close();
  }
}

interface OpenDatabase {
  readonly dialect: Dialect;
  select(sql: string, parameters: readonly unknown[]): Promise<readonly Row[]>;
  pageProblems(): Promise<readonly string[]>;
  close(): Promise<void>;
}

async function open(location: string): Promise<OpenDatabase> {
  return /^postgres(?:ql)?:\/\//.test(location) ? await openPostgres(location) : openSqlite(location);
}

function openSqlite(file: string): OpenDatabase {
  if (!existsSync(file)) throw new Error(`The file ${file} does not exist.`);
  const db = new Database(file, { readonly: true, fileMustExist: true, timeout: 1000 });
  return {
    dialect: 'sqlite',
    select: async (sql, parameters) => db.prepare<unknown[], Row>(sql).all(...parameters),
    async pageProblems() {
      const lines = db.prepare<[], string>('pragma integrity_check').pluck().all();
      return lines.filter((line) => line !== 'ok');
    },
    close: async () => void db.close(),
  };
}

async function openPostgres(address: string): Promise<OpenDatabase> {
  const client = await connectClient({
    connectionString: address,
    connectionTimeoutMillis: READ_TIMEOUT,
    options: '-c default_transaction_read_only=on',
  });
  return {
    dialect: 'postgres',
    select: async (text, parameters) => (await client.query<Record<string, unknown>>({ text, values: [...parameters] })).rows,
    pageProblems: async () => [],
    close: () => client.end(),
  };
}

async function* allRows({ dialect, select }: OpenDatabase, table: string, key: readonly string[]): AsyncGenerator<Row> {
  const columns = key.join(', ');
  const placeholders = key.map((_column, index) => (dialect === 'sqlite' ? '?' : `$${index + 1}`)).join(', ');
  // Below every key: versions start at 1, and all other columns of keys are text.
  let after: unknown[] = key.map((column) => (column === 'version' ? 0 : ''));
  for (;;) {
    const page = await select(`select * from ${table} where (${columns}) > (${placeholders}) order by ${columns} limit ${PAGE}`, after);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = key.map((column) => last[column]);
  }
}

const PAGE = 500;

/** A copy can be verified only by a version that could run on it. */
async function requireMigrated(opened: OpenDatabase): Promise<void> {
  const applied = await appliedTo(opened).catch((cause: unknown) => {
    throw new Error('This is not a database of the service, or its first page is damaged.', { cause });
  });
  requireUsable(applied);
  if (isComplete(applied)) return;
  throw new Error('The copy was made by another version of the service. Verify it with that version, or start the service on it first.');
}

async function appliedTo({ select }: OpenDatabase): Promise<readonly string[]> {
  return (await select(`select name from ${MIGRATED} order by name`, [])).map(({ name }) => String(name));
}
