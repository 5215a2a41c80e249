import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writableAddress } from '#backend/storage/postgres/servers.ts';
import { Database } from '#backend/storage/sqlite/driver.ts';
import type { Settings } from '../config.ts';
import { DATABASE_FILE } from './database-file.ts';
import { onDisk } from './on-disk.ts';
import { requireStopped } from './require-stopped.ts';
import { restorePostgres } from './restore-postgres.ts';
import { UsageError } from './usage-error.ts';
import { counted, lookAt } from './verify.ts';

/**
 * `restore-backup <file>`: puts a copy that `backup` made in the place of the database, while the service is stopped. A copy of the embedded
 * database is verified first, and what it replaces is kept beside it. With PostgreSQL it is restored whole or not at all, and nothing else is left. Says that rights of then are
 * valid again.
 */
export async function restore([file, ...more]: readonly string[], settings: Settings): Promise<number> {
  if (file === undefined || more.length > 0) throw new UsageError('Name the copy: restore-backup <file>.');
  await stat(file).catch((cause: unknown) => {
    throw new Error(`There is no file ${file}.`, { cause });
  });
  await requireStopped(settings);
  const databaseUrl = settings.DATABASE_URL?.reveal();
  let status = 0;
  if (databaseUrl === undefined) await restoreSqlite(file, settings.DATA_DIR);
  else {
    const address = await writableAddress(databaseUrl);
    status = await restorePostgres(file, address, AGAIN_IN_POSTGRES);
  }
  process.stdout.write(OLD_RIGHTS);
  return status;
}

async function restoreSqlite(file: string, dataDir: string): Promise<void> {
  const { counts, problems } = await lookAt(file);
  if (problems.length > 0) throw new Error(`${problems.join('\n')}\nThe copy is not complete, so that it was not restored.`);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const place = join(dataDir, DATABASE_FILE);
  const draft = `${place}.${randomUUID()}`;
  try {
    await copyFile(file, draft, constants.COPYFILE_EXCL);
    lookAtCopyAgain(draft);
    await onDisk(draft);
    const kept = `${place}.replaced-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
    const moved: string[] = [];
    // With the further files of another database beside it, it would not be what was backed up.
    for (const end of ['', '-wal', '-shm']) if (await renamed(`${place}${end}`, `${kept}${end}`)) moved.push(`${kept}${end}`);
    await rename(draft, place);
    await onDisk(dataDir);
    const before = moved[0] === undefined ? '' : ` What was there before is ${moved[0]}.`;
    process.stdout.write(`${counted(counts)}: restored.${before}\n`);
  } finally {
    await rm(draft, { force: true });
  }
}

async function renamed(from: string, to: string): Promise<boolean> {
  return rename(from, to).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
      throw error;
    },
  );
}

/** The program cannot know what was revoked after the copy was made: nothing of it is in the copy. */
const OLD_RIGHTS = `What was revoked after the copy was made is valid again: API keys and secrets that were deleted, sessions that were ended, people who were removed.
Review them. To end every token and API key, replace the signing key: see "Keys" in docs/operations.md.
`;

/** The published copy is newer than a database that was brought back: all of it is compared again at the next start. */
const AGAIN = `update publishing set phase = 'sites', after_key = '', due = '', owner = '', lease_until = ''`;
const AGAIN_IN_POSTGRES = `do $$ begin if to_regclass('publishing') is not null then ${AGAIN}; end if; end $$`;

function lookAtCopyAgain(file: string): void {
  const db = new Database(file, { fileMustExist: true });
  try {
    // A copy of an earlier version publishes nothing.
    if (db.prepare("select 1 from sqlite_master where type = 'table' and name = 'publishing'").get() !== undefined) db.exec(AGAIN);
  } finally {
    db.close();
  }
}
