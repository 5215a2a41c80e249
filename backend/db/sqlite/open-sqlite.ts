import type { Database as Connection, Statement as Prepared } from 'better-sqlite3';
import { type RawBuilder, SqliteDialect } from 'kysely';
import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { CACHED } from '../../domain/change-aware-cache.ts';
import type { Store } from '../../domain/ports.ts';
import { NO_TRACING } from '../../tracing/tracing.ts';
import { migrate, once } from '../migrate.ts';
import {
  type Change,
  type Compile,
  compilerFor,
  type Database,
  type Query,
  type Statement,
  type Traced,
  tracedStatements,
} from '../queries.ts';
import { Conflicted, isBusy, storageError, storageReadOnly } from '../storage-error.ts';
import { type StoreOptions, storesOn, writesOn } from '../store.ts';
import { createChangeNotifier, statementError, type Transaction, type TransactionEngine, transactions } from '../transactions.ts';
import { connectReader, connectWriter, DATABASE_FILE, lockFolder, privateFile } from './connect.ts';
import { checkpointer, databaseCondition } from './file-threads.ts';

/**
 * The embedded store: one writing process, one file `repoless.sqlite` in the data directory. Rejects with a message if `alone` cannot be
 * satisfied.
 */
export async function openSqlite({ exclusive, ...options }: Omit<StoreOptions, 'databaseUrl'>): Promise<Store> {
  if (exclusive === undefined) return await open(options);
  const release = await lockFolder(options.dataDir, exclusive);
  try {
    const store = await open(options);
    return { ...store, close: once(() => store.close().finally(release)) };
  } catch (error) {
    release();
    throw error;
  }
}

async function open({
  dataDir,
  maxPages,
  tracing = NO_TRACING,
  refusesNested,
}: Omit<StoreOptions, 'databaseUrl' | 'alone'>): Promise<Store> {
  const file = privateFile(dataDir, DATABASE_FILE);
  await migrate('sqlite', new SqliteDialect({ database: connectWriter(file) }));
  const writer = connectWriter(file, { maxPages, timeout: 0 });
  const reader = connectReader(file);
  const compile = compilerFor('sqlite');
  const traced = tracedStatements(tracing, 'sqlite');
  const prepare = preparedStatements(reader);
  const answers = reader.prepare('select 1');
  const checkpoints = checkpointer(file, writer);
  const condition = databaseCondition(file);
  const notifier = createChangeNotifier();
  // Safe: a query declares the type of its rows.
  const read = (async (query) => {
    const statement = compile(query);
    return await traced(statement, async () => {
      try {
        return rowsOf(prepare(statement), statement);
      } catch (error) {
        throw storageError(error);
      }
    });
  }) as Query;
  let uncopied = 0;
  const committed = (writes: number) => {
    uncopied += writes;
    if (uncopied >= WRITES_BETWEEN && checkpoints.start()) uncopied = 0;
  };
  const { write, change, close } = transactions(sqliteTransactions({ file, db: writer, compile, traced, committed }), {
    announce: notifier.changed,
    traced,
    refusesNested,
  });
  const database: Database = { dialect: 'sqlite', read, change, announce: notifier.changed };
  return {
    ...storesOn(database, async () => [{ name: `process ${process.pid}`, self: true, running: true }]),
    write,
    onSiteChange: notifier.onSiteChange,
    onTokenChange: notifier.onTokenChange,
    sharedTime: async (own) => own,
    isCurrent: writesOfOthers(writer),
    async ping() {
      answers.get();
      await condition.check();
      requireWritable(file);
    },
    close: once(async () => {
      await close();
      await checkpoints.close();
      await condition.close();
      reader.close();
      writer.close();
    }),
  };
}

/**
 * For `Store.isCurrent`. The service is the only node, but commands of operators write to its file too: checks once a second whether any
 * connection other than the writer's has written to it.
 */
function writesOfOthers(writer: Connection): (since: number) => boolean {
  const counter = writer.prepare<[], number>('pragma data_version').pluck();
  let [counted, checked] = [counter.get(), Date.now()];
  let lastWrite = checked;
  return (since) => {
    const now = Date.now();
    const isSetBack = now < checked;
    if (isSetBack || now - checked >= CACHED) {
      const count = counter.get();
      // If the clock was set back, nothing is current until it has passed every time at which something was read.
      if (isSetBack) lastWrite = Math.max(lastWrite, checked + CACHED);
      else if (count !== counted) lastWrite = now;
      [counted, checked] = [count, now];
    }
    return since > lastWrite;
  };
}

