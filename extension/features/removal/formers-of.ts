import type { SiteListEntry } from '@repoless/contract/site.ts';
import type { OrganizationSite } from '@repoless/core/sites/organization-sites.ts';
import type { FormerSite } from '@repoless/core/sites/plan-removals.ts';

/** Chosen sites as the list shows them. In: `here`, the author at hand, which a site without content is dealt with from. */
export function formersOf(chosen: readonly OrganizationSite[], sites: readonly SiteListEntry[], here: string): FormerSite[] {
  const listed = new Map(sites.map((site) => [site.name, site]));
  return chosen.map(({ name, author, contentRoot }) => {
    const code = listed.get(name)?.code;
    return {
      siteName: name,
      author: author ?? here,
      ...(author === undefined || contentRoot === undefined ? {} : { contentRoot }),
      ...(code === undefined ? {} : { code }),
    };
  });
}
