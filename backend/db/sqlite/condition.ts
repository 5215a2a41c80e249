import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { storageDamaged, storageReadOnly } from '../storage-error.ts';
import { DRIVER } from './connect.ts';

export interface Condition {
  /** Rejects if the database is known to be damaged or read-only. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Reads the pages of a database, some of which may not have been read for long, on a separate thread: whenever its health is requested and
 * the last check was some time ago. A check that takes long is not waited for, and rarely repeated.
 */
export function databaseCondition(file: string): Condition {
  let worker: Worker | undefined;
  let looking: Promise<void> | undefined;
  let damaged: readonly string[] = [];
  let due = 0;

  async function look(): Promise<void> {
    const begun = performance.now();
    worker ??= startWorker(file);
    damaged = await foundBy(worker);
    const took = performance.now() - begun;
    due = performance.now() + Math.max(LEAST_PAUSE, took * PAUSE_FACTOR);
    looking = undefined;
  }

  return {
    async check() {
      if (performance.now() >= due) looking ??= look();
      if (looking !== undefined) await within(looking, PATIENCE);
      const [table] = damaged;
      if (table !== undefined) throw storageDamaged(table);
      requireWritable(file);
    },
    async close() {
      await worker?.terminate();
    },
  };
}

/**
 * Refuses changes of a database that was made read-only while it is open: the engine, whose files are already open, notices late or never.
 */
export function requireWritable(file: string): void {
  try {
    for (const one of [file, dirname(file)]) accessSync(one, constants.W_OK);
  } catch (error) {
    throw storageReadOnly(error);
  }
}

function startWorker(file: string): Worker {
  const worker = new Worker(WORKER, { eval: true, workerData: { module: DRIVER, file } });
  worker.unref();
  return worker;
}

/** The tables whose pages are damaged; an empty name if it cannot be determined. */
function foundBy(worker: Worker): Promise<readonly string[]> {
  return new Promise((resolve) => {
    worker.once('message', (tables: string[]) => resolve(tables));
    worker.once('error', () => resolve(['']));
    worker.once('exit', () => resolve([]));
    worker.postMessage('look');
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
