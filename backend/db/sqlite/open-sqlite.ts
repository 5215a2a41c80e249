import { setTimeout as later } from 'node:timers/promises';
import { SqliteDialect } from 'kysely';
import type { Store } from '../../domain/ports.ts';
import { NO_TRACING } from '../../tracing/tracing.ts';
import type { Tracing } from '../../tracing/tracing.ts';
import { groupCommit } from '../group-commit.ts';
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
import { createNews } from '../news.ts';
import { publicConfig, sqlReads } from '../sql-reads.ts';
import { compilerFor } from '../statement.ts';
import { isBusy, storageError } from '../storage-error.ts';
import { tracedQuery } from '../traced-query.ts';
import { writeStatements } from '../write-statements.ts';
import { once } from '../once.ts';
import { checkpointer } from './checkpoint.ts';
import { databaseCondition, requireWritable } from './condition.ts';
import { countingThread } from './counting-thread.ts';
import { connectReader, connectWriter, DATABASE_FILE, privateFile } from './connect.ts';
import { sqliteFlush } from './flush.ts';
import { preparedStatements, rowsOf } from './prepared.ts';
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
  const patiently = patientWriter();
  const reader = connectReader(file);
  const compile = compilerFor('sqlite');
  const [reading, writing] = [preparedStatements(reader), preparedStatements(writer)];
  const statements = readStatements(compile);
  const answers = reader.prepare('select 1');
  const checkpoints = checkpointer(file, writer);
  const condition = databaseCondition(file);
  const flush = sqliteFlush(writer, writing, writeStatements(compile, 'sqlite'));
  const change = tracedQuery(tracing, 'sqlite', async (statement, args) => {
    requireWritable(file);
    try {
      const rows = await patiently(() => writing.rows(statement, args));
      checkpoints.committed(1);
      return rows;
    } catch (error) {
      throw storageError(error);
    }
  });
  const news = createNews();
  const read = tracedQuery(tracing, 'sqlite', rowsOf(reading));
  const counting = countingThread(file);
  const queries = { read, count: tracedQuery(tracing, 'sqlite', counting.query), change };
  const reads = sqlReads(statements, read);
  const commits = groupCommit(
    {
      reads,
      inOrder: true,
      known: () => Promise.resolve(),
      async flush(batch) {
        requireWritable(file);
        const stored = await patiently(() => flush(batch));
        checkpoints.committed(batch.length);
        return stored;
      },
    },
    { announce: news.changed, tracing, system: 'sqlite' },
  );
  const telling: TellingEngine = {
    read,
    change,
    async tell(told, store) {
      await store('');
      news.changed(told);
    },
  };
  return {
    reads,
    shortLived: sqlShortLived(compile, telling),
    sessionEnds: sqlSessionEnds(compile, telling),
    code: sqlCode(compile, queries, 'sqlite'),
    checks: sqlChecks(compile, queries),
    rollouts: sqlRollouts(compile, read, change),
    overview: sqlOverview(compile, queries.count, 'sqlite', async () => [{ name: `process ${process.pid}`, self: true, hears: true }]),
    blobs: sqlBlobs(compile, read, change),
    condemned: sqlCondemned(compile, read, change, 'sqlite'),
    events: sqlEvents(compile, read, change),
    write: commits.write,
    onSiteChange: news.onSiteChange,
    onTokenChange: news.onTokenChange,
    onChangesMissed: news.onChangesMissed,
    // No other service writes, and a command changes nothing that is kept ready here.
    isHearing: () => true,
    sharedTime: async (own) => own,
    publicConfigNow(org, site) {
      const [row] = reading.rows(statements.publicConfig, { org, site });
      return row === undefined ? undefined : publicConfig(row);
    },
    async ping() {
      answers.get();
      await condition.check();
    },
    close: once(async () => {
      await commits.close();
      await checkpoints.close();
      await counting.close();
      await condition.close();
      reader.close();
      writer.close();
    }),
  };
}

/** Does something with the connection that writes, as soon as no other program does. */
type PatientWriter = <T>(work: () => T) => Promise<T>;

/**
 * Another program may hold the right to write for long, as a move does. SQLite itself would wait for it on this thread, and so would everybody who
 * reads: here the thread goes on meanwhile. Writes keep their order. Rejects with the error of the engine after a second.
 */
function patientWriter(): PatientWriter {
  let busy: { readonly error: unknown; readonly over: Promise<void> } | undefined;
  return async (work) => {
    const begun = performance.now();
    for (;;) {
      // All wait for the same moment, and go on in the order in which they came: whoever is first then asks for the others, too.
      if (busy === undefined) {
        try {
          return work();
        } catch (error) {
          if (!isBusy(error)) throw error;
          busy = {
            error,
            over: later(PAUSE).then(() => {
              busy = undefined;
            }),
          };
        }
      }
      if (performance.now() - begun >= PATIENCE) throw busy.error;
      await busy.over;
    }
  };
}

/** Milliseconds. */
const PATIENCE = 1000;
const PAUSE = 10;
