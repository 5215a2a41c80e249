import type { sitePartEndpoints } from '#contract/endpoints.ts';
import type { SitePart } from '#contract/site.ts';
import { replacePart } from '../changes/part-calls.ts';
import type { Verb } from '../verb.ts';
import { partPermission } from './part-permission.ts';
import { SITES } from './sites.ts';

/** The replacing of one part of a site, whole (calls 3, 4 and 5). */
export function setSitePart<P extends SitePart>(part: P): Verb<(typeof sitePartEndpoints)[P]['set']> {
  return replacePart(SITES, part, partPermission(part));
}
