import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { openStore } from '#backend/storage/open-store.ts';
import type { StoreOptions } from '#backend/storage/open-store.ts';
import type { Store } from '#backend/domain/ports.ts';
import { startPostgres } from './postgres.ts';
import type { PostgresCluster } from './postgres.ts';

export interface StorePlace {
  readonly options: StoreOptions;
  /** Opens a store on this place; PostgreSQL can be opened by several nodes at once. Closed after the test. */
  open(): Promise<Store>;
}

export interface Engine {
  readonly name: 'SQLite' | 'PostgreSQL';
  /** A new, empty place for a store. */
  place(): Promise<StorePlace>;
  /** A store on a new, empty place. */
  open(): Promise<Store>;
  /** PostgreSQL alone. */
  cutConnections(): Promise<void>;
}

/** The same tests on SQLite and on a real PostgreSQL. */
export function eachStore(tests: (engine: Engine) => void): void {
  describe('on SQLite', () => tests(sqliteEngine()));
  describe('on PostgreSQL', () => tests(postgresEngine()));
}

/** Stores in temporary directories, for tests that need one engine only. */
export function sqliteEngine(): Engine {
  return engine('SQLite', async (dataDir) => ({ dataDir }), noConnections);
}

export function postgresEngine(): Engine {
  let cluster: PostgresCluster | undefined;
  const started = () => {
    if (cluster === undefined) throw new Error('PostgreSQL is not started.');
    return cluster;
  };
  beforeAll(async () => {
    cluster = await startPostgres();
  });
  afterAll(async () => {
    await cluster?.stop();
  });
  return engine(
    'PostgreSQL',
    async (dataDir) => ({ dataDir, databaseUrl: await started().database() }),
    () => started().cutConnections(),
  );
}

function engine(name: Engine['name'], optionsFor: (dataDir: string) => Promise<StoreOptions>, cutConnections: () => Promise<void>): Engine {
  const directories: string[] = [];
  const stores: Store[] = [];
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
    for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
  });
  const place = async (): Promise<StorePlace> => {
    const directory = mkdtempSync(join(tmpdir(), 'repoless-store-'));
    directories.push(directory);
    const options = await optionsFor(directory);
    return {
      options,
      async open() {
        const store = await openStore(options);
        stores.push(store);
        return store;
      },
    };
  };
  return { name, place, open: async () => (await place()).open(), cutConnections };
}

async function noConnections(): Promise<void> {
  throw new Error('SQLite has no connections to cut.');
}
