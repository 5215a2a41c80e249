import { join } from 'node:path';
import { compilerFor } from '@repoless/service/db/queries.ts';
import type { Database, Query, Statement } from '@repoless/service/db/queries.ts';
import { connectWriter } from '@repoless/service/db/sqlite/connect.ts';

/** The lines of SQLite's plan of the first query of a call in which a table is read from its beginning to its end. In: the folder of a database. */
export async function scansOf(dataDir: string, call: (database: Database) => Promise<unknown>): Promise<string[]> {
  const compile = compilerFor('sqlite');
  const statements: Statement[] = [];
  const record = (async (query) => {
    statements.push(compile(query));
    return [];
  }) as Query;
  await call({ dialect: 'sqlite', read: record, change: record, announce: () => undefined });
  const [statement] = statements;
  if (statement === undefined) throw new Error('The call has no query.');
  const db = connectWriter(join(dataDir, 'repoless.sqlite'));
  try {
    const plan = db.prepare<unknown[], { detail: string }>(`explain query plan ${statement.sql}`).all(...statement.parameters);
    if (plan.length === 0) throw new Error('SQLite says nothing of its plan.');
    // Of what the statement itself makes, nothing is large.
    return plan.map(({ detail }) => detail).filter((line) => /^SCAN (?!\(|waiting|orgs|due|ranked|CONSTANT)/.test(line));
  } finally {
    db.close();
  }
}
