import { copyFile, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '@repoless/service/db/open-store.ts';

// A database whose tables are up to date already: to copy one takes a fraction of the time that the migrations do. Those have
// tests of their own, which begin with an empty place.

const FILE = 'repoless.sqlite';
let embedded: Promise<string> | undefined;

/** Puts the file of an embedded store into its empty folder. */
export async function copyEmbedded(dataDir: string): Promise<void> {
  await copyFile(await (embedded ??= makeEmbedded()), join(dataDir, FILE));
}

/** Makes the tables of an empty database of a PostgreSQL, and leaves it. */
export async function migrated(databaseUrl: string): Promise<void> {
  await (await openStore({ dataDir: tmpdir(), databaseUrl })).close();
}

async function makeEmbedded(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'repoless-migrated-'));
  await (await openStore({ dataDir })).close();
  return join(dataDir, FILE);
}
