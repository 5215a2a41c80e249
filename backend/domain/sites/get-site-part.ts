import type { sitePartEndpoints } from '#contract/endpoints.ts';
import type { SitePart } from '#contract/site.ts';
import { readPart } from '../changes/part-calls.ts';
import type { Verb } from '../verb.ts';
import { SITES } from './sites.ts';

/** The reading of one part of a site. */
export function getSitePart<P extends SitePart>(part: P): Verb<(typeof sitePartEndpoints)[P]['get']> {
  return readPart(SITES, part);
}
