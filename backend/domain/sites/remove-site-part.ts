import type { sitePartEndpoints } from '#contract/endpoints.ts';
import type { SitePart } from '#contract/site.ts';
import { removePart } from '../changes/part-calls.ts';
import type { Verb } from '../verb.ts';
import { partPermission } from './part-permission.ts';
import { SITES } from './sites.ts';

/** The removing of one part of a site. */
export function removeSitePart<P extends SitePart>(part: P): Verb<(typeof sitePartEndpoints)[P]['remove']> {
  return removePart(SITES, part, partPermission(part));
}
