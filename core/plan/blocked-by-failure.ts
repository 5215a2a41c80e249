import type { BlockReason, StepState } from './plan.ts';
import type { Failure } from '../situation/situation.ts';

/** Why a step cannot be taken when the service refused or did not respond. `data.detail` is the service's own sentence. */
export function blockedByFailure(failure: Failure): StepState {
  return { kind: 'blocked', reason: reasonOf(failure), data: failureData(failure), failure };
}

export function failureData(failure: Failure): Record<string, string> {
  return {
    ...failure.problem?.data,
    ...(failure.problem === undefined ? {} : { code: failure.problem.code, detail: failure.problem.detail }),
    ...(failure.status === undefined ? {} : { status: String(failure.status) }),
    ...(failure.message === undefined ? {} : { message: failure.message }),
    ...(failure.finding?.kind === 'unread' ? { from: failure.finding.from, about: failure.finding.about } : {}),
    ...(failure.problem?.errors?.[0] === undefined ? {} : { problem: failure.problem.errors[0].detail }),
  };
}

function reasonOf(failure: Failure): BlockReason {
  if (failure.kind === 'unreachable' || failure.kind === 'timeout') return 'service-unreachable';
  if (failure.finding?.kind === 'unread') return 'answer-unread';
  switch (failure.problem?.code) {
    case 'NOT_AUTHENTICATED':
    case 'TOKEN_REFUSED':
      return 'not-signed-in';
    case 'NOT_AUTHORIZED':
    case 'ORG_ALREADY_CLAIMED':
    case 'WOULD_LOCK_OUT':
      return 'not-administrator';
    case 'ORG_NOT_FOUND':
    case 'CLAIM_NOT_PROVEN':
      return 'organization-not-claimed';
    case 'ORG_UNKNOWN_ON_CODE_HOST':
      return 'organization-missing';
    case 'CONTENT_ROOT_TAKEN':
      return 'content-root-taken';
    case 'HOST_LABEL_TOO_LONG':
      return 'host-label-too-long';
    case 'NAME_INVALID':
      return 'name-invalid';
    default:
      return failure.status !== undefined && failure.status >= 500 ? 'service-unreachable' : 'refused';
  }
}
