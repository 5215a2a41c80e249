import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { SqliteDialect } from 'kysely';
import type { Store } from '#backend/domain/ports.ts';
import { groupCommit } from '../group-commit.ts';
import { migrate } from '../migrate.ts';
import { readStatements } from '../read-statements.ts';
import { sqlShortLived } from '../short-lived.ts';
import { sqlCode } from '../sql-code.ts';
import { siteNews } from '../site-news.ts';
import { publicConfig, sqlReads } from '../sql-reads.ts';
import type { Query } from '../sql-reads.ts';
import { compilerFor } from '../statement.ts';
import { storageError } from '../storage-error.ts';
import { writeStatements } from '../write-statements.ts';
import { checkpointer } from './checkpoint.ts';
import { connectReader, connectWriter } from './connect.ts';
import { sqliteFlush } from './flush.ts';
import { once } from '../once.ts';
import { preparedStatements } from './prepared.ts';
import type { PreparedStatements } from './prepared.ts';

export interface SqliteOptions {
  readonly dataDir: string;
  /** At most so many pages of 4 kB: what exceeds them is refused with STORAGE_FULL. */
  readonly maxPages?: number;
}

/** The embedded store: one process, one file `repoless.sqlite` in the data directory. */
export async function openSqlite({ dataDir, maxPages }: SqliteOptions): Promise<Store> {
  mkdirSync(dataDir, { recursive: true });
  const file = join(dataDir, 'repoless.sqlite');
  await migrate('sqlite', new SqliteDialect({ database: connectWriter(file) }));
  const writer = connectWriter(file, maxPages);
  const reader = connectReader(file);
  const compile = compilerFor('sqlite');
  const [reading, writing] = [preparedStatements(reader), preparedStatements(writer)];
  const statements = readStatements(compile);
  const reads = sqlReads(statements, rowsOf(reading));
  const checkpoints = checkpointer(file, writer);
  const flush = sqliteFlush(writer, writing, writeStatements(compile, 'sqlite'));
  const change = rowsOf(writing, () => checkpoints.committed(1));
  const news = siteNews();
  const commits = groupCommit(
    {
      reads,
      async flush(batch) {
        const stored = flush(batch);
        checkpoints.committed(batch.length);
        return stored;
      },
    },
    news.changed,
  );
  return {
    reads,
    shortLived: sqlShortLived(compile, rowsOf(reading), change),
    code: sqlCode(compile, rowsOf(reading), change, false),
    write: commits.write,
    onSiteChange: news.onSiteChange,
    onChangesMissed: news.onChangesMissed,
    publicConfigNow(org, site) {
      const [row] = reading.rows(statements.publicConfig, { org, site });
      return row === undefined ? undefined : publicConfig(row);
    },
    async ping() {
      reader.prepare('select 1').get();
    },
    close: once(async () => {
      await commits.close();
      await checkpoints.close();
      reader.close();
      writer.close();
    }),
  };
}

function rowsOf(prepared: PreparedStatements, done: () => void = () => undefined): Query {
  return async (statement, args) => {
    try {
      const rows = prepared.rows(statement, args);
      done();
      return rows;
    } catch (error) {
      throw storageError(error);
    }
  };
}
