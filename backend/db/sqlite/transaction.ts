import type { Database as Connection, Statement as Prepared } from 'better-sqlite3';
import type { RawBuilder } from 'kysely';
import type { Change, Compile, Query, Statement, Traced } from '../queries.ts';
import { Conflicted, storageDamaged, storageError, storageReadOnly } from '../storage-error.ts';
import { writesOn } from '../store.ts';
import { statementError, type Transaction, type TransactionEngine } from '../transactions.ts';
import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { DRIVER } from './connect.ts';

/** The statements of one connection, each prepared once. */
export function preparedStatements(db: Connection): (statement: Pick<Statement, 'sql'>) => Prepared<unknown[]> {
  const prepared = new Map<string, Prepared<unknown[]>>();
  return ({ sql }) => {
    let found = prepared.get(sql);
    if (found === undefined) prepared.set(sql, (found = db.prepare<unknown[]>(sql)));
    return found;
  };
}

/** The rows of a statement; none if it only changes something. */
export function rowsOf(prepared: Prepared<unknown[]>, { parameters }: Statement): readonly unknown[] {
  if (prepared.reader) return prepared.all(...parameters);
  prepared.run(...parameters);
  return [];
}

interface SqliteTransactions {
  readonly db: Connection;
  readonly compile: Compile;
  readonly traced: Traced;
  /** Runs work that takes the write lock, as soon as no other program has it. Rejects if it cannot be taken. */
  patiently(work: () => void): Promise<void>;
  committed(writes: number): void;
}

/**
 * The only writing connection. Its transaction is the same object each time: recreating all functions of a write costs as much as a
 * statement.
 */
export function sqliteTransactions({ db, compile, traced, patiently, committed }: SqliteTransactions): TransactionEngine {
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
      unwritable = await patiently(() => void begin.run()).then(
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

/**
 * Reads the pages of a database, some of which may not have been read for long, on a separate thread: whenever its health is requested and
 * the last check was some time ago. A check that takes long is not waited for, and rarely repeated.
 */
export function databaseCondition(file: string) {
  let worker: Worker | undefined;
  let probing: Promise<void> | undefined;
  let damaged: readonly string[] = [];
  let due = 0;

  async function probe(): Promise<void> {
    const started = performance.now();
    worker ??= new Worker(WORKER, { eval: true, workerData: { module: DRIVER, file } });
    worker.unref();
    damaged = await foundBy(worker);
    const took = performance.now() - started;
    due = performance.now() + Math.max(LEAST_PAUSE, took * PAUSE_FACTOR);
    probing = undefined;
  }

  return {
    /** Rejects if the database is known to be damaged or read-only. */
    async check(): Promise<void> {
      if (performance.now() >= due) probing ??= probe();
      if (probing !== undefined) await within(probing, PATIENCE);
      const [table] = damaged;
      if (table !== undefined) throw storageDamaged(table);
      requireWritable(file);
    },
    async close(): Promise<void> {
      await worker?.terminate();
    },
  };
}

/**
 * Refuses changes of a database that was made read-only while it is open: SQLite, which has the files open, may not notice.
 */
export function requireWritable(file: string): void {
  try {
    for (const one of [file, dirname(file)]) accessSync(one, constants.W_OK);
  } catch (error) {
    throw storageReadOnly(error);
  }
}

/** The tables whose pages are damaged; an empty name if it cannot be determined. */
function foundBy(worker: Worker): Promise<readonly string[]> {
  return new Promise((resolve) => {
    worker.once('message', (tables: string[]) => resolve(tables));
    worker.once('error', () => resolve(['']));
    worker.once('exit', () => resolve([]));
    worker.postMessage('check');
  });
}

function within(work: Promise<void>, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    void work.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

// As text, because a worker's file would have to be found both in the sources and in the build.
const WORKER = `
const { parentPort, workerData } = require('node:worker_threads');
const Database = require(workerData.module);
parentPort.on('message', () => parentPort.postMessage(damagedTables()));
function damagedTables() {
  let db;
  try {
    db = new Database(workerData.file, { readonly: true, timeout: 1000 });
    const names = db.prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'").pluck().all();
    return names.filter((name) => !isSound(db, name));
  } catch (error) {
    return /CORRUPT|NOTADB/.test(String(error.code)) ? [''] : [];
  } finally {
    db?.close();
  }
}
function isSound(db, name) {
  try {
    return db.prepare('pragma quick_check("' + name + '")').pluck().get() === 'ok';
  } catch (error) {
    return !/CORRUPT|NOTADB/.test(String(error.code));
  }
}
`;

const PATIENCE = 1000;
const LEAST_PAUSE = 5000;
const PAUSE_FACTOR = 100;
