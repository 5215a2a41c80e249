import type { ExternalRepository, LinkOutcome } from '@repoless/contract/build-management.ts';
import { failureOf } from '../run/failure-of.ts';
import type { Failure } from '../situation/situation.ts';
import { isUncertain } from '../run/uncertain-failure.ts';
import type { BuildManagementPort } from './build-management-port.ts';

/** `isLinked`: the answer was lost, but the repository is linked: nobody has the new secret, and earlier ones are revoked. */
export type LinkEnd =
  | { readonly state: 'linked'; readonly outcome: LinkOutcome }
  | { readonly state: 'failed'; readonly site: string; readonly failure: Failure; readonly isLinked: boolean };

/** Links a repository to a site. Where the answer is lost it is read again. In: the repository as it was read. Nothing throws. */
export async function linkRepository(
  builds: Pick<BuildManagementPort, 'link' | 'repository'>,
  org: string,
  { repositoryId, link: before }: ExternalRepository,
  site: string,
): Promise<LinkEnd> {
  const answer = await builds.link(org, repositoryId, site);
  if (answer.state === 'known') return { state: 'linked', outcome: answer.value };
  const failure = failureOf(answer);
  const now = isUncertain(failure) ? await builds.repository(org, repositoryId) : undefined;
  const link = now?.state === 'known' ? now.value.link : undefined;
  return { state: 'failed', site, failure, isLinked: link?.site === site && link.linked !== before?.linked };
}
