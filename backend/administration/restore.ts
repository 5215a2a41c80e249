import { stat } from 'node:fs/promises';
import { writableAddress } from '../db/postgres/servers.ts';
import type { Settings } from '../config.ts';
import { requirePassable } from './libpq-environment.ts';
import { requireStopped } from './require-stopped.ts';
import { restorePostgres } from './restore-postgres.ts';
import { restoreSqlite } from './restore-sqlite.ts';
import { UsageError } from './usage-error.ts';

/**
 * `restore-backup <file>`: replaces the database by a copy that `backup` made, while the service is stopped. A copy of the embedded database is
 * verified first, and the replaced one is kept beside it. With PostgreSQL the restore is all or nothing, and leaves nothing else. Says that
 * permissions of the time of the backup are valid again.
 */
export async function restore([file, ...more]: readonly string[], settings: Settings): Promise<number> {
  if (file === undefined || more.length > 0) throw new UsageError('Specify the copy: restore-backup <file>.');
  await stat(file).catch((cause: unknown) => {
    throw new Error(`The file ${file} does not exist.`, { cause });
  });
  const databaseUrl = settings.DATABASE_URL?.reveal();
  if (databaseUrl !== undefined) requirePassable(databaseUrl);
  await requireStopped(settings);
  let status = 0;
  if (databaseUrl === undefined) await restoreSqlite(file, settings.DATA_DIR);
  else status = await restorePostgres(file, await writableAddress(databaseUrl));
  process.stdout.write(OLD_RIGHTS);
  return status;
}

/** The program cannot know what was revoked after the copy was made: nothing of it is in the copy. */
const OLD_RIGHTS = `Everything revoked after the copy was made is valid again: deleted API keys and secrets, ended sessions, removed people.
Review them. To end every token and API key, replace the signing key: see "Keys" in docs/operations.md.
`;
