import { externalSource } from '@repoless/contract/code-source.ts';
import type { SiteListEntry } from '@repoless/contract/site.ts';
import { codeChoice } from '../plan/propose-choices.ts';

/** Sites that share a repository: it is synchronised once for all of them. */
export interface RepositoryGroup {
  /** Unique: see `repositoryKey`. */
  readonly key: string;
  readonly type: 'github' | 'byogit';
  readonly owner: string;
  readonly repo: string;
  /** Names, in their order. */
  readonly sites: readonly string[];
  /** The site that holds the secret of an external repository. */
  readonly holder?: string;
}

/** In: the sites of an organization with their code sources. Out: one group a repository, in order; sites without code have none. */
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

/** A repository as it is written: `github:owner/repo`. */
export function repositoryName({ type, owner, repo }: Pick<RepositoryGroup, 'type' | 'owner' | 'repo'>): string {
  return `${type}:${owner}/${repo}`;
}

/** Two sites with the same key share their code. */
export function repositoryKey(repository: Pick<RepositoryGroup, 'type' | 'owner' | 'repo'>): string {
  return keyOfName(repositoryName(repository));
}

/**
 * The key of a repository's name (`repositoryName`). The code host takes names in any letters for the same; those of external
 * repositories may differ by them.
 */
export function keyOfName(name: string): string {
  return name.startsWith('github:') ? name.toLowerCase() : name;
}

/** The group of a site; undefined where it has no code. */
export function groupOf(groups: readonly RepositoryGroup[], site: string): RepositoryGroup | undefined {
  return groups.find(({ sites }) => sites.includes(site));
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
