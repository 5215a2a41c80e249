import { BranchChange, type Delivery, DeliveryOutcome } from '@repoless/contract/build-management.ts';
import { PushOutcome } from '@repoless/contract/job.ts';
import { type Dialect, Kysely, PostgresDialect, type Selectable, sql, SqliteDialect, type Updateable } from 'kysely';
import type { PoolClient } from 'pg';
import { z } from 'zod';
import { applyMigrations, once } from '../../db/migrate.ts';
import { connections, requireReplicated, databaseServers } from '../../db/postgres/connections.ts';
import { connectWriter, privateFile } from '../../db/sqlite/connect.ts';
import { isReadTimeout, storageError } from '../../db/storage-error.ts';
import type { Dialect as Engine } from '../../db/queries.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { type Repositories, sqlRepositories } from './repositories.ts';
import { type DeliveryRow, MIGRATED, migrations, type Tables } from './tables.ts';
import { sqlTrail, type Trail } from './trail.ts';

/** The storage of build management. Each change is durable when its promise resolves; failures are Refusals (STORAGE_…). */
export interface BuildStore {
  readonly repositories: Repositories;
  readonly deliveries: Deliveries;
  readonly trail: Trail;
  ping(): Promise<void>;
  close(): Promise<void>;
}

interface BuildStoreOptions {
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
  const ping = async () => void (await sql`select 1`.execute(db));
  return {
    repositories: withRefusals(sqlRepositories(db), renew),
    deliveries: withRefusals(sqlDeliveries(db), renew),
    trail: withRefusals(sqlTrail(db), renew),
    ...withRefusals({ ping }, renew),
    close: once(() => db.destroy()),
  };
}

type Call = (...parameters: never[]) => Promise<unknown>;

/** Wraps calls so that they reject with a Refusal for an error of the database. */
function withRefusals<Calls extends { readonly [Name in keyof Calls]: Call }>(calls: Calls, renew: () => void): Calls {
  const refusingCall =
    (call: Call): Call =>
    async (...parameters) => {
      try {
        return await call(...parameters);
      } catch (error) {
        if (isReadTimeout(error)) renew();
        throw storageError(error);
      }
    };
  // Safe: each call has the parameters and the result of the one that it wraps.
  return Object.fromEntries(Object.entries<Call>(calls).map(([name, call]) => [name, refusingCall(call)])) as Calls;
}

interface Connected {
  readonly dialect: Dialect;
  readonly engine: Engine;
  /** Replaces all connections: if one does not respond, others may not either. */
  renew(): void;
}

