import { asked as askedOfChange } from '../changes/change.ts';
import type { Asked } from '../changes/change.ts';
import type { SiteChange } from './change-site.ts';
import type { SiteName } from './check-site.ts';

/** What every change of a site takes over from its call. */
export function asked(input: Asked & { readonly params: SiteName }): Pick<SiteChange, 'name' | 'query' | 'ifMatch' | 'ifNoneMatch'> {
  return { name: { org: input.params.org, site: input.params.site }, ...askedOfChange(input) };
}
