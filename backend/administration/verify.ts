import { readFile } from 'node:fs/promises';
import { readTrailKeys } from '#backend/domain/audit/trail-keys.ts';
import type { TrailKeys } from '#backend/domain/audit/trail-keys.ts';
import { openCopy } from '#backend/storage/verify/open-copy.ts';
import { verifyCopy } from '#backend/storage/verify/verify-copy.ts';
import type { Verification } from '#backend/storage/verify/verify-copy.ts';
import { UsageError } from './usage-error.ts';

/**
 * `verify-backup <file> [<secret key file>]`: whether a copy of the database is whole; the seals of its audit trails are checked with the
 * secret key file. Out: exit status 0: it is; 1: it is not, a sentence for each fault.
 */
export async function verify([place, keyFile, ...more]: readonly string[]): Promise<number> {
  if (place === undefined || more.length > 0)
    throw new UsageError('Specify one copy: verify-backup <file, or postgres:// address> [<secret key file>].');
  const { counts, problems } = await lookAt(place, keyFile);
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  const last = problems.length === 0 ? 'everything is intact' : `${problems.length} ${problems.length === 1 ? 'fault' : 'faults'}`;
  process.stdout.write(`${counted(counts)}: ${last}.\n`);
  return problems.length === 0 ? 0 : 1;
}

/** In: a file of SQLite or a postgres:// address. Rejects with a sentence where it is no copy of this version. */
export async function lookAt(place: string, keyFile?: string): Promise<Verification> {
  const copy = await openCopy(place, keyFile === undefined ? undefined : await trailKeys(keyFile));
  return verifyCopy(copy).finally(() => copy.close());
}

/** How much is in a copy, e.g. `Organizations 1, sites 2, …`. */
export function counted(counts: Verification['counts']): string {
  const { orgs = 0, sites = 0, profiles = 0, versions = 0, api_keys: keys = 0, secrets = 0, audit = 0 } = counts;
  return `Organizations ${orgs}, sites ${sites}, profiles ${profiles}, versions ${versions}, API keys ${keys}, secrets ${secrets}, audit entries ${audit}`;
}

/** The keys of a file that is there: none is made for what others sealed. */
export async function trailKeys(file: string): Promise<TrailKeys> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Error(`The secret key file ${file} cannot be read.`, { cause });
  });
  try {
    return readTrailKeys(text);
  } catch (error) {
    throw new Error(`The secret key file ${file} cannot be used. ${error instanceof Error ? error.message : ''}`);
  }
}
