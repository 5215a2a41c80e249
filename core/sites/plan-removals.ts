import type { CodeSource } from '@repoless/contract/code-source.ts';
import type { ConsequenceOfSites } from '@repoless/contract/consequence.ts';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { SiteListEntry } from '@repoless/contract/site.ts';
import { groupConsequences, siteConsequences } from '../access/consequences.ts';
import { codeChoice } from '../plan/choices.ts';
import type { AuthoringPort, RemovalPort, SetupPorts } from '../plan/ports.ts';
import { isUntried } from '../plan/service-steps.ts';
import { eachBounded, retry } from '../run/retry.ts';
import type { Failure, Known } from '../situation/situation.ts';
import { repositoryKey } from '../sync/repository-groups.ts';
import { AT_ONCE } from './apply-rows.ts';
import { type Dependents, dependentsOf, type OrganizationSite, organizationSites, rootOnAuthor } from './organization-sites.ts';
import type { Reach } from './prepare-row.ts';
import { removalCall } from './remove-sites.ts';

/** A site as it was when somebody decided that it goes: as the file that had it says, or as the list showed it. */
export interface FormerSite {
  readonly siteName: string;
  readonly author: string;
  /** Absent where the site maps no page of that author to its root. */
  readonly contentRoot?: string;
  readonly code?: CodeSource;
  readonly cloudConfiguration?: string;
}

export type RemovalBlock =
  /** The service holds it with another repository or another content root: it is not the site that was meant any more. */
  { readonly kind: 'other-site' } | Dependents | { readonly kind: 'failed'; readonly failure: Failure };

export type PlannedRemoval =
  | { readonly state: 'gone'; readonly former: FormerSite }
  | { readonly state: 'blocked'; readonly former: FormerSite; readonly block: RemovalBlock }
  | ReadyRemoval;

export interface ReadyRemoval {
  readonly state: 'ready';
  readonly former: FormerSite;
  readonly etag: string;
  /** The host that visitors come to, as the site names it. */
  readonly productionHost?: string;
  readonly secrets: readonly string[];
  readonly apiKeys: readonly string[];
  /** How many versions stay, from which it can be restored. */
  readonly versions: number;
  /** Absent where the authoring system is not dealt with. */
  readonly page?: RemovedPage;
  /** What it does to visitors. */
  readonly consequences: readonly ConsequenceOfSites[];
  /** The service cannot try it beforehand. */
  readonly untried?: Failure;
}

export interface RemovalReading {
  readonly organization: string;
  readonly info: ServiceInfo;
  readonly reach: Reach;
  /** `of-file`: a locale's page goes back to inheriting only where its configuration is the one that the file gave it. */
  readonly inheriting: 'any' | 'of-file';
  /** All sites of the organization, as they are when the rest of the file is applied. */
  readonly sites: readonly SiteListEntry[];
  readonly removal: RemovalPort;
  readonly signal: AbortSignal;
  /** The plan is not wanted any more: what is left is not read. A run that is stopped still plans the rest, to say what it left. */
  readonly abandoned?: AbortSignal;
  ports(author: string): SetupPorts;
  /** Told as each site is read. */
  onRead?(): void;
}

/**
 * What the removal of these sites would do, changing nothing: each is read, compared with what is said of it, and its removal
 * tried. Out: in the order in which they can go.
 */
export async function planRemovals(reading: RemovalReading, formers: readonly FormerSite[]): Promise<PlannedRemoval[]> {
  return inOrder(reading.sites, await readRemovals(reading, formers));
}

/** What each removal by itself would do: what the sites that stay say to it is left out. In the order of the sites. */
export async function readRemovals(reading: RemovalReading, formers: readonly FormerSite[]): Promise<PlannedRemoval[]> {
  const placed = new Map(organizationSites(reading.sites).map((site) => [site.name, site]));
  const readOne = async (former: FormerSite): Promise<PlannedRemoval> => {
    const removal = await planRemoval(reading, former, placed.get(former.siteName));
    reading.onRead?.();
    return removal;
  };
  return eachBounded(formers, AT_ONCE, readOne, reading.abandoned);
}

/** The deepest content root first, so that a base goes after its locales; one that sites depend on which stay is blocked. */
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

