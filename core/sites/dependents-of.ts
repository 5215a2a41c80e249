import type { SiteListEntry } from '@repoless/contract/site.ts';
import { groupByRepository, groupOf } from '../sync/repository-groups.ts';
import { organizationSites } from './organization-sites.ts';

/** Why a site cannot go while other sites stay. */
export type Dependents =
  /** They have it as their base. */
  | { readonly kind: 'base'; readonly sites: readonly string[] }
  /** They get their code with a secret that this site holds. */
  | { readonly kind: 'holds-secret'; readonly sites: readonly string[] };

/** In: all sites of the organization. Out: what depends on one of them, as long as those named are there. */
export function dependentsOf(sites: readonly SiteListEntry[]) {
  const placed = organizationSites(sites);
  const groups = groupByRepository(sites);
  return (name: string, staying: ReadonlySet<string>): Dependents | undefined => {
    const others = (names: readonly string[]) => names.filter((other) => other !== name && staying.has(other));
    const locales = others(placed.flatMap((site) => (site.base === name ? [site.name] : [])));
    if (locales.length > 0) return { kind: 'base', sites: locales };
    const group = groupOf(groups, name);
    const sharing = group?.holder === name ? others(group.sites) : [];
    return sharing.length === 0 ? undefined : { kind: 'holds-secret', sites: sharing };
  };
}
