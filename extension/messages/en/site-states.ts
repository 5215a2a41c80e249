import type { SiteKind } from '#extension/setup/sites/organization-sites.ts';
import type { SiteState } from '#contract/site-check.ts';

/** The state of a site: these words and no others, on every screen and on the command line. */
export const siteStates = {
  'set-up': 'Set up',
  differs: 'Differs',
  faulty: 'Has errors',
  unfinished: 'Partly set up',
  registered: 'Registered',
  'not-set-up': 'Not set up',
  unknown: 'Unknown',
} satisfies Record<SiteState, string>;

/** What a site is among the others of its organization. */
export const siteKinds = {
  base: 'Base site',
  locale: 'Locale site',
  production: 'Stage or production site',
  single: 'Single site',
} satisfies Record<SiteKind, string>;
