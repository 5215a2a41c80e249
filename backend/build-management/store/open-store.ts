import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely, PostgresDialect, sql, SqliteDialect } from 'kysely';
import pg from 'pg';
import { once } from '#backend/storage/once.ts';
import { connectWriter } from '#backend/storage/sqlite/connect.ts';
import { storageError } from '#backend/storage/storage-error.ts';
import { sqlDeliveries } from './deliveries.ts';
import type { Deliveries } from './deliveries.ts';
import { migrate } from './migrations.ts';
import type { Engine } from './migrations.ts';
import { sqlRepositories } from './repositories.ts';
import type { Repositories } from './repositories.ts';
import type { Tables } from './tables.ts';

/** What build management keeps. Each change is durable when its promise resolves; failures are Refusals (STORAGE_…). */
export interface BuildStore {
  readonly repositories: Repositories;
  readonly deliveries: Deliveries;
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface BuildStoreOptions {
  /** The embedded store lies here, in `build-management.sqlite`. */
  readonly dataDir: string;
  readonly databaseUrl?: string;
  log(message: string, error: unknown): void;
}

export async function openBuildStore(options: BuildStoreOptions): Promise<BuildStore> {
  const { db, engine } = connect(options);
  await migrate(db, engine).catch(async (error: unknown) => {
    await db.destroy();
    throw error;
  });
  const attempt: Attempt = async (work) => {
    try {
      return await work();
    } catch (error) {
      throw storageError(error);
    }
  };
  return {
    repositories: sqlRepositories(db, attempt),
    deliveries: sqlDeliveries(db, attempt),
    ping: () => attempt(async () => void (await sql`select 1`.execute(db))),
    close: once(() => db.destroy()),
  };
}

/** Runs a query; what a failed engine says becomes a Refusal. */
export type Attempt = <T>(work: () => Promise<T>) => Promise<T>;

function connect({ dataDir, databaseUrl, log }: BuildStoreOptions): { db: Kysely<Tables>; engine: Engine } {
  if (databaseUrl !== undefined) {
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 5, connectionTimeoutMillis: 5000, keepAlive: true });
    pool.on('error', (error) => log('A connection to the storage was lost.', error));
    return { db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }), engine: 'postgres' };
  }
  mkdirSync(dataDir, { recursive: true });
  const database = connectWriter(join(dataDir, 'build-management.sqlite'));
  // Writes are few here: the writer makes its checkpoints itself.
  database.pragma('wal_autocheckpoint = 1000');
  return { db: new Kysely<Tables>({ dialect: new SqliteDialect({ database }) }), engine: 'sqlite' };
}