async function planRemoval(reading: RemovalReading, former: FormerSite, placed: OrganizationSite | undefined): Promise<PlannedRemoval> {
  const { organization, removal, signal } = reading;
  const { siteName, author } = former;
  const ports = reading.ports(author);
  const again = <T>(call: () => Promise<Known<T>>) => retry({ ports, signal, onWaiting: () => undefined }, call);
  const blocked = (block: RemovalBlock): PlannedRemoval => ({ state: 'blocked', former, block });
  const failed = (failure: Failure) => blocked({ kind: 'failed', failure });
  const site = await again(() => ports.service.held(organization, siteName));
  if (site.state === 'missing') return { state: 'gone', former };
  if (site.state === 'failed') return failed(site.failure);
  const { config, etag } = site.value;
  if (rootOnAuthor(config, author) !== former.contentRoot || repositoryOf(config.code) !== repositoryOf(former.code))
    return blocked({ kind: 'other-site' });
  const [secrets, apiKeys, versions, tried, page] = await Promise.all([
    again(() => removal.secrets(organization, siteName)),
    again(() => removal.apiKeys(organization, siteName)),
    again(() => ports.service.versions(organization, siteName)),
    again(() => ports.service.dryRun(removalCall({ organization, siteName }, etag))),
    reading.reach === 'both' && placed !== undefined ? pageOf(reading, former, placed) : undefined,
  ]);
  if (tried.state === 'missing') return { state: 'gone', former };
  for (const read of [secrets, apiKeys, versions]) if (read.state === 'failed') return failed(read.failure);
  const isUsed = tried.state === 'failed' && tried.failure.problem?.code === 'SECRET_IN_USE';
  // The sites that use its secret may go, or get another repository, before it: `inOrder` looks at those that stay.
  if (tried.state === 'failed' && !isUsed && !isUntried(tried)) return failed(tried.failure);
  if (page?.kind === 'unread') return failed(page.failure);
  return {
    state: 'ready',
    former,
    etag,
    ...(config.cdn?.prod?.host === undefined ? {} : { productionHost: config.cdn.prod.host }),
    secrets: secrets.state === 'known' ? secrets.value : [],
    apiKeys: apiKeys.state === 'known' ? apiKeys.value : [],
    versions: versions.state === 'known' ? versions.value.versions.length : 0,
    consequences: groupConsequences(siteConsequences(config, undefined, NOBODY).map((what) => ({ what, sites: [siteName] }))),
    ...(page === undefined ? {} : { page }),
    ...(tried.state === 'failed' && !isUsed ? { untried: tried.failure } : {}),
  };
}

/** A removal takes a site from its visitors; who may do what on it is nothing that is left. */
const NOBODY = { caller: [], organization: undefined, users: undefined };

async function pageOf({ ports, info, inheriting }: RemovalReading, former: FormerSite, placed: OrganizationSite): Promise<RemovedPage> {
  const { authoring } = ports(former.author);
  const page = await removedPage(authoring, placed, info);
  const isOfFile =
    page.kind === 'inherits' && page.cloudConfiguration !== undefined && page.cloudConfiguration === former.cloudConfiguration;
  if (page.kind !== 'inherits' || inheriting === 'any' || isOfFile) return page;
  const { base: _base, ...alone } = placed;
  return removedPage(authoring, alone, info);
}

function repositoryOf(code: CodeSource | undefined): string | undefined {
  const choice = codeChoice(code);
  return choice === undefined ? undefined : repositoryKey(choice);
}

function depth({ contentRoot = '' }: FormerSite): number {
  return contentRoot.split('/').length;
}

/** What becomes of a site's page, its content root, when the site is removed. */
export type RemovedPage =
  /** A locale's page selects no configuration of its own any more, and inherits that of the site above. */
  | { readonly kind: 'inherits'; readonly page: string; readonly cloudConfiguration?: string }
  /** It stands by itself and is left as it is: with `repoless` it goes on naming a site that is gone. */
  | { readonly kind: 'kept'; readonly page: string; readonly repoless: boolean }
  | { readonly kind: 'gone'; readonly page: string }
  | { readonly kind: 'unread'; readonly page: string; readonly failure: Failure }
  /** The site maps no page to its root. */
  | { readonly kind: 'none' };

/** Reads what a removal means for the page of a site, at the author that its content comes from. Changes nothing. */
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
