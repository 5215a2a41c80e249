import type { DryRun } from '@repoless/contract/endpoint-parts.ts';
import type { Failure, Known } from '../situation/call.ts';
import type { ClientAnswer } from './client.ts';

/**
 * The value of an answer about an organization. Missing means that one thing in it does not exist, or that an older service lacks the call.
 * If the caller has no role in the organization, or it is not claimed, that is a failure: nothing is known then.
 */
export function found<T>(answer: ClientAnswer<T>): Known<T>;
export function found<T, V>(answer: ClientAnswer<T>, pick: (value: T) => V): Known<V>;
export function found(answer: ClientAnswer<unknown>, pick: (value: unknown) => unknown = (value) => value): Known<unknown> {
  return answer.ok ? { state: 'known', value: pick(answer.value) } : unfound(answer.failure);
}

/** Missing if the requested thing doesn't exist, otherwise the failure. */
export function unfound(failure: Failure): Known<never> {
  return isMissing(failure) ? { state: 'missing' } : { state: 'failed', failure };
}

/** The result of a write: a refusal is never "missing", whatever does not exist. */
export function done<T>(answer: ClientAnswer<T>): Known<T> {
  return answer.ok ? { state: 'known', value: answer.value } : { state: 'failed', failure: answer.failure };
}

/** The result of a write that was not sent as a dry run. */
export function exceptDryRun<T extends object>(answer: ClientAnswer<T | DryRun>): Known<T> {
  if (!answer.ok) return { state: 'failed', failure: answer.failure };
  const { value, status } = answer;
  return 'dryRun' in value ? { state: 'failed', failure: { kind: 'unexpected', status } } : { state: 'known', value };
}

/** Whether a refusal says that something doesn't exist, rather than that the caller may not know. */
export function isMissing({ status, problem }: Failure): boolean {
  return status === 404 && problem?.code !== 'ORG_NOT_FOUND';
}

/**
 * The value of a client's answer, or what `pick` takes from it. 404 is missing, also if the organization is not claimed yet; every other
 * refusal is a failure. For what setup reads about one site; use `found` for the rest.
 */
export function known<T>(answer: ClientAnswer<T>): Known<T>;
export function known<T, V>(answer: ClientAnswer<T>, pick: (value: T) => V): Known<V>;
export function known(answer: ClientAnswer<unknown>, pick: (value: unknown) => unknown = (value) => value): Known<unknown> {
  return answer.ok ? { state: 'known', value: pick(answer.value) } : failedByPermission(answer.failure);
}

/** Missing for a 404, otherwise the failure. */
export function failedByPermission(failure: Failure): Known<never> {
  return failure.status === 404 ? { state: 'missing' } : { state: 'failed', failure };
}
