import type { Failure, Known } from '../situation/situation.ts';
import type { ClientAnswer } from './client.ts';

/**
 * The value of an answer about an organization. Missing means one thing in it, or the call itself, which an older service lacks. If the caller has
 * no role in the organization, or it is not claimed, that is a failure: nothing is known then.
 */
export function found<T>(answer: ClientAnswer<T>): Known<T> {
  return answer.ok ? { state: 'known', value: answer.value } : unfound(answer.failure);
}

/** What a refusal says of what was asked for: missing where it is not there, else the failure. */
export function unfound(failure: Failure): Known<never> {
  return isMissing(failure) ? { state: 'missing' } : { state: 'failed', failure };
}

/** What became of a write: that it was refused is never missing, whatever is not there. */
export function done<T>(answer: ClientAnswer<T>): Known<T> {
  return answer.ok ? { state: 'known', value: answer.value } : { state: 'failed', failure: answer.failure };
}

/** Whether a refusal says that something doesn't exist, rather than that the caller may not know. */
export function isMissing({ status, problem }: Failure): boolean {
  return status === 404 && problem?.code !== 'ORG_NOT_FOUND';
}
