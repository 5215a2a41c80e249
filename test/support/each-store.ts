import { join } from 'node:path';
import { compilerFor, type Database, type Query, type Statement } from '@repoless/service/db/queries.ts';
import { connectWriter } from '@repoless/service/db/sqlite/connect.ts';
import { openStore } from '@repoless/service/db/open-store.ts';
import type { Store } from '@repoless/service/domain/ports.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { copyEmbedded, migrated, startTestBackend, type TestBackend, type TestBackendOptions } from './backend.ts';
import { type PostgresCluster, sharedPostgres } from './postgres.ts';
import type { StoreOptions } from '@repoless/service/db/store.ts';

export interface StoreDatabase {
  readonly options: StoreOptions;
  /** Opens a store on this database; several nodes can open a PostgreSQL at once. Closed after the test. */
  open(): Promise<Store>;
}

export interface Engine {
  readonly name: 'SQLite' | 'PostgreSQL';
  /** How often a node is notified of its own change: by itself and, if it can have peers, by the database too. */
  readonly notifications: 1 | 2;
  /** A new database with its tables. */
  newDatabase(): Promise<StoreDatabase>;
  /** A new, empty database. */
  emptyDatabase(): Promise<StoreDatabase>;
  /** A store on a new database. */
  open(): Promise<Store>;
  /** Starts a service, which stops before its store closes at the end of the test. */
  start(options: TestBackendOptions): Promise<TestBackend>;
  /** PostgreSQL only. */
  cutConnections(): Promise<void>;
}

/** The same tests on SQLite and on a real PostgreSQL. */
export function eachStore(tests: (engine: Engine) => void): void {
  describe('on SQLite', () => tests(sqliteEngine()));
  describe('on PostgreSQL', () => tests(postgresEngine()));
}

/** Stores in temporary directories, for tests that need one engine only. */
export function sqliteEngine(): Engine {
  const optionsFor: OptionsFor = async (dataDir, empty) => {
    if (!empty) await copyEmbedded(dataDir);
    return { dataDir };
  };
  return engine('SQLite', optionsFor, noConnections);
}

export function postgresEngine(): Engine {
  let cluster: PostgresCluster | undefined;
  const started = () => {
    if (cluster === undefined) throw new Error('PostgreSQL is not started.');
    return cluster;
  };
  beforeAll(async () => {
    cluster = await sharedPostgres();
  });
  afterAll(async () => {
    await cluster?.removeDatabases();
  });
  return engine(
    'PostgreSQL',
    async (dataDir, empty) => ({ dataDir, databaseUrl: await started().database(empty ? undefined : migrated) }),
    () => started().cutConnections(),
  );
}

type OptionsFor = (dataDir: string, empty: boolean) => Promise<StoreOptions>;

function engine(name: Engine['name'], optionsFor: OptionsFor, cutConnections: () => Promise<void>): Engine {
  const directories: string[] = [];
  const stores: Store[] = [];
  const backends: TestBackend[] = [];
  afterEach(async () => {
    await Promise.all(backends.splice(0).map((backend) => backend.stop()));
    await Promise.all(stores.splice(0).map((store) => store.close()));
    for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
  });
  const databaseFor = async (empty: boolean): Promise<StoreDatabase> => {
    const directory = mkdtempSync(join(tmpdir(), 'repoless-store-'));
    directories.push(directory);
    const options = { ...(await optionsFor(directory, empty)), refusesNested: true };
    return {
      options,
      async open() {
        const store = await openStore(options);
        stores.push(store);
        return store;
      },
    };
  };
  const newDatabase = () => databaseFor(false);
  return {
    name,
    notifications: name === 'SQLite' ? 1 : 2,
    newDatabase,
    emptyDatabase: () => databaseFor(true),
    open: async () => (await newDatabase()).open(),
    async start(options) {
      const backend = await startTestBackend(options);
      backends.push(backend);
      return backend;
    },
    cutConnections,
  };
}

async function noConnections(): Promise<void> {
  throw new Error('SQLite has no connections to cut.');
}

/** How many rows of a table PostgreSQL has read, by scans of the table or its indexes. Waits for connections that are closing. */
export async function rowsRead(connectionString: string, table: string): Promise<number> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    // A connection reports its reads when it ends, and closing a pool does not wait for that.
    await expect.poll(async () => (await client.query(OTHERS)).rows).toEqual([]);
    const { rows } = await client.query<{ read: string }>(
      `select (select seq_tup_read from pg_stat_user_tables where relname = $1)
        + (select sum(idx_tup_read) from pg_stat_user_indexes where relname = $1) as read`,
      [table],
    );
    return Number(rows[0]?.read);
  } finally {
    await client.end();
  }
}

const OTHERS = `select pid, application_name, query from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`;

/**
 * A service whose next write waits, between the start of its call and its transaction, for the change set by `next`, as on a slow
 * node. It stops at the end of the test.
 */
export async function startRaced(engine: Engine): Promise<{ backend: TestBackend; next(happens: () => Promise<unknown>): void }> {
  let waiting: (() => Promise<unknown>) | undefined;
  const open = async () => {
    const store = await engine.open();
    const write: Store['write'] = async (work, subject) => {
      const happens = waiting;
      waiting = undefined;
      await happens?.();
      return await store.write(work, subject);
    };
    return Object.create(store, { write: { value: write } }) as Store;
  };
  const backend = await engine.start({ dryRun: false, open });
  return { backend, next: (happens) => void (waiting = happens) };
}

/** Two nodes on a new database, the same one on SQLite. They stop at the end of the test. */
export async function startNodes(engine: Engine, options: TestBackendOptions = {}): Promise<readonly [TestBackend, TestBackend]> {
  const { open } = await engine.newDatabase();
  const first = await engine.start({ ...options, dryRun: false, open });
  if (engine.name === 'SQLite') return [first, first];
  return [first, await engine.start({ ...options, dryRun: false, claim: false, open })];
}

/** The full table scans in SQLite's plan of a call's first query. `dataDir` is the folder of a database. */
export async function scansOf(dataDir: string, call: (database: Database) => Promise<unknown>): Promise<string[]> {
  const compile = compilerFor('sqlite');
  const statements: Statement[] = [];
  const record = (async (query) => {
    statements.push(compile(query));
    return [];
  }) as Query;
  await call({ dialect: 'sqlite', read: record, change: record, announce: () => undefined });
  const [statement] = statements;
  if (statement === undefined) throw new Error('The call has no query.');
  const db = connectWriter(join(dataDir, 'repoless.sqlite'));
  try {
    const plan = db.prepare<unknown[], { detail: string }>(`explain query plan ${statement.sql}`).all(...statement.parameters);
    if (plan.length === 0) throw new Error('SQLite returned no plan.');
    // Tables that the statement itself creates are never large.
    return plan.map(({ detail }) => detail).filter((line) => /^SCAN (?!\(|waiting|orgs|due|ranked|CONSTANT)/.test(line));
  } finally {
    db.close();
  }
}
