/** The state of a site, the most urgent first. Every screen and the command line say it with the same word (decision 0046). */
export const SITE_STATES = ['faulty', 'differs', 'unfinished', 'not-set-up', 'unknown', 'registered', 'set-up'] as const;
export type SiteState = (typeof SITE_STATES)[number];

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
