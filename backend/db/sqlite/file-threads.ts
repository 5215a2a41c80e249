import type { Database as Connection } from 'better-sqlite3';
import { Worker } from 'node:worker_threads';
import { storageDamaged } from '../storage-error.ts';
import { DRIVER } from './connect.ts';

/**
 * Moves the write-ahead log into the database, off the hot path: a worker thread copies most of it, then a short pass here copies the rest,
 * so that the log restarts and does not grow.
 */
export function checkpointer(file: string, db: Connection) {
  let working = false;
  let worker: Worker | undefined;

  function finish(): void {
    working = false;
    if (db.open) db.pragma('wal_checkpoint(PASSIVE)');
  }
  function stopped(): void {
    worker = undefined;
    working = false;
  }

  return {
    /** Returns false if the previous one has not ended. */
    start(): boolean {
      if (working) return false;
      working = true;
      worker ??= started(file, finish, stopped);
      worker.postMessage('checkpoint');
      return true;
    },
    async close(): Promise<void> {
      await worker?.terminate();
    },
  };
}

function started(file: string, finish: () => void, stopped: () => void): Worker {
  const worker = new Worker(CHECKPOINTS, { eval: true, workerData: { module: DRIVER, file } });
  worker.on('message', finish);
  // Without the worker the log grows until the next checkpoint; nothing is lost, and the next one starts another worker.
  worker.on('error', stopped);
  worker.unref();
  return worker;
}

// As text, because a worker's file would have to be found both in the sources and in the build.
const CHECKPOINTS = `
const { parentPort, workerData } = require('node:worker_threads');
const Database = require(workerData.module);
const db = new Database(workerData.file, { timeout: 1000 });
db.pragma('synchronous = FULL');
parentPort.on('message', () => {
  db.pragma('wal_checkpoint(PASSIVE)');
  parentPort.postMessage('done');
});
`;

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
    worker ??= new Worker(EXAMINATION, { eval: true, workerData: { module: DRIVER, file } });
    worker.unref();
    damaged = await foundBy(worker);
    const took = performance.now() - started;
    due = performance.now() + Math.max(LEAST_PAUSE, took * PAUSE_FACTOR);
    probing = undefined;
  }

  return {
    /** Rejects if the database is known to be damaged. */
    async check(): Promise<void> {
      if (performance.now() >= due) probing ??= probe();
      if (probing !== undefined) await within(probing, TIMEOUT);
      const [table] = damaged;
      if (table !== undefined) throw storageDamaged(table);
    },
    async close(): Promise<void> {
      await worker?.terminate();
    },
  };
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

const EXAMINATION = `
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

const TIMEOUT = 1000;
const LEAST_PAUSE = 5000;
const PAUSE_FACTOR = 100;
