import type { Site } from '#contract/site.ts';

/** What a call about a site shows of it: the whole, or one part. */
export interface SiteView {
  /** Where the part lies in the site, as a JSON pointer. */
  readonly pointer: string;
  /** Undefined where the site does not have the part. */
  read(site: Site): unknown;
}

export const WHOLE_SITE: SiteView = { pointer: '', read: (site) => site };
