import { openCopy } from '../db/verify/open-copy.ts';
import { verifyCopy } from '../db/verify/verify-copy.ts';
import type { Verification } from '../db/verify/verify-copy.ts';
import { UsageError } from './usage-error.ts';

/** `verify-backup <file>`: whether a copy of the database is whole. Out: exit status 0: it is; 1: it is not, a sentence for each fault. */
export async function verify([place, ...more]: readonly string[]): Promise<number> {
  if (place === undefined || more.length > 0) throw new UsageError('Specify one copy: verify-backup <file, or postgres:// address>.');
  const { counts, problems } = await lookAt(place);
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  const last = problems.length === 0 ? 'everything is intact' : `${problems.length} ${problems.length === 1 ? 'fault' : 'faults'}`;
  process.stdout.write(`${counted(counts)}: ${last}.\n`);
  return problems.length === 0 ? 0 : 1;
}

/** In: a file of SQLite or a postgres:// address. Rejects with a sentence where it is no copy of this version. */
export async function lookAt(place: string): Promise<Verification> {
  const copy = await openCopy(place);
  return verifyCopy(copy).finally(() => copy.close());
}

/** How much is in a copy, e.g. `Organizations 1, sites 2, …`. */
export function counted(counts: Verification['counts']): string {
  const { orgs = 0, sites = 0, profiles = 0, versions = 0, api_keys: keys = 0, secrets = 0, audit = 0 } = counts;
  return `Organizations ${orgs}, sites ${sites}, profiles ${profiles}, versions ${versions}, API keys ${keys}, secrets ${secrets}, audit entries ${audit}`;
}
