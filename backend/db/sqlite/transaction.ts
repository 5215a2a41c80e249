import type { Database as Connection } from 'better-sqlite3';
import type { Change } from '../change-notifier.ts';
import { sqlWrites } from '../sql-writes.ts';
import type { Executor } from '../sql-writes.ts';
import { sqlReads } from '../sql-reads.ts';
import type { ReadStatements } from '../read-statements.ts';
import { Conflicted, storageError } from '../storage-error.ts';
import type { Statement } from '../statement.ts';
import type { DatabaseSystem } from '../traced-query.ts';
import { tracedQuery } from '../traced-query.ts';
import type { Tracing } from '../../tracing/tracing.ts';
import { statementError } from '../transactions.ts';
import type { Transaction, TransactionEngine } from '../transactions.ts';
import type { WriteStatements } from '../write-statements.ts';
import type { PreparedStatements } from './prepared.ts';

interface SqliteTransactions {
  readonly db: Connection;
  readonly prepared: PreparedStatements;
  readonly statements: { readonly read: ReadStatements; readonly write: WriteStatements };
  readonly tracing: Tracing;
  /** Does what takes the right to write as soon as no other program has it. Rejects where it cannot be had. */
  patiently(work: () => void): Promise<void>;
  committed(writes: number): void;
}

/** The one connection that writes. Its transaction is the same object each time: to make all functions of a write anew costs as much as a statement. */
export function sqliteTransactions({ db, prepared, statements, tracing, patiently, committed }: SqliteTransactions): TransactionEngine {
  const [begin, commit, rollback] = [db.prepare('begin immediate'), db.prepare('commit'), db.prepare('rollback')];
  const [savepoint, release, undo] = [db.prepare('savepoint one'), db.prepare('release one'), db.prepare('rollback to one')];
  const changes: Change[] = [];
  let failed: unknown;
  let unwritable: unknown;
  let writes = 0;

  function executed<T>(statement: Statement, work: () => T): T {
    // What only reads is answered where nothing can be written.
    if (unwritable !== undefined && !prepared.isReading(statement)) throw storageError(unwritable);
    try {
      return work();
    } catch (error) {
      const found = statementError(error);
      if (found.failed) failed = error;
      throw found.error;
    }
  }
  const system: DatabaseSystem = 'sqlite';
  const executor: Executor = {
    rows: tracedQuery(tracing, system, async (statement, args) => executed(statement, () => prepared.rows(statement, args))),
    run: tracedQuery(tracing, system, async (statement, args) => executed(statement, () => prepared.run(statement, args))),
    async change(statement, args, atLeast) {
      if ((await executor.run(statement, args)) < atLeast) throw new Conflicted();
    },
    changed: (change) => void changes.push(change),
  };
  const transaction: Transaction = {
    writes: sqlWrites(sqlReads(statements.read, executor.rows), statements.write, executor, 'sqlite'),
    rows: executor.rows,
    changes,
    get failed() {
      return failed;
    },
    async settled() {
      // Each statement was executed at once.
    },
    async begin() {
      writes += 1;
      if (db.inTransaction) savepoint.run();
    },
    async keep() {
      if (db.inTransaction) release.run();
    },
    async undo() {
      if (!db.inTransaction) return;
      undo.run();
      release.run();
    },
  };

  return {
    lanes: 1,
    async transaction(_orgs, work) {
      changes.length = 0;
      failed = undefined;
      writes = 1;
      unwritable = await patiently(() => void begin.run()).then(
        () => undefined,
        (error: unknown) => error,
      );
      try {
        if (!(await work(transaction)) || !db.inTransaction) return;
        commit.run();
        committed(writes);
      } finally {
        // SQLite may have ended the transaction by itself already, e.g. when the disk is full.
        if (db.inTransaction) rollback.run();
      }
    },
  };
}
