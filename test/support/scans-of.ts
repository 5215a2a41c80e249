import { join } from 'node:path';
import { compilerFor } from '@repoless/service/db/statement.ts';
import type { Args, Compile, Statement } from '@repoless/service/db/statement.ts';
import { connectWriter } from '@repoless/service/db/sqlite/connect.ts';

/** The lines of SQLite's plan of a statement in which a table is read from its beginning to its end. In: the folder of a database. */
export function scansOf(dataDir: string, statementOf: (compile: Compile) => Statement, args: Args): string[] {
  const db = connectWriter(join(dataDir, 'repoless.sqlite'));
  try {
    const statement = statementOf(compilerFor('sqlite'));
    const plan = db.prepare<unknown[], { detail: string }>(`explain query plan ${statement.sql}`).all(...statement.bind(args));
    if (plan.length === 0) throw new Error('SQLite says nothing of its plan.');
    // Of what the statement itself makes, nothing is large.
    return plan.map(({ detail }) => detail).filter((line) => /^SCAN (?!\(|waiting|orgs|due|ranked|CONSTANT)/.test(line));
  } finally {
    db.close();
  }
}
