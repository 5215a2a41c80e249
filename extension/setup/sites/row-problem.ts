import { failureData } from '../blocked-by-failure.ts';
import { isPassing } from '../retry.ts';
import type { Failure } from '../situation.ts';
import type { RowProblem, RowReason, RowStep } from './rows.ts';

/** Why a row's step did not succeed. */
export function problemOf(step: RowStep, failure: Failure): RowProblem {
  return { step, reason: reasonOf(failure), data: failureData(failure), failure };
}

export function rowProblem(step: RowStep, reason: RowReason, data: Readonly<Record<string, string>> = {}): RowProblem {
  return { step, reason, data };
}

function reasonOf(failure: Failure): RowReason {
  if (isPassing(failure)) return 'unreachable';
  switch (failure.problem?.code) {
    case 'CONTENT_ROOT_TAKEN':
      return 'content-root-taken';
    case 'NOT_AUTHENTICATED':
    case 'NOT_AUTHORIZED':
    case 'WOULD_LOCK_OUT':
      return 'not-authorized';
    case 'PRECONDITION_FAILED':
      return 'changed-meanwhile';
    default:
      return failure.status === 401 || failure.status === 403 ? 'not-authorized' : 'refused';
  }
}
