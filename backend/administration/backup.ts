import { existsSync } from 'node:fs';
import { mkdir, realpath, rename, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Settings } from '../config.ts';
import { writableAddress } from '../db/postgres/servers.ts';
import { Database, lockFile } from '../db/sqlite/connect.ts';
import { DATABASE_FILE } from './database-file.ts';
import { startDraft } from './draft.ts';
import { requirePassable } from './libpq-environment.ts';
import { onDisk } from './on-disk.ts';
import { postgresTool } from './postgres-tool.ts';
import { requireAnyDatabase } from './require-database.ts';
import { UsageError } from './usage-error.ts';

/**
 * `backup <file>`: one complete copy of the database as of now, while the service runs. An earlier copy at this path stays until the new one is
 * complete and on disk. With PostgreSQL it is a dump in custom format. Refuses a file of the service.
 */
export async function backup([file, ...more]: readonly string[], settings: Settings): Promise<number> {
  if (file === undefined || more.length > 0) throw new UsageError('Specify the file for the copy: backup <file>.');
  const address = settings.DATABASE_URL?.reveal();
  if (address !== undefined) requirePassable(address);
  const folder = dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await requireOtherFile(file, settings);
  const of = await requireAnyDatabase(settings);
  const draft = await startDraft(file, 'The copy was discarded. No file was created, and an earlier copy is unchanged.');
  try {
    if (address === undefined) copySqlite(join(settings.DATA_DIR, DATABASE_FILE), draft.file);
    else await postgresTool('pg_dump', await writableAddress(address), ['--format=custom', '--file', draft.file], draft.signal);
    await onDisk(draft.file);
    draft.signal.throwIfAborted();
    await rename(draft.file, file);
    await onDisk(folder);
  } catch (error) {
    draft.signal.throwIfAborted();
    throw error;
  } finally {
    await draft.end();
  }
  process.stdout.write(`The copy is ${file}, ${(await stat(file)).size} bytes, of ${of}.\n`);
  return 0;
}

/** Changes that were acknowledged may lie in the `-wal` file yet: SQLite itself writes the copy. */
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
 * Refuses a file that the service owns or would use: the embedded database with the files beside it, the lock, and the keys. `file` is in an
 * existing folder, however it is spelled.
 */
async function requireOtherFile(file: string, { DATA_DIR, SIGNING_KEY_FILE, SECRET_KEY_FILE }: Settings): Promise<void> {
  const place = join(DATA_DIR, DATABASE_FILE);
  const named = await namesOf(file);
  for (const own of [place, `${place}-wal`, `${place}-shm`, lockFile(DATA_DIR, 'service'), SIGNING_KEY_FILE, SECRET_KEY_FILE]) {
    const names = await namesOf(own);
    if (names.some((name) => named.includes(name)))
      throw new Error(`${file} is a file of the service, which the copy would overwrite. Specify another one.`);
  }
}

/** Identifies a file: by its resolved path and, if it exists, by device and inode. Undefined if its folder does not exist. */
async function namesOf(file: string): Promise<string[]> {
  const folder = await realpath(dirname(file)).catch(() => undefined);
  if (folder === undefined) return [];
  const found = await stat(file, { bigint: true }).catch(() => undefined);
  return [`path ${join(folder, basename(file))}`, ...(found === undefined ? [] : [`inode ${found.dev} ${found.ino}`])];
}
