import type { Failure, Known } from './situation.ts';

type Unknown = Exclude<Known<unknown>, { state: 'known' }>;

/** Why an answer does not hold what was asked for; undefined where it does. What is not there is told as a refusal with 404. */
export function failureOf(answer: Unknown): Failure;
export function failureOf(answer: Known<unknown>): Failure | undefined;
export function failureOf(answer: Known<unknown>): Failure | undefined {
  if (answer.state === 'missing') return { kind: 'refused', status: 404 };
  return answer.state === 'failed' ? answer.failure : undefined;
}
