import type { sitePartEndpoints } from '#contract/endpoints.ts';
import type { SitePart } from '#contract/site.ts';
import { etagOf } from '../canonical.ts';
import type { Verb } from '../verb.ts';
import { findSite, partNotFound } from './find-site.ts';
import { partView } from './part-view.ts';

/** The reading of one part of a site. */
export function getSitePart<P extends SitePart>(part: P): Verb<(typeof sitePartEndpoints)[P]['get']> {
  const view = partView(part);
  return async (context, { params }) => {
    const { config } = await findSite(context, params);
    const value = view.read(config);
    if (value === undefined) throw partNotFound(part, params);
    return { status: 200, body: value, etag: etagOf(value) };
  };
}
