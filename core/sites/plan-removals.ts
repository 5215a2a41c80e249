import type { CodeSource } from '@repoless/contract/code-source.ts';
import type { ConsequenceOfSites } from '@repoless/contract/consequence.ts';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { SiteListEntry } from '@repoless/contract/site.ts';
import { groupConsequences, siteConsequences } from '../access/consequences.ts';
import { AT_ONCE, mapConcurrently, retry } from '../run/retry.ts';
import { type Failure, firstFailure, hasNoDryRun, type Known } from '../situation/call.ts';
import { codeChoice, repositoryKey } from '../situation/code-choice.ts';
import type { AuthoringPort, RemovalPort, SetupPorts } from '../situation/ports.ts';
import { removeSite } from '../situation/site-calls.ts';
import { type Dependents, dependentsOf, type OrganizationSite, organizationSites, rootOnAuthor } from './organization-sites.ts';
import type { Reach } from './prepare-row.ts';

/** A site when its removal was decided: from the file that contained it, or from the list. */
export interface FormerSite {
  readonly siteName: string;
  readonly author: string;
  /** Absent if the site maps no page of that author to its root. */
  readonly contentRoot?: string;
  readonly code?: CodeSource;
  readonly cloudConfiguration?: string;
}

export type RemovalBlock =
  /** The service has a site of that name with another repository or content root: it is not the intended site. */
  { readonly kind: 'other-site' } | Dependents | { readonly kind: 'failed'; readonly failure: Failure };

export type PlannedRemoval =
  | { readonly state: 'gone'; readonly former: FormerSite }
  | { readonly state: 'blocked'; readonly former: FormerSite; readonly block: RemovalBlock }
  | ReadyRemoval;

export interface ReadyRemoval {
  readonly state: 'ready';
  readonly former: FormerSite;
  readonly etag: string;
  readonly productionHost?: string;
  readonly secrets: readonly string[];
  readonly apiKeys: readonly string[];
  /** The number of stored versions, from which it can be restored. */
  readonly versions: number;
  /** Absent if the authoring system is left alone. */
  readonly page?: RemovedPage;
  readonly consequences: readonly ConsequenceOfSites[];
  readonly untried?: Failure;
}

export interface RemovalReading {
  readonly organization: string;
  readonly info: ServiceInfo;
  readonly reach: Reach;
  /** `of-file`: a locale's page inherits again only if its configuration is the one from the file. */
  readonly inheriting: 'any' | 'of-file';
  /** All sites of the organization after the rest of the file is applied. */
  readonly sites: readonly SiteListEntry[];
  readonly removal: RemovalPort;
  readonly signal: AbortSignal;
  /** The plan is no longer needed: remaining sites are not read. A stopped run still plans them, to report what it left. */
  readonly abandoned?: AbortSignal;
  ports(author: string): SetupPorts;
  onRead?(): void;
}

/**
 * Plans the removal of these sites without changing anything: each is read, compared with its description, and its removal
 * sent as a dry run. Returns them in an order in which they can be removed.
 */
export async function planRemovals(reading: RemovalReading, formers: readonly FormerSite[]): Promise<PlannedRemoval[]> {
  return inOrder(reading.sites, await readRemovals(reading, formers));
}

/** The effects of each removal by itself, regardless of the sites that stay. In the order of the sites. */
export async function readRemovals(reading: RemovalReading, formers: readonly FormerSite[]): Promise<PlannedRemoval[]> {
  const byName = new Map(organizationSites(reading.sites).map((site) => [site.name, site]));
  const readOne = async (former: FormerSite): Promise<PlannedRemoval> => {
    const removal = await planRemoval(reading, former, byName.get(former.siteName));
    reading.onRead?.();
    return removal;
  };
  return mapConcurrently(formers, AT_ONCE, readOne, reading.abandoned);
}

/** Deepest content root first, so that a base is removed after its locales; a site is blocked if sites that stay depend on it. */
export function inOrder(sites: readonly SiteListEntry[], removals: readonly PlannedRemoval[]): PlannedRemoval[] {
  const dependents = dependentsOf(sites);
  const staying = new Set(sites.map(({ name }) => name));
  const planned: PlannedRemoval[] = [];
  for (const removal of removals.toSorted((one, other) => depth(other.former) - depth(one.former))) {
    const { former } = removal;
    const block = removal.state === 'ready' ? dependents(former.siteName, staying) : undefined;
    if (removal.state !== 'blocked' && block === undefined) staying.delete(former.siteName);
    planned.push(block === undefined ? removal : { state: 'blocked', former, block });
  }
  return planned;
}

