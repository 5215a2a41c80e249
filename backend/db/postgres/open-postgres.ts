import { randomBytes } from 'node:crypto';
import type { Store } from '../../domain/ports.ts';
import { NO_TRACING } from '../../tracing/tracing.ts';
import type { Tracing } from '../../tracing/tracing.ts';
import { once } from '../once.ts';
import { readStatements } from '../read-statements.ts';
import { sqlSessionEnds, sqlShortLived } from '../short-lived.ts';
import type { TellingEngine } from '../short-lived.ts';
import { sqlBlobs } from '../sql-blobs.ts';
import { sqlChecks } from '../sql-checks.ts';
import { sqlOverview } from '../sql-overview.ts';
import { sqlRollouts } from '../sql-rollouts.ts';
import { sqlCode } from '../sql-code.ts';
import { sqlCondemned } from '../sql-condemned.ts';
import { sqlEvents } from '../sql-events.ts';
import { changeOf, createChangeNotifier } from '../change-notifier.ts';
import { sqlReads } from '../sql-reads.ts';
import type { Query } from '../sql-reads.ts';
import { compilerFor } from '../statement.ts';
import { storageError } from '../storage-error.ts';
import { tracedQuery } from '../traced-query.ts';
import { transactions } from '../transactions.ts';
import { writeStatements } from '../write-statements.ts';
import { postgresTransactions } from './transaction.ts';
import { databaseCondition, requireWritable, WRITABLE } from './condition.ts';
import { connections, queryOn, READ_TIMEOUT, withDeadline } from './connections.ts';
import { databaseTime } from './database-time.ts';
import { listen } from './listen.ts';
import { KNOWN_NODES, knownNode } from './listeners.ts';
import { migratePostgres } from './migrate-postgres.ts';
import { databaseServers } from './servers.ts';

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
