import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Database as Connection } from 'better-sqlite3';
import { Database } from './driver.ts';

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
  // Checkpoints are made elsewhere (see checkpoint.ts).
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
