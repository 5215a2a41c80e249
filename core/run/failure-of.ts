import type { Failure, Known } from '../situation/situation.ts';

/** What is told where something is not there that must be: as the service refuses it. */
export const NOT_FOUND: Failure = { kind: 'refused', status: 404 };

type Unknown = Exclude<Known<unknown>, { state: 'known' }>;

/** Why an answer has no value; undefined if it has one. Missing is reported as a refusal with 404. */
export function failureOf(answer: Unknown): Failure;
export function failureOf(answer: Known<unknown>): Failure | undefined;
export function failureOf(answer: Known<unknown>): Failure | undefined {
  if (answer.state === 'missing') return NOT_FOUND;
  return answer.state === 'failed' ? answer.failure : undefined;
}
