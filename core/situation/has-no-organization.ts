import type { Known } from './situation.ts';

/** The service answers as if there were no such organization: it is not claimed, or the caller only has roles on single sites. */
export function hasNoOrganization(answer: Known<unknown>): boolean {
  return answer.state === 'missing' || (answer.state === 'failed' && answer.failure.problem?.code === 'ORG_NOT_FOUND');
}
