#!/usr/bin/env node
import { readFile } from 'node:fs/promises';
import { readTrailKeys } from '#backend/domain/audit/trail-keys.ts';
import type { TrailKeys } from '#backend/domain/audit/trail-keys.ts';
import { openCopy } from '#backend/storage/verify/open-copy.ts';
import { verifyCopy } from '#backend/storage/verify/verify-copy.ts';

/**
 * `repoless verify-backup FILE [KEYS]`: whether a copy of the database is whole; the seals of its audit trails are checked with the secret key file. Exit status 0: it is; 1: it is not, a sentence for
 * each fault; 2: it cannot be looked at.
 */
process.exitCode = await verify(process.argv.slice(2));

async function verify([place, keyFile, ...more]: readonly string[]): Promise<number> {
  if (place === undefined || more.length > 0)
    return failed('Name one copy: repoless verify-backup <file, or postgres:// address> [secret key file].');
  try {
    const copy = await openCopy(place, keyFile === undefined ? undefined : await trailKeys(keyFile));
    const { counts, problems } = await verifyCopy(copy).finally(() => copy.close());
    for (const problem of problems) process.stderr.write(`${problem}\n`);
    const { orgs = 0, sites = 0, profiles = 0, versions = 0, api_keys: keys = 0, secrets = 0, audit = 0 } = counts;
    const seen = `Organizations ${orgs}, sites ${sites}, profiles ${profiles}, versions ${versions}, API keys ${keys}, secrets ${secrets}, audit entries ${audit}`;
    const last =
      problems.length === 0 ? 'everything is as it was stored' : `${problems.length} ${problems.length === 1 ? 'fault' : 'faults'}`;
    process.stdout.write(`${seen}: ${last}.\n`);
    return problems.length === 0 ? 0 : 1;
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

async function trailKeys(file: string): Promise<TrailKeys> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Error(`The secret key file ${file} cannot be read.`, { cause });
  });
  try {
    return readTrailKeys(text);
  } catch (error) {
    throw new Error(`The secret key file ${file} cannot be used. ${error instanceof Error ? error.message : ''}`);
  }
}

function failed(sentence: string): number {
  process.stderr.write(`${sentence}\n`);
  return 2;
}
