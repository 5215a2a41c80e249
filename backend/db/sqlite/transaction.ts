import type { Database as Connection, Statement as Prepared } from 'better-sqlite3';
import type { RawBuilder } from 'kysely';
import type { Change } from '../change-notifier.ts';
import type { Compile, Query, Statement, Traced } from '../queries.ts';
import { Conflicted, storageError } from '../storage-error.ts';
import { writesOn } from '../store.ts';
import { statementError, type Transaction, type TransactionEngine } from '../transactions.ts';

/** The statements of one connection, each prepared once. */
export function preparedStatements(db: Connection): (statement: Pick<Statement, 'sql'>) => Prepared<unknown[]> {
  const prepared = new Map<string, Prepared<unknown[]>>();
  return ({ sql }) => {
    let found = prepared.get(sql);
    if (found === undefined) prepared.set(sql, (found = db.prepare<unknown[]>(sql)));
    return found;
  };
}

/** The rows of a statement; none if it only changes something. */
export function rowsOf(prepared: Prepared<unknown[]>, { parameters }: Statement): readonly unknown[] {
  if (prepared.reader) return prepared.all(...parameters);
  prepared.run(...parameters);
  return [];
}

interface SqliteTransactions {
  readonly db: Connection;
  readonly compile: Compile;
  readonly traced: Traced;
  /** Runs work that takes the write lock, as soon as no other program has it. Rejects if it cannot be taken. */
  patiently(work: () => void): Promise<void>;
  committed(writes: number): void;
}

/**
 * The only writing connection. Its transaction is the same object each time: recreating all functions of a write costs as much as a
 * statement.
 */
export function sqliteTransactions({ db, compile, traced, patiently, committed }: SqliteTransactions): TransactionEngine {
  const prepare = preparedStatements(db);
  const [begin, commit, rollback] = [db.prepare('begin immediate'), db.prepare('commit'), db.prepare('rollback')];
  const [savepoint, release, undo] = [db.prepare('savepoint one'), db.prepare('release one'), db.prepare('rollback to one')];
  const changes: Change[] = [];
  let failed: unknown;
  let unwritable: unknown;
  let writes = 0;

  function executed<T>(query: RawBuilder<unknown>, work: (prepared: Prepared<unknown[]>, statement: Statement) => T): Promise<T> {
    const statement = compile(query);
    return traced(statement, async () => {
      const prepared = prepare(statement);
      // Reads are answered even if nothing can be written.
      if (unwritable !== undefined && !prepared.readonly) throw storageError(unwritable);
      try {
        return work(prepared, statement);
      } catch (error) {
        const found = statementError(error);
        if (found.failed) failed = error;
        throw found.error;
      }
    });
  }
  // Safe: a query declares the type of its rows.
  const rows = ((query) => executed(query, rowsOf)) as Query;
  const run = (query: RawBuilder<unknown>) => executed(query, (prepared, { parameters }) => prepared.run(...parameters).changes);
  const transaction: Transaction = {
    writes: writesOn({
      dialect: 'sqlite',
      rows,
      run,
      async must(query, atLeast = 1) {
        if ((await run(query)) < atLeast) throw new Conflicted();
      },
      async may(query) {
        await run(query);
      },
      changed: (change) => void changes.push(change),
    }),
    rows,
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
        // SQLite may have rolled back the transaction itself, e.g. when the disk is full.
        if (db.inTransaction) rollback.run();
      }
    },
  };
}
