import { LIMITS } from '@repoless/contract/limits.ts';

/** For a whole look at a code source, however many requests it takes. Out: the milliseconds that are left for the next request. */
export function deadline(): () => number {
  const end = performance.now() + LIMITS.questionTime;
  return () => Math.max(1, Math.round(end - performance.now()));
}
