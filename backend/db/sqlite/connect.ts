import type BetterSqlite3 from 'better-sqlite3';
import type { Database as Connection } from 'better-sqlite3';
import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { isBusy } from '../storage-error.ts';

const require = createRequire(import.meta.url);

/**
 * The file of better-sqlite3. From Node.js 22 on, version 13 if it is installed: version 12 crashes on 24.19 and later. Before, version 12,
 * because 13 does not support Node.js 20.
 */
export const DRIVER = Number.parseInt(process.versions.node, 10) < 22 ? require.resolve('better-sqlite3') : newest();

// Safe: both versions have the same API, and these are the types of the older one.
export const Database = require(DRIVER) as typeof BetterSqlite3;

function newest(): string {
  try {
    return require.resolve('better-sqlite3-13');
  } catch {
    return require.resolve('better-sqlite3');
  }
}

interface WriterOptions {
  readonly maxPages?: number | undefined;
  /** Milliseconds that the thread blocks while another program writes. */
  readonly timeout?: number;
}

/**
 * The connection that writes. `synchronous` is set at every open: an existing WAL database is otherwise reopened with
 * NORMAL, which may lose acknowledged writes when the power fails.
 */
export function connectWriter(file: string, { maxPages, timeout = BUSY_TIMEOUT }: WriterOptions = {}): Connection {
  const db = new Database(file, { timeout });
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  // A thread makes the checkpoints (see open-sqlite.ts).
  db.pragma('wal_autocheckpoint = 0');
  // Savepoints keep their undo data in memory, instead of creating a file for each.
  db.pragma('temp_store = MEMORY');
  db.pragma('cache_size = -32768');
  if (maxPages !== undefined) db.pragma(`max_page_count = ${maxPages}`);
  return db;
}

/** A separate connection for reads: it sees only committed data. */
export function connectReader(file: string): Connection {
  const db = new Database(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT });
  db.pragma('cache_size = -32768');
  return db;
}

const BUSY_TIMEOUT = 1000;

/** The embedded database, in the data directory. */
export const DATABASE_FILE = 'repoless.sqlite';

/** A database file that only its owner can read, created if it is missing. SQLite creates its companion files with the same mode. */
export function privateFile(folder: string, name: string): string {
  const file = join(folder, name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
  // Files of an earlier version may be readable for others.
  for (const one of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(one)) chmodSync(one, 0o600);
  return file;
}

/** A program's exclusive use of its data folder. */
export interface ExclusiveUse {
  /** Its name in messages, e.g. `service`. Programs of different names do not exclude each other. */
  readonly name: string;
  /** Milliseconds to wait for another one, which may be ending; at least a second. */
  readonly maxWait: number;
  /** Called once, while waiting for another one. */
  onWaiting(sentence: string): void;
}

/**
 * Locks a data folder for the only program of its kind that may use it, until the returned function is called: such a program caches what
 * it read, and would not notice another one's writes. The system itself releases the lock of a killed program. Creates the folder if it is
 * missing, and a file in it, `<name>.lock`, which stays and means nothing by itself. Rejects with a message if another one keeps running.
 */
export async function lockFolder(folder: string, { name, maxWait, onWaiting }: ExclusiveUse): Promise<() => void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = lockFile(folder, name);
  // Closing the file would release all locks of the process: outside of SQLite, it is opened only if it does not exist.
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
  const wait = Math.max(maxWait, MIN_WAIT);
  const last = performance.now() + wait;
  for (let isReported = false; ; isReported = true) {
    const lock = tryLock(file);
    if (lock !== undefined) return () => void lock.close();
    if (performance.now() >= last)
      throw new Error(
        `Another ${name} runs on the folder ${folder}. Stop it, or set DATA_DIR to another folder. Several nodes share a PostgreSQL database (DATABASE_URL).`,
      );
    if (!isReported)
      onWaiting(`Another ${name} runs on the folder ${folder}. Waiting for it to end, at most ${Math.ceil(wait / 1000)} seconds.`);
    await later(PAUSE);
  }
}

export function lockFile(folder: string, name: string): string {
  return join(folder, `${name.replaceAll(' ', '-')}.lock`);
}

/**
 * The lock of a file, which is created if it is missing, until it is closed; undefined if another program holds it. SQLite's locks are
 * those of the system.
 */
export function tryLock(file: string): Connection | undefined {
  const db = new Database(file, { timeout: 0 });
  try {
    // Nothing is written, so that a killed program leaves no journal.
    db.pragma('journal_mode = memory');
    db.exec('begin exclusive');
    return db;
  } catch (error) {
    db.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

/** Milliseconds between two attempts. */
const PAUSE = 100;
/** Milliseconds until the system has released the locks of a killed program. */
const MIN_WAIT = 1000;
