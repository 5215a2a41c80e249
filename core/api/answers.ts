import type { Failure, Known } from '../situation/situation.ts';
import type { ClientAnswer } from './client.ts';

/**
 * The value of a client's answer, or what `pick` takes from it. 404 is missing, also if the organization is not claimed yet; every other
 * refusal is a failure. For what setup reads about one site; use `found` for the rest.
 */
export function known<T>(answer: ClientAnswer<T>): Known<T>;
export function known<T, V>(answer: ClientAnswer<T>, pick: (value: T) => V): Known<V>;
export function known(answer: ClientAnswer<unknown>, pick: (value: unknown) => unknown = (value) => value): Known<unknown> {
  return answer.ok ? { state: 'known', value: pick(answer.value) } : lacking(answer.failure);
}

/** Missing for a 404, otherwise the failure. */
export function lacking(failure: Failure): Known<never> {
  return failure.status === 404 ? { state: 'missing' } : { state: 'failed', failure };
}
