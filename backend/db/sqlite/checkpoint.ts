import { Worker } from 'node:worker_threads';
import type { Database as Connection } from 'better-sqlite3';
import { DRIVER } from './driver.ts';

export interface Checkpointer {
  /** To be called after each commit, with the number of writes in it. */
  committed(writes: number): void;
  close(): Promise<void>;
}

/**
 * Moves what the write-ahead log holds into the database, off the hot path: a worker thread copies the bulk, then a short
 * pass here copies what came meanwhile, so that the log begins anew and does not grow.
 */
export function checkpointer(file: string, db: Connection): Checkpointer {
  let waiting = 0;
  let working = false;
  let worker: Worker | undefined;

  function begin(): void {
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
    committed(writes) {
      waiting += writes;
      if (working || waiting < WRITES_BETWEEN) return;
      waiting = 0;
      begin();
    },
    async close() {
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
