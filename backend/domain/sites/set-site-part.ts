import type { PartValue, sitePartEndpoints } from '#contract/endpoints.ts';
import type { SitePart } from '#contract/site.ts';
import type { Verb } from '../verb.ts';
import { asked } from './asked.ts';
import { changeSite } from './change-site.ts';
import { partPermission } from './part-permission.ts';
import { partView, withPart } from './part-view.ts';

/** The replacing of one part of a site, whole (calls 3, 4 and 5). */
export function setSitePart<P extends SitePart>(part: P): Verb<(typeof sitePartEndpoints)[P]['set']> {
  const view = partView(part);
  return (context, input) => {
    const value = bodyOf<P>(input.body);
    return changeSite(context, {
      ...asked(input),
      permission: partPermission(part),
      action: `set-${part}`,
      view,
      next: (present) => withPart(present?.config ?? {}, part, value),
    });
  };
}

// Safe: the row's schema is the part's own; the types lose this on the way through the union of all rows.
function bodyOf<P extends SitePart>(body: unknown): PartValue<P> {
  return body as PartValue<P>;
}
