import { setTimeout as later } from 'node:timers/promises';
import { SqliteDialect } from 'kysely';
import type { Store } from '../../domain/ports.ts';
import { NO_TRACING } from '../../tracing/tracing.ts';
import type { Tracing } from '../../tracing/tracing.ts';
import { migrate } from '../migrate.ts';
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
import { createChangeNotifier } from '../change-notifier.ts';
import { publicConfig, sqlReads } from '../sql-reads.ts';
import { compilerFor } from '../statement.ts';
import { isBusy, storageError } from '../storage-error.ts';
import { tracedQuery } from '../traced-query.ts';
import { transactions } from '../transactions.ts';
import { writeStatements } from '../write-statements.ts';
import { once } from '../once.ts';
import { checkpointer } from './checkpoint.ts';
import { databaseCondition, requireWritable } from './condition.ts';
import { connectReader, connectWriter, DATABASE_FILE, privateFile } from './connect.ts';
import { preparedStatements } from './prepared.ts';
import { sqliteTransactions } from './transaction.ts';
import { holdFolder } from './hold-folder.ts';
import type { Alone } from './hold-folder.ts';

export interface SqliteOptions {
  readonly dataDir: string;
  /** At most so many pages of 4 kB: what exceeds them is refused with STORAGE_FULL. */
  readonly maxPages?: number;
  /** For the service itself: it is its only one. Commands work beside it. */
  readonly alone?: Alone;
  readonly log?: (message: string, error: unknown) => void;
  readonly tracing?: Tracing;
}

/** The embedded store: one process that writes, one file `repoless.sqlite` in the data directory. Rejects with a sentence where `alone` is not so. */
export async function openSqlite({ alone, ...options }: SqliteOptions): Promise<Store> {
  if (alone === undefined) return await open(options);
  const release = await holdFolder(options.dataDir, alone);
  try {
    const store = await open(options);
    return { ...store, close: once(() => store.close().finally(release)) };
  } catch (error) {
    release();
    throw error;
  }
}

async function open(options: Omit<SqliteOptions, 'alone'>): Promise<Store> {
  const { dataDir, maxPages, tracing = NO_TRACING } = options;
  const file = privateFile(dataDir, DATABASE_FILE);
  await migrate('sqlite', new SqliteDialect({ database: connectWriter(file) }));
  const writer = connectWriter(file, { maxPages, timeout: 0 });
  const reader = connectReader(file);
  const compile = compilerFor('sqlite');
  const [reading, writing] = [preparedStatements(reader), preparedStatements(writer)];
  const statements = { read: readStatements(compile), write: writeStatements(compile, 'sqlite') };
  const answers = reader.prepare('select 1');
  const checkpoints = checkpointer(file, writer);
  const condition = databaseCondition(file);
  const news = createChangeNotifier();
  const read = tracedQuery(tracing, 'sqlite', async (statement, args) => {
    try {
      return reading.rows(statement, args);
    } catch (error) {
      throw storageError(error);
    }
  });
  const patiently = patientWriter(() => requireWritable(file));
  const { write, change, close } = transactions(
    sqliteTransactions({ db: writer, prepared: writing, statements, tracing, patiently, committed: checkpoints.committed }),
    { announce: news.changed, tracing, system: 'sqlite' },
  );
  const queries = { read, change };
  const telling: TellingEngine = {
    read,
    change,
    async tell(told, store) {
      await store();
      news.changed(told);
    },
  };
  return {
    reads: sqlReads(statements.read, read),
    shortLived: sqlShortLived(compile, telling),
    sessionEnds: sqlSessionEnds(compile, telling),
    code: sqlCode(compile, queries, 'sqlite'),
    checks: sqlChecks(compile, queries),
    rollouts: sqlRollouts(compile, read, change),
    overview: sqlOverview(compile, read, 'sqlite', async () => [{ name: `process ${process.pid}`, self: true, running: true }]),
    blobs: sqlBlobs(compile, read, change),
    condemned: sqlCondemned(compile, read, change, 'sqlite'),
    events: sqlEvents(compile, read, change),
    write,
    onSiteChange: news.onSiteChange,
    onTokenChange: news.onTokenChange,
    sharedTime: async (own) => own,
    publicConfigNow(org, site) {
      const [row] = reading.rows(statements.read.publicConfig, { org, site });
      return row === undefined ? undefined : publicConfig(row);
    },
    async ping() {
      answers.get();
      await condition.check();
    },
    close: once(async () => {
      await close();
      await checkpoints.close();
      await condition.close();
      reader.close();
      writer.close();
    }),
  };
}

/**
 * Another program may hold the right to write for long, as a move does. SQLite itself would wait for it on this thread, and so would everybody who
 * reads: here the thread goes on meanwhile. Rejects with the error of the engine after a second.
 */
function patientWriter(check: () => void): (work: () => void) => Promise<void> {
  return async (work) => {
    const last = performance.now() + PATIENCE;
    for (;;) {
      check();
      try {
        return work();
      } catch (error) {
        if (!isBusy(error) || performance.now() >= last) throw error;
        await later(PAUSE);
      }
    }
  };
}

/** Milliseconds. */
const PATIENCE = 1000;
const PAUSE = 10;
