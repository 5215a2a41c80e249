import { sql } from 'kysely';
import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { isRecent } from '../../domain/change-aware-cache.ts';
import type { Store } from '../../domain/ports.ts';
import { NO_TRACING } from '../../tracing/tracing.ts';
import { once } from '../migrate.ts';
import { compilerFor, type Database, type Query, tracedStatements } from '../queries.ts';
import { isDamage, storageDamaged, storageError, storageReadOnly } from '../storage-error.ts';
import { type StoreOptions, storesOn } from '../store.ts';
import { changeOf, createChangeNotifier, transactions } from '../transactions.ts';
import { connections, migratePostgres, queryOn, READ_TIMEOUT, withDeadline } from './connections.ts';
import { KNOWN_NODES, type KnownNodeRow, listen } from './listen.ts';
import { databaseServers } from './servers.ts';
import { postgresTransactions } from './transaction.ts';

/** The store of a deployment with many nodes, which notify each other of changes by LISTEN and NOTIFY. */
export async function openPostgres(
  databaseUrl: string,
  { log = () => undefined, tracing = NO_TRACING, refusesNested }: Pick<StoreOptions, 'log' | 'tracing' | 'refusesNested'>,
): Promise<Store> {
  const servers = databaseServers(databaseUrl);
  await servers.look();
  await migratePostgres(servers.address());
  const condition = databaseCondition();
  const pools = connections(servers, { log, noticed: condition.noticed });
  const compile = compilerFor('postgres');
  const traced = tracedStatements(tracing, 'postgresql');
  // Safe: a query declares the type of its rows.
  const within = (deadline?: number) =>
    (async (query) => {
      const statement = compile(query);
      const { name, sql: text, parameters } = statement;
      return await traced(statement, async () => {
        try {
          const { rows } = await pools.run((pool) => queryOn(pool, withDeadline({ name, text, values: [...parameters] }, deadline)));
          return rows;
        } catch (error) {
          throw storageError(error);
        }
      });
    }) as Query;
  const [read, change] = [within(READ_TIMEOUT), within()];
  const notifier = createChangeNotifier();
  const node = randomBytes(8).toString('hex');
  const listener = await listen({
    servers,
    channel: CHANNEL,
    node,
    process: process.pid,
    heard(payload) {
      // Including its own changes: a write whose answer was lost may have been stored, or may still be.
      const heard = changeOf(payload);
      if (heard !== undefined) notifier.changed(heard);
    },
    renew: pools.renew,
    log,
  }).catch(async (error: unknown) => {
    await pools.close();
    throw error;
  });
  const writing = transactions(postgresTransactions({ pools, compile, channel: CHANNEL, traced }), {
    announce: notifier.changed,
    tracing,
    system: 'postgresql',
    refusesNested,
  });
  const database: Database = { dialect: 'postgres', read, change, announce: notifier.changed, channel: CHANNEL };
  const nodes = async () => {
    const { rows } = await pools.run((pool) => pool.query<KnownNodeRow>(withDeadline(KNOWN_NODES, READ_TIMEOUT)));
    return rows.map((row) => ({ name: row.name, self: row.node === node, running: row.hears }));
  };
  return {
    ...storesOn(database, nodes),
    write: writing.write,
    onSiteChange: notifier.onSiteChange,
    onTokenChange: notifier.onTokenChange,
    sharedTime: () => databaseTime(read),
    isCurrent: (since) => isRecent(since, Date.now()),
    async ping() {
      try {
        const { rows } = await pools.run((pool) => pool.query<Record<string, unknown>>(withDeadline({ text: WRITABLE }, PING_TIMEOUT)));
        requireWritable(rows);
      } catch (error) {
        throw storageError(error);
      }
      condition.requireSound();
    },
    close: once(async () => {
      await writing.close();
      await listener.close();
      await pools.close();
    }),
  };
}

const CHANNEL = 'repoless_changed';
const PING_TIMEOUT = 2000;

/** Damage is remembered, because it stays until it is repaired. */
function databaseCondition() {
  let damaged: string | undefined;
  return {
    noticed(error: unknown, pool: Pool): void {
      if (!isDamage(error) || (damaged !== undefined && damaged !== '')) return;
      damaged = '';
      tableOf(error, pool).then(
        (table) => (damaged = table),
        () => undefined,
      );
    },
    requireSound(): void {
      if (damaged !== undefined) throw storageDamaged(damaged);
    },
  };
}

/** PostgreSQL names the file; finds the table that it belongs to, whether as an index or for large values. */
async function tableOf(error: unknown, pool: Pool): Promise<string> {
  const [path] = /\bbase\/\d+\/\d+/.exec(error instanceof Error ? error.message : '') ?? [];
  const { rows } = await pool.query<{ name: string }>({ text: TABLE_OF_FILE, values: [path ?? ''] });
  return rows[0]?.name ?? '';
}

const TABLE_OF_FILE = `
select coalesce(indexed.relname, large.relname, file.relname) as name from pg_class as file
left join pg_index on pg_index.indexrelid = file.oid
left join pg_class as indexed on indexed.oid = pg_index.indrelid
left join pg_class as large on large.reltoastrelid = file.oid
where pg_relation_filepath(file.oid) = $1`;

/** Refuses a result of `WRITABLE`: a replica, or a database configured as read-only. */
function requireWritable(rows: readonly Readonly<Record<string, unknown>>[]): void {
  if (rows[0]?.['read_only'] !== 'off') throw storageReadOnly();
}
const WRITABLE = "select current_setting('transaction_read_only') as read_only";

/** The current time by the clock of the database, which all nodes share. */
async function databaseTime(read: Query): Promise<Date> {
  const [row] = await read(sql<{ present: string }>`
    select to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as present`);
  return new Date(row?.present ?? '');
}