async function connect({ dataDir, databaseUrl, log }: BuildStoreOptions): Promise<Connected> {
  if (databaseUrl !== undefined) {
    const servers = databaseServers(databaseUrl);
    await servers.probe();
    const pools = connections(servers, { log, noticed: () => undefined });
    const pool = { connect: () => pools.run(async (current) => replicated(await current.connect())), end: () => pools.close() };
    return { dialect: new PostgresDialect({ pool }), engine: 'postgres', renew: pools.renew };
  }
  const database = connectWriter(privateFile(dataDir, 'build-management.sqlite'));
  // Writes are few, so SQLite may run its checkpoints within them.
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

interface Deliveries {
  /** Newest first, at most `STORED_DELIVERIES`. */
  list(repository: string): Promise<Delivery[]>;
  find(repository: string, id: string): Promise<Delivery | undefined>;
  /** Interrupted ones, each with its repository. */
  accepted(): Promise<{ repository: string; delivery: Delivery }[]>;
  /**
   * Stores a delivery and removes finished ones beyond the last `STORED_DELIVERIES`. Returns undefined, or the earlier delivery that the
   * vendor repeated: then only its count is stored. `signed` is the hash of the signed bytes, which are accepted once a day under any name.
   */
  add(repository: string, delivery: Delivery, signed?: string): Promise<Delivery | undefined>;
  change(id: string, change: Updateable<Omit<DeliveryRow, 'seq' | 'id' | 'repository'>>): Promise<void>;
  /** Deletes a request that was refused. */
  remove(id: string): Promise<void>;
}

/** Per repository. */
const STORED_DELIVERIES = 100;
/** Milliseconds for which the same signed bytes count as one event; later, a branch that was reset may legitimately repeat them. */
const SIGNATURES_RETAINED = 24 * 60 * 60 * 1000;
/** Milliseconds for which names of deliveries are stored: longer than any vendor resends. */
const NAMES_RETAINED = 90 * 24 * 60 * 60 * 1000;

function sqlDeliveries(db: Kysely<Tables>): Deliveries {
  const find = async (repository: string, id: string) => {
    const query = db.selectFrom('bm_deliveries').selectAll().where('repository', '=', Number(repository)).where('id', '=', id);
    const row = await query.executeTakeFirst();
    return row && readDelivery(row);
  };
  return {
    async list(repository) {
      const newest = db.selectFrom('bm_deliveries').selectAll().where('repository', '=', Number(repository));
      return (await newest.orderBy('seq', 'desc').limit(STORED_DELIVERIES).execute()).map(readDelivery);
    },
    find,
    async accepted() {
      const rows = await db.selectFrom('bm_deliveries').selectAll().where('outcome', '=', 'accepted').orderBy('seq').execute();
      return rows.map((row) => ({ repository: String(row.repository), delivery: readDelivery(row) }));
    },
    async add(repository, delivery, signed) {
      const seen = await db.transaction().execute((transaction) => storeDelivery(transaction, Number(repository), delivery, signed));
      if (seen === undefined) return undefined;
      const update = db.updateTable('bm_deliveries').set(({ eb }) => ({ repeats: eb('repeats', '+', 1) }));
      await update.where('id', '=', seen).execute();
      return (await find(repository, seen)) ?? { ...delivery, id: seen, outcome: 'done', changes: [], jobs: [] };
    },
    async remove(id) {
      await db.deleteFrom('bm_deliveries').where('id', '=', id).execute();
    },
    async change(id, change) {
      await db.updateTable('bm_deliveries').set(change).where('id', '=', id).execute();
    },
  };
}

/** Returns the identifier of the delivery that had this name before, in which case nothing is stored. */
async function storeDelivery(
  db: Kysely<Tables>,
  repository: number,
  delivery: Delivery,
  signed: string | undefined,
): Promise<string | undefined> {
  if (signed !== undefined) {
    const earlier = await storeSigned(db, repository, delivery, `signed ${signed}`);
    if (earlier !== undefined) return earlier;
  }
  if (delivery.deliveryId !== undefined) {
    const name = { repository, delivery_id: delivery.deliveryId };
    const added = await db
      .insertInto('bm_seen')
      .values({ ...name, delivery: delivery.id, seen: delivery.received })
      .onConflict((conflict) => conflict.columns(['repository', 'delivery_id']).doNothing())
      .returning('delivery')
      .executeTakeFirst();
    if (added === undefined) {
      const query = db.selectFrom('bm_seen').select('delivery').where('repository', '=', repository);
      return (await query.where('delivery_id', '=', delivery.deliveryId).executeTakeFirst())?.delivery ?? delivery.id;
    }
  }
  await db.insertInto('bm_deliveries').values(rowOf(repository, delivery)).execute();
  const oldest = await db
    .selectFrom('bm_deliveries')
    .select('seq')
    .where('repository', '=', repository)
    .orderBy('seq', 'desc')
    .offset(STORED_DELIVERIES)
    .limit(1)
    .executeTakeFirst();
  if (oldest !== undefined)
    await db
      .deleteFrom('bm_deliveries')
      .where('repository', '=', repository)
      .where('seq', '<=', oldest.seq)
      .where('outcome', '!=', 'accepted')
      .execute();
  const since = new Date(Date.parse(delivery.received) - NAMES_RETAINED).toISOString();
  await db.deleteFrom('bm_seen').where('repository', '=', repository).where('seen', '<', since).execute();
  return undefined;
}

/** Returns the delivery that had these exact bytes within a day. */
async function storeSigned(db: Kysely<Tables>, repository: number, { id, received }: Delivery, name: string): Promise<string | undefined> {
  const query = db.selectFrom('bm_seen').select(['delivery', 'seen']).where('repository', '=', repository).where('delivery_id', '=', name);
  const earlier = await query.executeTakeFirst();
  if (earlier !== undefined && Date.parse(earlier.seen) > Date.parse(received) - SIGNATURES_RETAINED) return earlier.delivery;
  await db
    .insertInto('bm_seen')
    .values({ repository, delivery_id: name, delivery: id, seen: received })
    .onConflict((conflict) => conflict.columns(['repository', 'delivery_id']).doUpdateSet({ delivery: id, seen: received }))
    .execute();
  return undefined;
}

function rowOf(repository: number, delivery: Delivery) {
  return {
    id: delivery.id,
    repository,
    delivery_id: delivery.deliveryId ?? null,
    event: delivery.event,
    received: delivery.received,
    finished: delivery.finished ?? null,
    changes: JSON.stringify(delivery.changes),
    outcome: delivery.outcome,
    detail: delivery.detail ?? null,
    jobs: JSON.stringify(delivery.jobs),
    attempts: delivery.attempts,
    repeats: delivery.repeats,
    caller: delivery.user ?? null,
  };
}

function readDelivery(row: Selectable<DeliveryRow>): Delivery {
  return {
    id: row.id,
    ...(row.delivery_id !== null && { deliveryId: row.delivery_id }),
    event: row.event,
    received: row.received,
    ...(row.finished !== null && { finished: row.finished }),
    changes: z.array(BranchChange).parse(JSON.parse(row.changes)),
    outcome: DeliveryOutcome.parse(row.outcome),
    ...(row.detail !== null && { detail: row.detail }),
    jobs: PushOutcome.shape.jobs.parse(JSON.parse(row.jobs)),
    attempts: row.attempts,
    repeats: row.repeats,
    ...(row.caller !== null && { user: row.caller }),
  };
}

/** Whether the storage currently accepts no writes: work that failed for this reason is retried. */
export function isStorageUnavailable(error: unknown): boolean {
  return error instanceof Refusal && (error.code === 'STORAGE_UNAVAILABLE' || error.code === 'STORAGE_FULL');
}
