import type { Failure } from '../situation/situation.ts';

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
