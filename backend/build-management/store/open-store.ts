import { Kysely, PostgresDialect, sql, SqliteDialect } from 'kysely';
import type { Dialect } from 'kysely';
import type { PoolClient } from 'pg';
import { applyMigrations } from '../../db/migrate.ts';
import { once } from '../../db/once.ts';
import { connections, requireReplicated } from '../../db/postgres/connections.ts';
import { databaseServers } from '../../db/postgres/servers.ts';
import { connectWriter, privateFile } from '../../db/sqlite/connect.ts';
import { isSilence, storageError } from '../../db/storage-error.ts';
import type { Dialect as Engine } from '../../db/tables.ts';
import { sqlDeliveries } from './deliveries.ts';
import type { Deliveries } from './deliveries.ts';
import { MIGRATED, migrations } from './schema.ts';
import { sqlRepositories } from './repositories.ts';
import type { Repositories } from './repositories.ts';
import type { Tables } from './tables.ts';
import { sqlTrail } from './trail.ts';
import type { Trail } from './trail.ts';

/** The storage of build management. Each change is durable when its promise resolves; failures are Refusals (STORAGE_…). */
export interface BuildStore {
  readonly repositories: Repositories;
  readonly deliveries: Deliveries;
  readonly trail: Trail;
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface BuildStoreOptions {
  /** The folder of the embedded database, `build-management.sqlite`. */
  readonly dataDir: string;
  readonly databaseUrl?: string;
  log(message: string, error: unknown): void;
}

export async function openBuildStore(options: BuildStoreOptions): Promise<BuildStore> {
  const { dialect, engine, renew } = await connect(options);
  const db = new Kysely<Tables>({ dialect });
  await applyMigrations(new Kysely({ dialect }), { dialect: engine, table: MIGRATED, migrations: migrations(engine) }).catch(
    async (error: unknown) => {
      await db.destroy();
      throw error;
    },
  );
  const attempt: Attempt = async (work) => {
    try {
      return await work();
    } catch (error) {
      if (isSilence(error)) renew();
      throw storageError(error);
    }
  };
  return {
    repositories: sqlRepositories(db, attempt),
    deliveries: sqlDeliveries(db, attempt),
    trail: sqlTrail(db, attempt),
    ping: () => attempt(async () => void (await sql`select 1`.execute(db))),
    close: once(() => db.destroy()),
  };
}

/** Runs a query; an error of the database becomes a Refusal. */
export type Attempt = <T>(work: () => Promise<T>) => Promise<T>;

interface Connected {
  readonly dialect: Dialect;
  readonly engine: Engine;
  /** A connection does not respond: the others may not either, so all are replaced. */
  renew(): void;
}

async function connect({ dataDir, databaseUrl, log }: BuildStoreOptions): Promise<Connected> {
  if (databaseUrl !== undefined) {
    const servers = databaseServers(databaseUrl);
    await servers.look();
    const pools = connections(servers, { log, noticed: () => undefined });
    const pool = { connect: () => pools.run(async (present) => replicated(await present.connect())), end: () => pools.close() };
    return { dialect: new PostgresDialect({ pool }), engine: 'postgres', renew: pools.renew };
  }
  const database = connectWriter(privateFile(dataDir, 'build-management.sqlite'));
  // Writes are few here: the writer makes its checkpoints itself.
  database.pragma('wal_autocheckpoint = 1000');
  return { dialect: new SqliteDialect({ database }), engine: 'sqlite', renew: () => undefined };
}

/** A connection that rejects statements whose commit the synchronous standby has not confirmed. */
function replicated(client: PoolClient): PoolClient {
  const query = async (text: string, parameters: readonly unknown[]) => {
    const result = await client.query<Record<string, unknown>>(text, [...parameters]);
    requireReplicated(client);
    return result;
  };
  return Object.assign(Object.create(client) as PoolClient, { query });
}
