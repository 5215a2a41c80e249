import type { JobStanding } from '@repoless/core/sync/job-standing.ts';

/** The colour of the light beside a state; its name always stands there too. */
export function standingTone({ state }: JobStanding): 'positive' | 'negative' | 'info' | 'neutral' | 'yellow' {
  switch (state) {
    case 'done':
      return 'positive';
    case 'failed':
      return 'negative';
    case 'running':
      return 'info';
    case 'waiting':
      return 'yellow';
    case 'never':
    case 'stopped':
      return 'neutral';
    default:
      return state satisfies never;
  }
}
