import type { Database as Connection } from 'better-sqlite3';
import type { Effects } from '../effects.ts';
import type { EffectStep } from '../effect-step.ts';
import { effectSteps } from '../effect-steps.ts';
import { failure } from '../group-commit.ts';
import type { Stored } from '../group-commit.ts';
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
): (batch: readonly Effects[]) => Stored[] {
  const [begin, commit, rollback] = [db.prepare('begin immediate'), db.prepare('commit'), db.prepare('rollback')];
  const [savepoint, release, undo] = [db.prepare('savepoint one'), db.prepare('release one'), db.prepare('rollback to one')];

  function isDone(step: EffectStep): boolean {
    if (step.kind === 'check') return step.holds(prepared.rows(step.statement, step.args));
    return prepared.run(step.statement, step.args) >= step.atLeast;
  }

  function storeOne(effects: Effects): Stored {
    savepoint.run();
    const stored = attempt(() => {
      return effectSteps(statements, effects).every(isDone) ? DONE : CHANGED;
    });
    if (stored.kind === 'conflict') undo.run();
    release.run();
    return stored;
  }

  return (batch) => {
    begin.run();
    try {
      const stored = batch.map(storeOne);
      commit.run();
      return stored;
    } finally {
      // SQLite may have ended the transaction by itself already, e.g. when the disk is full.
      if (db.inTransaction) rollback.run();
    }
  };
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
