import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { isComplete, requireNotMoved, requireUsable } from '../db/migrate.ts';
import { writableAddress } from '../db/postgres/servers.ts';
import type { Settings } from '../config.ts';
import { migrationsIn } from './database-copy.ts';
import { DATABASE_FILE } from './database-file.ts';
import { namedAddress } from './named-place.ts';

/**
 * The name of the database, for messages. Rejects if it is missing, not the service's, or has tables of another version: a command creates no database
 * and migrates no tables.
 */
export async function requireDatabase(settings: Settings): Promise<string> {
  const { named, applied } = await databaseOf(settings);
  requireUsable(applied);
  if (!isComplete(applied))
    throw new Error(
      `${named} has the tables of an earlier version. First start this version of the service, which migrates them. Or use the command of the running version.`,
    );
  return named;
}

/** The same, for tables of any version that were not moved. */
export async function requireAnyDatabase(settings: Settings): Promise<string> {
  const { named, applied } = await databaseOf(settings);
  requireNotMoved(applied);
  return named;
}

async function databaseOf({ DATA_DIR, DATABASE_URL }: Settings) {
  const address = DATABASE_URL?.reveal();
  const place = address === undefined ? resolve(DATA_DIR, DATABASE_FILE) : await writableAddress(address);
  const named = address === undefined ? place : namedAddress(place);
  if (address === undefined && !existsSync(place)) throw new Error(`The database ${place} does not exist. ${SET}`);
  const applied = await migrationsIn(place);
  if (applied.length === 0) throw new Error(`${named} is not the database of the service: it has none of its tables. ${SET}`);
  return { named, applied };
}

const SET = 'Set DATA_DIR, or DATABASE_URL, to the value that the service uses.';
