import type { SyncState } from '@repoless/core/sync/sync-state.ts';

/** The colour of the light beside a state; its name always stands there too. */
export function syncStateTone({ state }: SyncState): 'positive' | 'negative' | 'info' | 'neutral' | 'yellow' {
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
