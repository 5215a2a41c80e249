import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Settings } from '../config.ts';
import { writableAddress } from '../db/postgres/connections.ts';
import { Database, DATABASE_FILE, lockFile, tryLock } from '../db/sqlite/connect.ts';
import { requireAnyDatabase, UsageError } from './database-state.ts';
import { postgresTool, requirePassable } from './postgres-tool.ts';

/**
 * `backup <file>`: one complete copy of the database as of now, while the service runs. An earlier copy at this path stays until the new
 * one is complete and on disk. With PostgreSQL it is a dump in custom format. Refuses a file of the service.
 */
export async function backup([file, ...more]: readonly string[], settings: Settings): Promise<number> {
  if (file === undefined || more.length > 0) throw new UsageError('Specify the file for the copy: backup <file>.');
  const address = settings.DATABASE_URL?.reveal();
  if (address !== undefined) requirePassable(address);
  const folder = dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await requireOtherFile(file, settings);
  const source = await requireAnyDatabase(settings);
  const temporary = await startTemporaryFile(file, 'The copy was discarded. No file was created, and an earlier copy is unchanged.');
  try {
    if (address === undefined) copySqlite(join(settings.DATA_DIR, DATABASE_FILE), temporary.file);
    else await postgresTool('pg_dump', await writableAddress(address), ['--format=custom', '--file', temporary.file], temporary.signal);
    await syncToDisk(temporary.file);
    temporary.signal.throwIfAborted();
    await rename(temporary.file, file);
    await syncToDisk(folder);
  } catch (error) {
    temporary.signal.throwIfAborted();
    throw error;
  } finally {
    await temporary.end();
  }
  process.stdout.write(`The copy is ${file}, ${(await stat(file)).size} bytes, of ${source}.\n`);
  return 0;
}

/** Acknowledged changes may still be in the `-wal` file: SQLite itself writes the copy. */
export function copySqlite(from: string, to: string): void {
  if (!existsSync(from)) throw new Error(`The database ${from} does not exist. Set DATA_DIR to the value that the service uses.`);
  const db = new Database(from, { readonly: true, fileMustExist: true });
  try {
    db.prepare('vacuum into ?').run(to);
  } finally {
    db.close();
  }
}

/**
 * Refuses files that the service owns or would use: the embedded database with its companion files, the lock, and the keys. `file` is in an
 * existing folder, in any spelling.
 */
async function requireOtherFile(file: string, { DATA_DIR, SIGNING_KEY_FILE, SECRET_KEY_FILE }: Settings): Promise<void> {
  const database = join(DATA_DIR, DATABASE_FILE);
  const named = await identifiersOf(file);
  for (const own of [database, `${database}-wal`, `${database}-shm`, lockFile(DATA_DIR, 'service'), SIGNING_KEY_FILE, SECRET_KEY_FILE]) {
    const names = await identifiersOf(own);
    if (names.some((name) => named.includes(name)))
      throw new Error(`${file} is a file of the service, which the copy would overwrite. Specify another one.`);
  }
}

/** Identifies a file: by its resolved path and, if it exists, by device and inode. Empty if its folder does not exist. */
async function identifiersOf(file: string): Promise<string[]> {
  const folder = await realpath(dirname(file)).catch(() => undefined);
  if (folder === undefined) return [];
  const found = await stat(file, { bigint: true }).catch(() => undefined);
  return [`path ${join(folder, basename(file))}`, ...(found === undefined ? [] : [`inode ${found.dev} ${found.ino}`])];
}

interface TemporaryFile {
  readonly file: string;
  /** Aborted, with the message as its reason, when the program is asked to end. */
  readonly signal: AbortSignal;
  /** Removes the file unless it was renamed, and lets signals end the program again. */
  end(): Promise<void>;
}

/**
 * Creates a file that replaces its target only when it is complete. Until `end`, SIGINT and SIGTERM do not end the
 * program: check `signal` before the last step. `canceled` is the message for a canceled run. The folder must exist.
 * Removes abandoned temporary files of the same target.
 */
export async function startTemporaryFile(target: string, canceled: string): Promise<TemporaryFile> {
  const shutdown = onShutdownSignal(canceled);
  try {
    const temporary = await createLockedFile(target);
    return { file: temporary.file, signal: shutdown.signal, end: () => temporary.end().finally(shutdown.end) };
  } catch (error) {
    shutdown.end();
    throw error;
  }
}

/**
 * While the program runs, a lock on a file next to it marks it as in use. If the folder does not support locks, the temporary file of a
 * killed program is never removed.
 */
async function createLockedFile(target: string): Promise<Omit<TemporaryFile, 'signal'>> {
  await removeAbandoned(target);
  const file = `${target}.${randomUUID()}`;
  const lock = lockFor(file);
  return {
    file,
    async end() {
      await removeFiles(file);
      lock?.close();
    },
  };
}

function lockFor(file: string) {
  for (;;) {
    try {
      const lock = tryLock(`${file}${LOCK}`);
      // Another program may have removed the lock file before it was locked here: then the lock is on an unlinked file.
      if (lock !== undefined && existsSync(`${file}${LOCK}`)) return lock;
      lock?.close();
    } catch {
      return undefined;
    }
  }
}

async function removeAbandoned(target: string): Promise<void> {
  const prefix = `${basename(target)}.`;
  for (const name of await readdir(dirname(target))) {
    if (!name.startsWith(prefix) || !UNIQUE.test(name.slice(prefix.length))) continue;
    const file = join(dirname(target), name.slice(0, -LOCK.length));
    try {
      const lock = tryLock(`${file}${LOCK}`);
      if (lock !== undefined) await removeFiles(file).finally(() => lock.close());
    } catch {
      // For example, it belongs to another account: harmless.
    }
  }
}

/** The lock goes last: a program that finds it can still remove the other files. */
async function removeFiles(file: string): Promise<void> {
  for (const end of ['', '-journal', '-wal', '-shm', LOCK]) await rm(`${file}${end}`, { force: true });
}

const LOCK = '.lock';
const UNIQUE = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.lock$/;

/** Resolves when a written file or folder is on disk, so that it survives a power failure. */
export async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}

interface ShutdownSignal {
  /** Aborted by SIGINT or SIGTERM, with the message as its reason. */
  readonly signal: AbortSignal;
  /** Lets signals end the program again. */
  end(): void;
}

/**
 * Until `end`, SIGINT and SIGTERM do not end the program: check `signal` before the last step. `message` is shown for a
 * canceled run.
 */
export function onShutdownSignal(message: string): ShutdownSignal {
  const stop = new AbortController();
  const cancel = () => stop.abort(new Error(message));
  for (const signal of SIGNALS) process.on(signal, cancel);
  return {
    signal: stop.signal,
    end() {
      for (const signal of SIGNALS) process.off(signal, cancel);
    },
  };
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
