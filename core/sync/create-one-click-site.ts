import type { ExternalRepository, OneClickInput, OneClickOutcome } from '@repoless/contract/build-management.ts';
import { failureOf } from '../run/failure-of.ts';
import type { SetupPorts } from '../plan/ports.ts';
import type { Failure } from '../situation/situation.ts';
import { isUncertain } from '../run/uncertain-failure.ts';
import type { BuildManagementPort } from './build-management-port.ts';

interface Ports {
  readonly builds: Pick<BuildManagementPort, 'createSite'>;
  readonly service: Pick<SetupPorts['service'], 'allSites'>;
}

/** `found`: its answer was lost, and the site is there on this repository. */
export type OneClickEnd =
  | { readonly state: 'created'; readonly outcome: OneClickOutcome }
  | { readonly state: 'found'; readonly site: string }
  | { readonly state: 'failed'; readonly failure: Failure };

/**
 * Creates a site of a repository in one click. Where the answer is lost the sites are read again. In: the names of the
 * sites that were there before. Nothing throws.
 */
export async function createOneClickSite(
  { builds, service }: Ports,
  org: string,
  { programId, repositoryId }: Pick<ExternalRepository, 'programId' | 'repositoryId'>,
  input: OneClickInput,
  before: readonly string[],
): Promise<OneClickEnd> {
  const answer = await builds.createSite(org, repositoryId, input);
  if (answer.state === 'known') return { state: 'created', outcome: answer.value };
  const failure = failureOf(answer);
  const { site } = input;
  const now = isUncertain(failure) && !before.includes(site) ? await service.allSites(org) : undefined;
  const isThere =
    now?.state === 'known' &&
    now.value.some(
      ({ name, code }) => name === site && code?.source?.type === 'byogit' && code.owner === programId && code.repo === repositoryId,
    );
  return isThere ? { state: 'found', site } : { state: 'failed', failure };
}
