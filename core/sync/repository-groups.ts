import type { CodeSync, ExternalRepository } from '@repoless/contract/build-management.ts';
import { externalSource } from '@repoless/contract/code-source.ts';
import type { SiteListEntry } from '@repoless/contract/site.ts';
import { type CodeChoice, codeChoice, repositoryKey } from '../situation/code-choice.ts';

/** Sites that share a repository: it is synchronized once for all of them. */
export interface RepositoryGroup {
  /** Unique: see `repositoryKey`. */
  readonly key: string;
  readonly type: 'github' | 'byogit';
  readonly owner: string;
  readonly repo: string;
  /** Names, sorted. */
  readonly sites: readonly string[];
  /** The site that holds the secret of an external repository. */
  readonly holder?: string;
}

/** Groups the sites of an organization by repository, in order; sites without code have no group. */
export function groupByRepository(sites: readonly Pick<SiteListEntry, 'name' | 'code'>[]): RepositoryGroup[] {
  const groups = new Map<string, { first: Omit<RepositoryGroup, 'sites' | 'holder'>; sites: string[]; holder: string | undefined }>();
  for (const { name, code } of sites) {
    const choice = codeChoice(code);
    if (choice === undefined) continue;
    const { type, owner, repo } = choice;
    const key = repositoryKey(choice);
    const group = groups.get(key) ?? { first: { key, type, owner, repo }, sites: [], holder: undefined };
    group.sites.push(name);
    if (externalSource(code)?.secretId !== undefined) group.holder ??= name;
    groups.set(key, group);
  }
  return [...groups.values()]
    .map(({ first, sites: names, holder }) => ({ ...first, sites: names.toSorted(), ...(holder === undefined ? {} : { holder }) }))
    .toSorted((one, other) => compare(one.owner, other.owner) || compare(one.repo, other.repo) || compare(one.type, other.type));
}

/** The group of a site; undefined if it has no code. */
export function groupOf(groups: readonly RepositoryGroup[], site: string): RepositoryGroup | undefined {
  return groups.find(({ sites }) => sites.includes(site));
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/**
 * An external repository as the code of a site. Takes the repository, the addresses of build management, the sites of the
 * organization and the site's own name. Only the first site on a repository holds its secret (docs/contract.md 3.7).
 */
export function externalChoice(
  { programId: owner, repositoryId: repo }: ExternalRepository,
  { url, rawUrl }: CodeSync,
  sites: readonly SiteListEntry[],
  siteName: string,
): CodeChoice {
  const holder = secretHolder({ owner, repo }, sites);
  return { type: 'byogit', owner, repo, url, rawUrl, holdsSecret: holder === undefined || holder === siteName };
}

/** The site that holds the secret of an external repository. */
export function secretHolder(code: Pick<CodeChoice, 'owner' | 'repo'>, sites: readonly SiteListEntry[]): string | undefined {
  return groupByRepository(sites).find(({ key }) => key === repositoryKey({ ...code, type: 'byogit' }))?.holder;
}

/** A row of the overview: a repository, or one of its sites that matches the search. */
export type OverviewRow =
  | { readonly kind: 'repository'; readonly id: string; readonly group: RepositoryGroup }
  | { readonly kind: 'site'; readonly id: string; readonly group: RepositoryGroup; readonly site: string };

/**
 * The rows of the overview. Without a search: the repositories. With one: repositories whose name contains the text,
 * and sites whose name does, each below its repository.
 */
export function overviewRows(
  groups: readonly RepositoryGroup[],
  search: string,
  nameOf: (group: RepositoryGroup) => string,
): OverviewRow[] {
  const query = search.trim().toLowerCase();
  return groups.flatMap((group): OverviewRow[] => {
    const row = { kind: 'repository', id: group.key, group } as const;
    if (query === '') return [row];
    const sites = sitesMatching(group.sites, query).map((site) => ({ kind: 'site', id: `${group.key} ${site}`, group, site }) as const);
    return sites.length > 0 || `${nameOf(group)} ${group.owner}/${group.repo}`.toLowerCase().includes(query) ? [row, ...sites] : [];
  });
}

/** Sites whose name contains the text; all if it is empty. */
export function sitesMatching(sites: readonly string[], search: string): readonly string[] {
  const query = search.trim().toLowerCase();
  return query === '' ? sites : sites.filter((site) => site.includes(query));
}
