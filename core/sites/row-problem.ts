import { failureData } from '../plan/blocked-by-failure.ts';
import { PASSING_BLOCKS } from '../go-live/take-gate.ts';
import { isTransient } from '../run/retry.ts';
import { isSignedOut } from '../situation/signed-out.ts';
import type { Failure } from '../situation/situation.ts';
import type { NotRevertedReason, RowProblem, RowReason, RowStep } from './rows.ts';

/** Why a row's step did not succeed. */
export function problemOf(step: RowStep, failure: Failure): RowProblem {
  return { step, reason: reasonOf(failure), data: failureData(failure), failure };
}

export function rowProblem(step: RowStep, reason: RowReason, data: Readonly<Record<string, string>> = {}): RowProblem {
  return { step, reason, data };
}

/** Why a row's gate does not hold, at the step where it was looked at. */
export function gateProblem(step: RowStep, failure: Failure): RowProblem {
  if (failure.finding?.kind !== 'blocked') return problemOf(step, failure);
  return { step, reason: 'not-ready', data: failure.finding.data, failure };
}

/** The row ended with its site, or possibly, in the environment that it was to move to. */
export function isLeft({ reason }: Pick<RowProblem, 'reason'>): boolean {
  return LEFT.includes(reason);
}

const LEFT: readonly RowReason[] = ['left-moved', 'left-moved-changed', 'left-unknown'] satisfies readonly NotRevertedReason[];
/** What no row gets through. */
const ENDS = ['unreachable', 'signed-out'] as const satisfies readonly RowReason[];
const PASSING: readonly RowReason[] = [...ENDS, 'not-verified', 'changed-meanwhile', ...LEFT];

/** Why rows that have not started would fail too; undefined if the problem is this row's own. */
export function endOfRun({ reason, after }: RowProblem): (typeof ENDS)[number] | undefined {
  const first = after?.reason ?? reason;
  return ENDS.find((end) => end === first);
}

/** It may be over by itself: the same again makes sense. Everything else wants something changed first. */
export function passesByItself({ reason, failure }: RowProblem): boolean {
  if (failure?.finding?.kind === 'blocked') return PASSING_BLOCKS.has(failure.finding.reason);
  return PASSING.includes(reason);
}

function reasonOf(failure: Failure): RowReason {
  if (isTransient(failure)) return 'unreachable';
  if (isSignedOut(failure)) return 'signed-out';
  switch (failure.problem?.code) {
    case 'CONTENT_ROOT_TAKEN':
      return 'content-root-taken';
    case 'NOT_AUTHORIZED':
    case 'WOULD_LOCK_OUT':
      return 'not-authorized';
    case 'PRECONDITION_FAILED':
      return 'changed-meanwhile';
    default:
      if (failure.status === 401) return 'signed-out';
      return failure.status === 403 ? 'not-authorized' : 'refused';
  }
}
