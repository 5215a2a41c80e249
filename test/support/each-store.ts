import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { openStore } from '@repoless/service/db/open-store.ts';
import type { StoreOptions } from '@repoless/service/db/open-store.ts';
import type { Store } from '@repoless/service/domain/ports.ts';
import { copyEmbedded, migrated } from './migrated.ts';
import { sharedPostgres } from './postgres.ts';
import type { PostgresCluster } from './postgres.ts';

export interface StorePlace {
  readonly options: StoreOptions;
  /** Opens a store on this place; PostgreSQL can be opened by several nodes at once. Closed after the test. */
  open(): Promise<Store>;
}

export interface Engine {
  readonly name: 'SQLite' | 'PostgreSQL';
  /** How often a node hears of a change of its own: from itself, and where there are others from the database, too. */
  readonly tellings: 1 | 2;
  /** A new place for a store, whose tables are there. */
  place(): Promise<StorePlace>;
  /** One in which nothing is. */
  emptyPlace(): Promise<StorePlace>;
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
  const optionsFor: OptionsFor = async (dataDir, empty) => {
    if (!empty) await copyEmbedded(dataDir);
    return { dataDir };
  };
  return engine('SQLite', optionsFor, noConnections);
}

export function postgresEngine(): Engine {
  let cluster: PostgresCluster | undefined;
  const started = () => {
    if (cluster === undefined) throw new Error('PostgreSQL is not started.');
    return cluster;
  };
  beforeAll(async () => {
    cluster = await sharedPostgres();
  });
  afterAll(async () => {
    await cluster?.removeDatabases();
  });
  return engine(
    'PostgreSQL',
    async (dataDir, empty) => ({ dataDir, databaseUrl: await started().database(empty ? undefined : migrated) }),
    () => started().cutConnections(),
  );
}

type OptionsFor = (dataDir: string, empty: boolean) => Promise<StoreOptions>;

function engine(name: Engine['name'], optionsFor: OptionsFor, cutConnections: () => Promise<void>): Engine {
  const directories: string[] = [];
  const stores: Store[] = [];
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
    for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
  });
  const placeFor = async (empty: boolean): Promise<StorePlace> => {
    const directory = mkdtempSync(join(tmpdir(), 'repoless-store-'));
    directories.push(directory);
    const options = await optionsFor(directory, empty);
    return {
      options,
      async open() {
        const store = await openStore(options);
        stores.push(store);
        return store;
      },
    };
  };
  const place = () => placeFor(false);
  return {
    name,
    tellings: name === 'SQLite' ? 1 : 2,
    place,
    emptyPlace: () => placeFor(true),
    open: async () => (await place()).open(),
    cutConnections,
  };
}

async function noConnections(): Promise<void> {
  throw new Error('SQLite has no connections to cut.');
}
