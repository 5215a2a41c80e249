import type { SiteState } from '@repoless/contract/site-check.ts';

export type StateTone = 'positive' | 'notice' | 'negative' | 'info' | 'neutral' | 'yellow';

/** The colour beside the word. */
export const STATE_TONES: Readonly<Record<SiteState, StateTone>> = {
  faulty: 'negative',
  differs: 'notice',
  unfinished: 'yellow',
  'not-set-up': 'neutral',
  unknown: 'neutral',
  registered: 'info',
  'set-up': 'positive',
};