async function planRemoval(
  reading: RemovalReading,
  former: FormerSite,
  organizationSite: OrganizationSite | undefined,
): Promise<PlannedRemoval> {
  const { organization, removal, signal } = reading;
  const { siteName, author } = former;
  const ports = reading.ports(author);
  const withRetry = <T>(call: () => Promise<Known<T>>) => retry({ ports, signal }, call);
  const blocked = (block: RemovalBlock): PlannedRemoval => ({ state: 'blocked', former, block });
  const failed = (failure: Failure) => blocked({ kind: 'failed', failure });
  const site = await withRetry(() => ports.service.siteConfigurations(organization, siteName));
  if (site.state === 'missing') return { state: 'gone', former };
  if (site.state === 'failed') return failed(site.failure);
  const { config, etag } = site.value;
  if (rootOnAuthor(config, author) !== former.contentRoot || repositoryOf(config.code) !== repositoryOf(former.code))
    return blocked({ kind: 'other-site' });
  const [secrets, apiKeys, versions, tried, page] = await Promise.all([
    withRetry(() => removal.secrets(organization, siteName)),
    withRetry(() => removal.apiKeys(organization, siteName)),
    withRetry(() => ports.service.versions(organization, siteName)),
    withRetry(() => ports.service.dryRun(removeSite({ organization, siteName }, etag))),
    reading.reach === 'both' && organizationSite !== undefined ? pageOf(reading, former, organizationSite) : undefined,
  ]);
  if (tried.state === 'missing') return { state: 'gone', former };
  const unread = firstFailure(secrets, apiKeys, versions);
  if (unread !== undefined) return failed(unread);
  const isUsed = tried.state === 'failed' && tried.failure.problem?.code === 'SECRET_IN_USE';
  // The sites that use its secret may be removed, or get another repository, first: `inOrder` considers those that stay.
  if (tried.state === 'failed' && !isUsed && !hasNoDryRun(tried)) return failed(tried.failure);
  if (page?.kind === 'unread') return failed(page.failure);
  return {
    state: 'ready',
    former,
    etag,
    ...(config.cdn?.prod?.host === undefined ? {} : { productionHost: config.cdn.prod.host }),
    secrets: secrets.state === 'known' ? secrets.value : [],
    apiKeys: apiKeys.state === 'known' ? apiKeys.value : [],
    versions: versions.state === 'known' ? versions.value.versions.length : 0,
    consequences: groupConsequences(siteConsequences(config, undefined, UNKNOWN_CALLER).map((what) => ({ what, sites: [siteName] }))),
    ...(page === undefined ? {} : { page }),
    ...(tried.state === 'failed' && !isUsed ? { untried: tried.failure } : {}),
  };
}

/** A removal affects visitors; the site's access rules disappear with it. */
const UNKNOWN_CALLER = { caller: [], organization: undefined, users: undefined };

async function pageOf(
  { ports, info, inheriting }: RemovalReading,
  former: FormerSite,
  organizationSite: OrganizationSite,
): Promise<RemovedPage> {
  const { authoring } = ports(former.author);
  const page = await removedPage(authoring, organizationSite, info);
  const isOfFile =
    page.kind === 'inherits' && page.cloudConfiguration !== undefined && page.cloudConfiguration === former.cloudConfiguration;
  if (page.kind !== 'inherits' || inheriting === 'any' || isOfFile) return page;
  const { base: _base, ...alone } = organizationSite;
  return removedPage(authoring, alone, info);
}

function repositoryOf(code: CodeSource | undefined): string | undefined {
  const choice = codeChoice(code);
  return choice === undefined ? undefined : repositoryKey(choice);
}

function depth({ contentRoot = '' }: FormerSite): number {
  return contentRoot.split('/').length;
}

/** What happens to a site's page, its content root, when the site is removed. */
export type RemovedPage =
  /** A locale's page no longer selects its own configuration, and inherits that of the site above. */
  | { readonly kind: 'inherits'; readonly page: string; readonly cloudConfiguration?: string }
  /** It is independent and left unchanged: with `repoless` it still names a site that no longer exists. */
  | { readonly kind: 'kept'; readonly page: string; readonly repoless: boolean }
  | { readonly kind: 'gone'; readonly page: string }
  | { readonly kind: 'unread'; readonly page: string; readonly failure: Failure }
  | { readonly kind: 'none' };

/** Reads the effect of a removal on the page of a site, at the author of its content. Changes nothing. */
export async function removedPage(
  authoring: Pick<AuthoringPort, 'content' | 'edgeConfiguration'>,
  { name, base, contentRoot: page }: OrganizationSite,
  info: Pick<ServiceInfo, 'repolessProjectType'>,
): Promise<RemovedPage> {
  if (page === undefined) return { kind: 'none' };
  const content = await authoring.content(page);
  if (content.state === 'failed') return { kind: 'unread', page, failure: content.failure };
  if (content.state === 'missing') return { kind: 'gone', page };
  const { ownConfiguration } = content.value;
  if (base !== undefined)
    return { kind: 'inherits', page, ...(ownConfiguration === undefined ? {} : { cloudConfiguration: ownConfiguration }) };
  const edge = ownConfiguration === undefined ? MISSING : await authoring.edgeConfiguration(ownConfiguration);
  if (edge.state === 'failed') return { kind: 'unread', page, failure: edge.failure };
  const repoless = edge.state === 'known' && edge.value.projectType === info.repolessProjectType && edge.value.repo === name;
  return { kind: 'kept', page, repoless };
}

const MISSING: Known<never> = { state: 'missing' };
