import type { RepositoryGroup } from './repository-groups.ts';

/** A line of the overview: a repository, or a site of it that was searched for. */
export type OverviewRow =
  | { readonly kind: 'repository'; readonly id: string; readonly group: RepositoryGroup }
  | { readonly kind: 'site'; readonly id: string; readonly group: RepositoryGroup; readonly site: string };

/**
 * The lines of the overview. Without a search: the repositories. With one: repositories whose name holds the text, and
 * sites whose name does, each below its repository.
 */
export function overviewRows(groups: readonly RepositoryGroup[], search: string): OverviewRow[] {
  const wanted = search.trim().toLowerCase();
  return groups.flatMap((group): OverviewRow[] => {
    const row = { kind: 'repository', id: group.key, group } as const;
    if (wanted === '') return [row];
    const sites = sitesMatching(group.sites, wanted).map((site) => ({ kind: 'site', id: `${group.key} ${site}`, group, site }) as const);
    return sites.length > 0 || `${group.owner}/${group.repo}`.toLowerCase().includes(wanted) ? [row, ...sites] : [];
  });
}

/** Sites whose name holds the text; all for an empty one. */
export function sitesMatching(sites: readonly string[], search: string): readonly string[] {
  const wanted = search.trim().toLowerCase();
  return wanted === '' ? sites : sites.filter((site) => site.includes(wanted));
}
