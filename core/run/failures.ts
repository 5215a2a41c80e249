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

/** Problems of the service after which a write may have been stored all the same: its commit may have gone through before they were answered. */
const UNDECIDED: ReadonlySet<string> = new Set(['INTERNAL', 'STORAGE_UNAVAILABLE']);

/**
 * Whether a write that failed in this way may have been stored nevertheless: its answer did not come, came from something in between, or
 * could not be read. What is stored has to be read again before anything is said of it.
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
 * What is left of the failure of a removal. In: why it failed, undefined where it did not; reads whether what was to be removed is still
 * there. Out: undefined where its answer was lost and it is gone.
 */
export async function failureUnlessMissing(
  failure: Failure | undefined,
  isThere: () => Promise<Known<boolean>>,
): Promise<Failure | undefined> {
  if (failure === undefined || !isUncertain(failure)) return failure;
  const there = await isThere();
  return there.state === 'known' && !there.value ? undefined : failure;
}

/** Whether one of those that were read fits. */
export function anyOf<T>(read: Known<readonly T[]>, fits: (one: T) => boolean): Known<boolean> {
  return read.state === 'known' ? { state: 'known', value: read.value.some(fits) } : read;
}

/** The service answers as if there were no such organization: it is not claimed, or the caller only has roles on single sites. */
export function hasNoOrganization(answer: Known<unknown>): boolean {
  return answer.state === 'missing' || (answer.state === 'failed' && answer.failure.problem?.code === 'ORG_NOT_FOUND');
}
