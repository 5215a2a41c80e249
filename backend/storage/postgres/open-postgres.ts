import { randomUUID } from 'node:crypto';
import { PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Store } from '#backend/domain/ports.ts';
import { groupCommit } from '../group-commit.ts';
import { migrate } from '../migrate.ts';
import { once } from '../once.ts';
import { readStatements } from '../read-statements.ts';
import { sqlShortLived } from '../short-lived.ts';
import { sqlCode } from '../sql-code.ts';
import { siteNews } from '../site-news.ts';
import { sqlReads } from '../sql-reads.ts';
import type { Query } from '../sql-reads.ts';
import { compilerFor } from '../statement.ts';
import { storageError } from '../storage-error.ts';
import { writeStatements } from '../write-statements.ts';
import { postgresFlush } from './flush.ts';
import { listen } from './listen.ts';

export interface PostgresOptions {
  readonly databaseUrl: string;
  readonly log?: (message: string, error: unknown) => void;
}

/** The store of a deployment with many nodes. Every node hears of the others' changes by LISTEN and NOTIFY. */
export async function openPostgres({ databaseUrl, log = () => undefined }: PostgresOptions): Promise<Store> {
  await migrate('postgres', new PostgresDialect({ pool: new pg.Pool({ connectionString: databaseUrl, max: 1 }) }));
  const pool = new pg.Pool({ connectionString: databaseUrl, max: POOL_SIZE, connectionTimeoutMillis: 5000, keepAlive: true });
  pool.on('error', (error) => log('A connection to the storage was lost.', error));
  const compile = compilerFor('postgres');
  const query: Query = async (statement, args) => {
    try {
      const { rows } = await pool.query<Record<string, unknown>>({
        name: statement.name,
        text: statement.sql,
        values: statement.bind(args),
      });
      return rows;
    } catch (error) {
      throw storageError(error);
    }
  };
  const node = randomUUID();
  const news = siteNews();
  const listener = await listen({
    databaseUrl,
    channel: CHANNEL,
    heard(payload) {
      const [sender, org, site] = payload.split(' ');
      if (sender !== node && org !== undefined && site !== undefined) news.changed(org, site);
    },
    missed: news.missed,
    log,
  }).catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });
  const reads = sqlReads(readStatements(compile), query);
  const flushOptions = { pool, statements: writeStatements(compile, 'postgres'), channel: CHANNEL, node };
  const commits = groupCommit({ reads, flush: (batch) => postgresFlush(flushOptions, batch) }, news.changed);
  return {
    reads,
    shortLived: sqlShortLived(compile, query, query),
    code: sqlCode(compile, query, query, true),
    write: commits.write,
    onSiteChange: news.onSiteChange,
    onChangesMissed: news.onChangesMissed,
    async ping() {
      await pool.query('select 1').catch((error: unknown) => {
        throw storageError(error);
      });
    },
    close: once(async () => {
      await commits.close();
      await listener.close();
      await pool.end();
    }),
  };
}

const CHANNEL = 'repoless_site_changed';
const POOL_SIZE = 10;
