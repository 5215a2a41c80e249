import type { Failure, Known } from '../situation/situation.ts';

/** Reported if something required does not exist, like the service's own refusal. */
export const NOT_FOUND: Failure = { kind: 'refused', status: 404 };

type Unknown = Exclude<Known<unknown>, { state: 'known' }>;

/** Why an answer has no value; undefined if it has one. Missing is reported as a refusal with 404. */
export function failureOf(answer: Unknown): Failure;
export function failureOf(answer: Known<unknown>): Failure | undefined;
export function failureOf(answer: Known<unknown>): Failure | undefined {
  if (answer.state === 'missing') return NOT_FOUND;
  return answer.state === 'failed' ? answer.failure : undefined;
}

/** Problems of the service after which a write may still have been stored: its commit may have succeeded before the answer. */
const UNDECIDED: ReadonlySet<string> = new Set(['INTERNAL', 'STORAGE_UNAVAILABLE']);

/**
 * Whether a write that failed in this way may have been stored: its answer was lost, came from an intermediary, or could not be read.
 * The stored state must be read again before anything is reported.
 */
export function isUncertain({ kind, status, problem, finding }: Failure): boolean {
  if (problem !== undefined) return UNDECIDED.has(problem.code);
  switch (kind) {
    case 'unreachable':
    case 'timeout':
      return true;
    case 'refused':
      return status !== undefined && status >= 500;
    case 'unexpected':
      return finding === undefined || finding.kind === 'unread';
    default:
      return kind satisfies never;
  }
}

/**
 * The remaining failure of a removal. Takes its failure (undefined if it succeeded) and a function that reads whether the subject still
 * exists. Returns undefined if the answer was lost but the subject no longer exists.
 */
export async function failureUnlessMissing(
  failure: Failure | undefined,
  isThere: () => Promise<Known<boolean>>,
): Promise<Failure | undefined> {
  if (failure === undefined || !isUncertain(failure)) return failure;
  const there = await isThere();
  return there.state === 'known' && !there.value ? undefined : failure;
}

export function anyOf<T>(read: Known<readonly T[]>, fits: (one: T) => boolean): Known<boolean> {
  return read.state === 'known' ? { state: 'known', value: read.value.some(fits) } : read;
}

/** The service answers as if there were no such organization: it is not claimed, or the caller only has roles on single sites. */
export function hasNoOrganization(answer: Known<unknown>): boolean {
  return answer.state === 'missing' || (answer.state === 'failed' && answer.failure.problem?.code === 'ORG_NOT_FOUND');
}
