import type { Database as Connection } from 'better-sqlite3';
import type { EffectStep, WriteSet } from '../write-set.ts';
import { effectSteps } from '../write-set-steps.ts';
import { rowHash } from '../write-rows.ts';
import type { AuditRow } from '../write-rows.ts';
import { failure } from '../group-commit.ts';
import type { Stored } from '../group-commit.ts';
import { optionalInteger, optionalText } from '../row.ts';
import type { WriteStatements } from '../write-statements.ts';
import type { PreparedStatements } from './prepared.ts';

/**
 * Stores a batch in one transaction, each write within a savepoint of its own, so that one that lost against another leaves
 * its neighbours alone. Throws, with nothing stored, where SQLite itself fails.
 */
export function sqliteFlush(
  db: Connection,
  prepared: PreparedStatements,
  statements: WriteStatements,
): (batch: readonly WriteSet[]) => Stored[] {
  const [begin, commit, rollback] = [db.prepare('begin immediate'), db.prepare('commit'), db.prepare('rollback')];
  const [savepoint, release, undo] = [db.prepare('savepoint one'), db.prepare('release one'), db.prepare('rollback to one')];

  function isDone(step: EffectStep): boolean {
    if (step.kind === 'check') return step.holds(prepared.rows(step.statement, step.args));
    if (step.kind === 'audit') return chainEntry(prepared, statements, step.row);
    // SQLite writes the entries of every index anew that holds a column which is set, the same value or not.
    if (step.inPlace !== undefined && prepared.run(step.inPlace, step.args) > 0) return true;
    return prepared.run(step.statement, step.args) >= step.atLeast;
  }

  function stepsOf(writeSet: WriteSet): Stored {
    return attempt(() => (effectSteps(statements, writeSet).every(isDone) ? DONE : CHANGED));
  }

  function storeOne(writeSet: WriteSet): Stored {
    savepoint.run();
    const stored = stepsOf(writeSet);
    if (stored.kind === 'conflict') undo.run();
    release.run();
    return stored;
  }

  return (batch) => {
    begin.run();
    try {
      const [alone] = batch;
      if (alone !== undefined && batch.length === 1) {
        // Nobody stands beside it in the transaction, which is undone whole where it cannot be stored.
        const stored = stepsOf(alone);
        (stored.kind === 'conflict' ? rollback : commit).run();
        return [stored];
      }
      const stored = batch.map(storeOne);
      commit.run();
      return stored;
    } finally {
      // SQLite may have ended the transaction by itself already, e.g. when the disk is full.
      if (db.inTransaction) rollback.run();
    }
  };
}

/** Nobody else writes meanwhile, so that the end of the chain stays where it is. */
function chainEntry(prepared: PreparedStatements, statements: WriteStatements, row: AuditRow): true {
  const [end = {}] = prepared.rows(statements.auditEnd, { org: row.org });
  const entry = {
    ...row,
    id: (optionalInteger(end, 'last_id') ?? 0) + 1,
    seq: (optionalInteger(end, 'entries') ?? 0) + 1,
    previous: optionalText(end, 'hash') ?? '',
  };
  const hash = rowHash(entry);
  prepared.run(statements.addAudit, Object.assign(entry, { hash }));
  prepared.run(statements.putAuditHead, { org: entry.org, entries: entry.seq, hash });
  return true;
}

function attempt(work: () => Stored): Stored {
  try {
    return work();
  } catch (error) {
    const stored = failure(error);
    if (stored.kind === 'failed') throw error;
    return stored;
  }
}

const DONE: Stored = { kind: 'done' };
const CHANGED: Stored = { kind: 'conflict', conflict: 'changed' };
