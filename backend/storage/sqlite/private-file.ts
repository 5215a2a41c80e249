import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';

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
