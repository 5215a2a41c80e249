import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import type { Store } from '../../domain/ports.ts';
import { NO_TRACING, type Tracing } from '../../tracing/tracing.ts';
import { changeOf, createChangeNotifier } from '../change-notifier.ts';
import { once } from '../once.ts';
import { readStatements } from '../read-statements.ts';
import { text } from '../row.ts';
import { sqlSessionEnds, sqlShortLived, type TellingEngine } from '../short-lived.ts';
import { sqlBlobs } from '../sql-blobs.ts';
import { sqlChecks } from '../sql-checks.ts';
import { sqlCode } from '../sql-code.ts';
import { sqlCondemned } from '../sql-condemned.ts';
import { sqlEvents } from '../sql-events.ts';
import { sqlOverview } from '../sql-overview.ts';
import { type Query, sqlReads } from '../sql-reads.ts';
import { sqlRollouts } from '../sql-rollouts.ts';
import { compilerFor, type Statement } from '../statement.ts';
import { isDamage, storageDamaged, storageError, storageReadOnly } from '../storage-error.ts';
import { tracedQuery } from '../traced-query.ts';
import { transactions } from '../transactions.ts';
import { writeStatements } from '../write-statements.ts';
import { connections, queryOn, READ_TIMEOUT, withDeadline } from './connections.ts';
import { listen } from './listen.ts';
import { KNOWN_NODES, knownNode } from './listeners.ts';
import { migratePostgres } from './migrate-postgres.ts';
import { databaseServers } from './servers.ts';
import { postgresTransactions } from './transaction.ts';

export interface PostgresOptions {
  /** One server or several, of which one takes writes: see `databaseServers`. */
  readonly databaseUrl: string;
  readonly log?: (message: string, error: unknown) => void;
  readonly tracing?: Tracing;
}

/** The store of a deployment with many nodes. Every node hears of the others' changes by LISTEN and NOTIFY. */
export async function openPostgres(options: PostgresOptions): Promise<Store> {
  const { databaseUrl, log = () => undefined, tracing = NO_TRACING } = options;
  const servers = databaseServers(databaseUrl);
  await servers.look();
  await migratePostgres(servers.address());
  const condition = databaseCondition();
  const pools = connections(servers, { log, noticed: condition.noticed });
  const compile = compilerFor('postgres');
  const within =
    (deadline?: number): Query =>
    async ({ name, sql, bind }, args) => {
      try {
        const { rows } = await pools.run((pool) => queryOn(pool, withDeadline({ name, text: sql, values: bind(args) }, deadline)));
        return rows;
      } catch (error) {
        throw storageError(error);
      }
    };
  const [read, change] = [tracedQuery(tracing, 'postgresql', within(READ_TIMEOUT)), tracedQuery(tracing, 'postgresql', within())];
  const news = createChangeNotifier();
  const node = randomBytes(8).toString('hex');
  const listener = await listen({
    servers,
    channel: CHANNEL,
    node,
    process: process.pid,
    heard(payload) {
      // Its own news too: a write whose answer was lost may have been stored, or be stored yet.
      const heard = changeOf(payload);
      if (heard !== undefined) news.changed(heard);
    },
    renew: pools.renew,
    log,
  }).catch(async (error: unknown) => {
    await pools.close();
    throw error;
  });
  const statements = { read: readStatements(compile), write: writeStatements(compile, 'postgres') };
  const writing = transactions(postgresTransactions({ pools, statements, channel: CHANNEL, tracing }), {
    announce: news.changed,
    tracing,
    system: 'postgresql',
  });
  const telling: TellingEngine = {
    read,
    change,
    channel: CHANNEL,
    async tell(told, store) {
      await store();
      news.changed(told);
    },
  };
  const queries = { read, change };
  return {
    reads: sqlReads(statements.read, read),
    shortLived: sqlShortLived(compile, telling),
    sessionEnds: sqlSessionEnds(compile, telling),
    code: sqlCode(compile, queries, 'postgres'),
    checks: sqlChecks(compile, queries),
    rollouts: sqlRollouts(compile, read, change),
    overview: sqlOverview(compile, read, 'postgres', async () => {
      const { rows } = await pools.run((pool) => pool.query<Record<string, unknown>>(withDeadline(KNOWN_NODES, READ_TIMEOUT)));
      return rows.map((row) => knownNode(row, node));
    }),
    blobs: sqlBlobs(compile, read, change),
    condemned: sqlCondemned(compile, read, change, 'postgres'),
    events: sqlEvents(compile, read, change),
    write: writing.write,
    onSiteChange: news.onSiteChange,
    onTokenChange: news.onTokenChange,
    sharedTime: () => databaseTime(read),
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

interface Condition {
  /** What an engine said of a statement; damage is remembered, for it stays until somebody mends it. */
  noticed(error: unknown, pool: Pool): void;
  /** Rejects where the database is damaged, as far as it was noticed. */
  requireSound(): void;
}

function databaseCondition(): Condition {
  let damaged: string | undefined;
  return {
    noticed(error, pool) {
      if (!isDamage(error) || (damaged !== undefined && damaged !== '')) return;
      damaged = '';
      tableOf(error, pool).then(
        (table) => (damaged = table),
        () => undefined,
      );
    },
    requireSound() {
      if (damaged !== undefined) throw storageDamaged(damaged);
    },
  };
}

/** PostgreSQL names the file; the table is the one that it belongs to, be it as an index or for large values. */
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

/** Refuses an answer of `WRITABLE`: a replica, or a database that somebody set so. */
function requireWritable(rows: readonly Readonly<Record<string, unknown>>[]): void {
  if (rows[0]?.['read_only'] !== 'off') throw storageReadOnly();
}
const WRITABLE = "select current_setting('transaction_read_only') as read_only";

/** The present by the clock of the database, which all nodes share. */
async function databaseTime(read: Query): Promise<Date> {
  const [row = {}] = await read(TIME, {});
  return new Date(text(row, 'present'));
}

const TIME: Statement = {
  name: 'database-time',
  sql: `select to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as present`,
  bind: () => [],
};
