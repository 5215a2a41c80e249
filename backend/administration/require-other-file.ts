import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { lockFile } from '../db/sqlite/hold-folder.ts';
import type { Settings } from '../config.ts';
import { DATABASE_FILE } from './database-file.ts';

/**
 * Refuses a file that the service owns or would use: the embedded database with the files beside it, the lock, and the keys. `file` is in an
 * existing folder, however it is spelled.
 */
export async function requireOtherFile(file: string, { DATA_DIR, SIGNING_KEY_FILE, SECRET_KEY_FILE }: Settings): Promise<void> {
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
