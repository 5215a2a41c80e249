import { Worker } from 'node:worker_threads';
import { Refusal } from '../../domain/errors.ts';
import type { Row } from '../row.ts';
import type { Query } from '../sql-reads.ts';
import { storageError } from '../storage-error.ts';
import { DRIVER } from './driver.ts';

export interface CountingThread {
  readonly query: Query;
  close(): Promise<void>;
}

interface PendingQuery {
  resolve(rows: readonly Row[]): void;
  reject(error: unknown): void;
}

type ThreadAnswer = { readonly number: number } & ({ readonly rows: readonly Row[] } | { readonly code: string; readonly message: string });

/**
 * Reads of which nobody knows how many rows they look at, such as counts of all sites of an organization: on the thread of the service
 * everybody would wait for them. One at a time, on a connection that sees what was committed before it is asked. The thread begins with the
 * first, and ends when there was none for a while.
 */
export function countingThread(file: string): CountingThread {
  const waiting = new Map<number, PendingQuery>();
  let last = 0;
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let closed = false;

  function begin(): Worker {
    const one = new Worker(WORKER, { eval: true, workerData: { module: DRIVER, file } });
    one.on('message', hear);
    one.once('error', (error) => end(one, error));
    one.once('exit', () => end(one));
    return one;
  }
  function hear(answer: ThreadAnswer): void {
    const pending = waiting.get(answer.number);
    waiting.delete(answer.number);
    if (waiting.size === 0) rest();
    if ('rows' in answer) pending?.resolve(answer.rows);
    else pending?.reject(storageError(Object.assign(new Error(answer.message), { code: answer.code })));
  }
  function rest(): void {
    worker?.unref();
    idle = setTimeout(() => void stop(), IDLE);
    idle.unref();
  }
  /** The next read begins another one. */
  function end(one: Worker, cause?: unknown): void {
    if (worker !== one) return;
    worker = undefined;
    for (const { reject } of waiting.values()) reject(ended(cause));
    waiting.clear();
  }
  async function stop(): Promise<void> {
    clearTimeout(idle);
    const one = worker;
    if (one === undefined) return;
    end(one);
    await one.terminate();
  }

  return {
    query: (statement, args) =>
      new Promise((resolve, reject) => {
        if (closed) return void reject(ended());
        const { name, sql } = statement;
        const values = statement.bind(args);
        clearTimeout(idle);
        worker ??= begin();
        worker.ref();
        last += 1;
        waiting.set(last, { resolve, reject });
        worker.postMessage({ number: last, name, sql, values });
      }),
    async close() {
      closed = true;
      await stop();
    },
  };
}

function ended(cause?: unknown): Refusal {
  return new Refusal('STORAGE_UNAVAILABLE', 'The storage does not respond. Repeat the request in a moment.', { cause, retryAfter: 5 });
}

/** Milliseconds. */
const IDLE = 60_000;

// As text, because a worker's file would have to be found both in the sources and in the build.
const WORKER = `
const { parentPort, workerData } = require('node:worker_threads');
const Database = require(workerData.module);
const db = new Database(workerData.file, { readonly: true, fileMustExist: true, timeout: 1000 });
const prepared = new Map();
parentPort.on('message', ({ number, name, sql, values }) => {
  try {
    if (!prepared.has(name)) prepared.set(name, db.prepare(sql));
    parentPort.postMessage({ number, rows: prepared.get(name).all(...values) });
  } catch (error) {
    parentPort.postMessage({ number, code: String(error.code), message: String(error.message) });
  }
});
`;
