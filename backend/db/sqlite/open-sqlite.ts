import type { Database as Connection } from 'better-sqlite3';
import { SqliteDialect } from 'kysely';
import { setTimeout as later } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { CACHED } from '../../domain/change-aware-cache.ts';
import type { Store } from '../../domain/ports.ts';
import { NO_TRACING } from '../../tracing/tracing.ts';
import { migrate, once } from '../migrate.ts';
import { compilerFor, type Database, type Query, tracedStatements } from '../queries.ts';
import { isBusy, storageError } from '../storage-error.ts';
import { type StoreOptions, storesOn } from '../store.ts';
import { createChangeNotifier, transactions } from '../transactions.ts';
import { connectReader, connectWriter, DATABASE_FILE, DRIVER, lockFolder, privateFile } from './connect.ts';
import { databaseCondition, preparedStatements, requireWritable, rowsOf, sqliteTransactions } from './transaction.ts';

/**
 * The embedded store: one writing process, one file `repoless.sqlite` in the data directory. Rejects with a message if `alone` cannot be
 * satisfied.
 */
export async function openSqlite({ alone, ...options }: Omit<StoreOptions, 'databaseUrl'>): Promise<Store> {
  if (alone === undefined) return await open(options);
  const release = await lockFolder(options.dataDir, alone);
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
  const patiently = patientWriter(() => requireWritable(file));
  const { write, change, close } = transactions(
    sqliteTransactions({ db: writer, compile, traced, patiently, committed: checkpoints.committed }),
    { announce: notifier.changed, tracing, system: 'sqlite', refusesNested },
  );
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
function patientWriter(check: () => void): (work: () => void) => Promise<void> {
  return async (work) => {
    const last = performance.now() + PATIENCE;
    for (;;) {
      check();
      try {
        return work();
      } catch (error) {
        if (!isBusy(error) || performance.now() >= last) throw error;
        await later(PAUSE);
      }
    }
  };
}

/** Milliseconds. */
const PATIENCE = 1000;
const PAUSE = 10;

/**
 * Moves the write-ahead log into the database, off the hot path: a worker thread copies most of it, then a short pass here copies the rest,
 * so that the log restarts and does not grow.
 */
function checkpointer(file: string, db: Connection) {
  let waiting = 0;
  let working = false;
  let worker: Worker | undefined;

  function startCheckpoint(): void {
    working = true;
    worker ??= started(file, finish, stopped);
    worker.postMessage('checkpoint');
  }
  function finish(): void {
    working = false;
    if (db.open) db.pragma('wal_checkpoint(PASSIVE)');
  }
  function stopped(): void {
    worker = undefined;
    working = false;
  }

  return {
    committed(writes: number): void {
      waiting += writes;
      if (working || waiting < WRITES_BETWEEN) return;
      waiting = 0;
      startCheckpoint();
    },
    async close(): Promise<void> {
      await worker?.terminate();
    },
  };
}

function started(file: string, finish: () => void, stopped: () => void): Worker {
  const worker = new Worker(WORKER, { eval: true, workerData: { module: DRIVER, file } });
  worker.on('message', finish);
  // Without the worker the log grows until the next checkpoint; nothing is lost, and the next one starts another worker.
  worker.on('error', stopped);
  worker.unref();
  return worker;
}

// As text, because a worker's file would have to be found both in the sources and in the build.
const WORKER = `
const { parentPort, workerData } = require('node:worker_threads');
const Database = require(workerData.module);
const db = new Database(workerData.file, { timeout: 1000 });
db.pragma('synchronous = FULL');
parentPort.on('message', () => {
  db.pragma('wal_checkpoint(PASSIVE)');
  parentPort.postMessage('done');
});
`;
const WRITES_BETWEEN = 1000;
