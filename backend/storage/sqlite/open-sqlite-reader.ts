import { join } from 'node:path';
import type { ReadingStore } from '#backend/domain/ports.ts';
import { createNews } from '../news.ts';
import { once } from '../once.ts';
import { readStatements } from '../read-statements.ts';
import { sqlSessionEnds, sqlShortLived } from '../short-lived.ts';
import { sqlBlobs } from '../sql-blobs.ts';
import { sqlCode } from '../sql-code.ts';
import { sqlReads } from '../sql-reads.ts';
import type { Query } from '../sql-reads.ts';
import { compilerFor } from '../statement.ts';
import { storageReadOnly } from '../storage-error.ts';
import { connectReader, DATABASE_FILE } from './connect.ts';
import { hearWriter } from './hear-writer.ts';
import type { WriterLine } from './hear-writer.ts';
import { preparedStatements, rowsOf } from './prepared.ts';

/** The embedded store in a process beside the one that writes. It is there already, with its tables as they are to be. */
export function openSqliteReader({ dataDir, writer }: { readonly dataDir: string; readonly writer: WriterLine }): ReadingStore {
  const db = connectReader(join(dataDir, DATABASE_FILE));
  const compile = compilerFor('sqlite');
  const read = rowsOf(preparedStatements(db));
  const news = createNews();
  const hearing = hearWriter(writer, news);
  const change: Query = async () => {
    throw storageReadOnly();
  };
  const telling = { read, change, tell: () => Promise.reject(storageReadOnly()) };
  return {
    reads: sqlReads(readStatements(compile), read),
    shortLived: sqlShortLived(compile, telling),
    sessionEnds: sqlSessionEnds(compile, telling),
    code: sqlCode(compile, { read, count: read, change }, 'sqlite'),
    blobs: sqlBlobs(compile, read, change),
    onSiteChange: news.onSiteChange,
    onTokenChange: news.onTokenChange,
    onChangesMissed: news.onChangesMissed,
    isHearing: hearing.isHearing,
    async ping() {
      db.prepare('select 1').get();
    },
    close: once(async () => {
      hearing.close();
      db.close();
    }),
  };
}
