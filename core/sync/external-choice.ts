import type { CodeSync, ExternalRepository } from '@repoless/contract/build-management.ts';
import type { SiteListEntry } from '@repoless/contract/site.ts';
import type { CodeChoice } from '../situation/settings.ts';
import { groupByRepository, repositoryKey } from './repository-groups.ts';

/**
 * An external repository as the code of a site. In: the repository, the addresses of build management, the sites of the
 * organization and the site's own name. The first site on a repository holds its secret, no other one does (docs/contract.md 3.7).
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
