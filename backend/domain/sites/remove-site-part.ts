import type { sitePartEndpoints } from '#contract/endpoints.ts';
import type { SitePart } from '#contract/site.ts';
import type { Verb } from '../verb.ts';
import { asked } from './asked.ts';
import { changeSite } from './change-site.ts';
import { partNotFound } from './find-site.ts';
import { partPermission } from './part-permission.ts';
import { partView, withPart } from './part-view.ts';

/** The removing of one part of a site. */
export function removeSitePart<P extends SitePart>(part: P): Verb<(typeof sitePartEndpoints)[P]['remove']> {
  const view = partView(part);
  return (context, input) =>
    changeSite(context, {
      ...asked(input),
      permission: partPermission(part),
      action: `delete-${part}`,
      view,
      next: (present) => {
        if (present === undefined || view.read(present.config) === undefined) throw partNotFound(part, input.params);
        return withPart(present.config, part, undefined);
      },
    });
}