/**
 * Another program may hold the write lock for long, as a move does. SQLite itself would block this thread, including all reads: here the
 * thread continues in the meantime. Rejects with the engine's error after a second.
 */
async function whileBusy(file: string, begin: () => void): Promise<void> {
  const last = performance.now() + TIMEOUT;
  for (;;) {
    requireWritable(file);
    try {
      return begin();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= last) throw error;
      await later(PAUSE);
    }
  }
}

/** Milliseconds. */
const TIMEOUT = 1000;
const PAUSE = 10;
/** Writes between two checkpoints. */
const WRITES_BETWEEN = 1000;

/**
 * Refuses changes of a database that was made read-only while it is open: SQLite, which has the files open, may not notice.
 */
function requireWritable(file: string): void {
  try {
    for (const one of [file, dirname(file)]) accessSync(one, constants.W_OK);
  } catch (error) {
    throw storageReadOnly(error);
  }
}

/** The statements of one connection, each prepared once. */
function preparedStatements(db: Connection): (statement: Pick<Statement, 'sql'>) => Prepared<unknown[]> {
  const prepared = new Map<string, Prepared<unknown[]>>();
  return ({ sql }) => {
    let found = prepared.get(sql);
    if (found === undefined) prepared.set(sql, (found = db.prepare<unknown[]>(sql)));
    return found;
  };
}

/** The rows of a statement; none if it only changes something. */
function rowsOf(prepared: Prepared<unknown[]>, { parameters }: Statement): readonly unknown[] {
  if (prepared.reader) return prepared.all(...parameters);
  prepared.run(...parameters);
  return [];
}

interface SqliteTransactions {
  readonly file: string;
  readonly db: Connection;
  readonly compile: Compile;
  readonly traced: Traced;
  committed(writes: number): void;
}

/**
 * The only writing connection. Its transaction is the same object each time: recreating all functions of a write costs as much as a
 * statement.
 */
function sqliteTransactions({ file, db, compile, traced, committed }: SqliteTransactions): TransactionEngine {
  const prepare = preparedStatements(db);
  const [begin, commit, rollback] = [db.prepare('begin immediate'), db.prepare('commit'), db.prepare('rollback')];
  const [savepoint, release, undo] = [db.prepare('savepoint one'), db.prepare('release one'), db.prepare('rollback to one')];
  const changes: Change[] = [];
  let failed: unknown;
  let unwritable: unknown;
  let writes = 0;

  function executed<T>(query: RawBuilder<unknown>, work: (prepared: Prepared<unknown[]>, statement: Statement) => T): Promise<T> {
    const statement = compile(query);
    return traced(statement, async () => {
      const prepared = prepare(statement);
      // Reads are answered even if nothing can be written.
      if (unwritable !== undefined && !prepared.readonly) throw storageError(unwritable);
      try {
        return work(prepared, statement);
      } catch (error) {
        const found = statementError(error);
        if (found.failed) failed = error;
        throw found.error;
      }
    });
  }
  // Safe: a query declares the type of its rows.
  const rows = ((query) => executed(query, rowsOf)) as Query;
  const run = (query: RawBuilder<unknown>) => executed(query, (prepared, { parameters }) => prepared.run(...parameters).changes);
  const transaction: Transaction = {
    writes: writesOn({
      dialect: 'sqlite',
      rows,
      run,
      async must(query, atLeast = 1) {
        if ((await run(query)) < atLeast) throw new Conflicted();
      },
      async may(query) {
        await run(query);
      },
      changed: (change) => void changes.push(change),
    }),
    rows,
    changes,
    get failed() {
      return failed;
    },
    async settled() {
      // Each statement was executed immediately.
    },
    async begin() {
      writes += 1;
      if (db.inTransaction) savepoint.run();
    },
    async release() {
      if (db.inTransaction) release.run();
    },
    async undo() {
      if (!db.inTransaction) return;
      undo.run();
      release.run();
    },
  };

  return {
    lanes: 1,
    async transaction(_orgs, work) {
      changes.length = 0;
      failed = undefined;
      writes = 1;
      unwritable = await whileBusy(file, () => void begin.run()).then(
        () => undefined,
        (error: unknown) => error,
      );
      try {
        if (!(await work(transaction)) || !db.inTransaction) return;
        commit.run();
        committed(writes);
      } finally {
        // SQLite may have rolled back the transaction itself, e.g. when the disk is full.
        if (db.inTransaction) rollback.run();
      }
    },
  };
}
