import { isMissing } from '#extension/setup/failure-of.ts';
import type { Failure, Known } from '#extension/setup/situation.ts';
import type { ClientAnswer } from './client.ts';

/**
 * What an answer of the client holds, or what `pick` takes of it. What is not there is missing; every other refusal is a failure, also
 * that the caller has no role in the organization, or nobody claimed it (ORG_NOT_FOUND): nothing is known then of what was asked for.
 */
export function known<T>(answer: ClientAnswer<T>): Known<T>;
export function known<T, V>(answer: ClientAnswer<T>, pick: (value: T) => V): Known<V>;
export function known(answer: ClientAnswer<unknown>, pick: (value: unknown) => unknown = (value) => value): Known<unknown> {
  return answer.ok ? { state: 'known', value: pick(answer.value) } : lacking(answer.failure);
}

/** What a refusal says of what was asked for: missing where it is not there, else the failure. */
export function lacking(failure: Failure): Known<never> {
  return isMissing(failure) ? { state: 'missing' } : { state: 'failed', failure };
}

/** The same for what setup asks for before the organization is claimed: there is no site then either, and nothing of it. */
export function knownIfClaimed<T, V>(answer: ClientAnswer<T>, pick: (value: T) => V): Known<V> {
  return answer.ok ? { state: 'known', value: pick(answer.value) } : lackingIfClaimed(answer.failure);
}

export function lackingIfClaimed(failure: Failure): Known<never> {
  return failure.status === 404 ? { state: 'missing' } : { state: 'failed', failure };
}

/** What became of a write: that it was refused is never missing, whatever is not there. */
export function done<T>(answer: ClientAnswer<T>): Known<T> {
  return answer.ok ? { state: 'known', value: answer.value } : { state: 'failed', failure: answer.failure };
}
