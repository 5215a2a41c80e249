import type BetterSqlite3 from 'better-sqlite3';
import type { Database as Connection } from 'better-sqlite3';
import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { isBusy } from '../storage-error.ts';

const require = createRequire(import.meta.url);

/**
 * The file of better-sqlite3. From Node.js 22 on it is version 13 where that is installed: version 12 ends programs on 24.19 and later.
 * Before, it is version 12, for 13 is not made for Node.js 20.
 */
export const DRIVER = Number.parseInt(process.versions.node, 10) < 22 ? require.resolve('better-sqlite3') : newest();

// Safe: both versions have the same calls, which is what the types of the older one say.
export const Database = require(DRIVER) as typeof BetterSqlite3;

function newest(): string {
  try {
    return require.resolve('better-sqlite3-13');
  } catch {
    return require.resolve('better-sqlite3');
  }
}

interface WriterOptions {
  /** At most so many pages. */
  readonly maxPages?: number | undefined;
  /** Milliseconds that the thread stands still while another program writes. */
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
  // What a savepoint needs for its undoing stays in memory, instead of in a file that is made for each.
  db.pragma('temp_store = MEMORY');
  db.pragma('cache_size = -32768');
  if (maxPages !== undefined) db.pragma(`max_page_count = ${maxPages}`);
  return db;
}

/** A connection of its own for reads: it sees nothing that is not committed. */
export function connectReader(file: string): Connection {
  const db = new Database(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT });
  db.pragma('cache_size = -32768');
  return db;
}

const BUSY_TIMEOUT = 1000;

/** The embedded database, in the data directory. */
export const DATABASE_FILE = 'repoless.sqlite';

/** A file of a database that its owner alone reads, made where it is missing. SQLite gives what it puts beside it the same mode. */
export function privateFile(folder: string, name: string): string {
  const file = join(folder, name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
  // What an earlier version made may be readable for others.
  for (const one of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(one)) chmodSync(one, 0o600);
  return file;
}

/** What a program does alone with its data folder. */
export interface Alone {
  /** As it is called in a sentence, e.g. `service`. Programs of different names do not keep each other out. */
  readonly name: string;
  /** Milliseconds that another one is waited for, which may be ending; a second at least. */
  readonly patience: number;
  /** Told, once, that another one is waited for. */
  waiting(sentence: string): void;
}

/**
 * Holds a data folder for the one program of its kind that may use it, until what comes out is called: such a program keeps ready what it read, and would
 * not hear of what another one writes. The system itself releases what a killed program held. Makes the folder where it is missing, and a file
 * in it, `<name>.lock`, which stays and says nothing by itself. Rejects with a sentence where another one goes on.
 */
export async function holdFolder(folder: string, { name, patience, waiting }: Alone): Promise<() => void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = lockFile(folder, name);
  // Whoever closes the file gives up the lock of its whole process: only what is not there is opened apart from SQLite.
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
  const wait = Math.max(patience, LEAST_PATIENCE);
  const last = performance.now() + wait;
  for (let isTold = false; ; isTold = true) {
    const held = tryToHold(file);
    if (held !== undefined) return () => void held.close();
    if (performance.now() >= last)
      throw new Error(
        `Another ${name} runs on the folder ${folder}. Stop it, or set DATA_DIR to another folder. Several nodes share a PostgreSQL database (DATABASE_URL).`,
      );
    if (!isTold) waiting(`Another ${name} runs on the folder ${folder}. Waiting for it to end, at most ${Math.ceil(wait / 1000)} seconds.`);
    await later(PAUSE);
  }
}

export function lockFile(folder: string, name: string): string {
  return join(folder, `${name.replaceAll(' ', '-')}.lock`);
}

/** The lock of a file, which is made where it is missing, until it is closed; undefined where somebody else has it. SQLite's locks are those of the system. */
export function tryToHold(file: string): Connection | undefined {
  const db = new Database(file, { timeout: 0 });
  try {
    // Nothing is written: no journal is to be left where the program is killed.
    db.pragma('journal_mode = memory');
    db.exec('begin exclusive');
    return db;
  } catch (error) {
    db.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

/** Milliseconds between two looks. */
const PAUSE = 100;
/** Milliseconds until the system released what a killed program held. */
const LEAST_PATIENCE = 1000;
