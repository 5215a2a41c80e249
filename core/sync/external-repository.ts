import type { ExternalRepository, LinkOutcome, OneClickInput, OneClickOutcome } from '@repoless/contract/build-management.ts';
import { type Failure, failureOf, isUncertain } from '../situation/call.ts';
import type { SetupPorts } from '../situation/ports.ts';
import type { BuildManagementPort, SyncPort } from './ports.ts';

/** `isLinked`: the answer was lost, but the repository is linked: no one has the new secret, and earlier ones are revoked. */
export type LinkEnd =
  | { readonly state: 'linked'; readonly outcome: LinkOutcome }
  | { readonly state: 'failed'; readonly site: string; readonly failure: Failure; readonly isLinked: boolean };

/** Links a repository to a site. After a lost answer, reads it again. Takes the repository as it was read before. Nothing throws. */
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

interface Ports {
  readonly sync: Pick<SyncPort, 'setSecret'>;
  readonly service: Pick<SetupPorts['service'], 'send'>;
}

/**
 * Stores the secret of a new link with the site that holds the repository's secret; if no site uses the repository yet, the linked site becomes its
 * first one (call 5), and holds the secret (call 6). Takes the secret's expiry date, if known. Returns why it was refused.
 */
export async function storeLink(
  { sync, service }: Ports,
  org: string,
  { code, secret, repository }: LinkOutcome,
  { holder, expires }: { readonly holder: string | undefined; readonly expires: string | undefined },
): Promise<Failure | undefined> {
  const site = holder ?? repository.link?.site ?? '';
  if (holder === undefined) {
    const body = { type: 'json', value: { source: code.source } } as const;
    const set = await service.send({ target: 'service', method: 'POST', address: `/config/${org}/sites/${site}/code.json`, body });
    if (set.state !== 'known') return failureOf(set);
  }
  const stored = await sync.setSecret(org, site, { value: secret, expires });
  return stored.state === 'known' ? undefined : failureOf(stored);
}

interface SitePorts {
  readonly builds: Pick<BuildManagementPort, 'createSite'>;
  readonly service: Pick<SetupPorts['service'], 'allSites'>;
}

/** `found`: its answer was lost, but the site exists on this repository. */
export type OneClickEnd =
  | { readonly state: 'created'; readonly outcome: OneClickOutcome }
  | { readonly state: 'found'; readonly site: string }
  | { readonly state: 'failed'; readonly failure: Failure };

/**
 * Creates a site of a repository in one click. After a lost answer, reads the sites again. Takes the names of the
 * previously existing sites. Nothing throws.
 */
export async function createOneClickSite(
  { builds, service }: SitePorts,
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
