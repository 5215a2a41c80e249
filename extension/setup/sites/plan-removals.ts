import type { CodeSource } from '#contract/code-source.ts';
import type { ServiceInfo } from '#contract/service.ts';
import type { SiteListEntry } from '#contract/site.ts';
import type { SetupPorts } from '../ports.ts';
import { codeChoice } from '../propose-choices.ts';
import { retry } from '../retry.ts';
import { isUntried } from '../service-steps.ts';
import type { Failure, Known } from '../situation.ts';
import { groupByRepository, groupOf, repositoryKey } from '../sync/repository-groups.ts';
import { AT_ONCE } from './apply-rows.ts';
import { eachBounded } from './each-bounded.ts';
import { organizationSites } from './organization-sites.ts';
import type { OrganizationSite } from './organization-sites.ts';
import { removalCall } from './remove-site.ts';
import { removedPage } from './removed-page.ts';
import type { RemovedPage } from './removed-page.ts';
import type { Reach } from './row-situation.ts';
import { rootOnAuthor } from './site-index.ts';

/** A site as the file that had it says it is. */
export interface FormerSite {
  readonly siteName: string;
  readonly author: string;
  readonly contentRoot: string;
  readonly code: CodeSource;
  readonly cloudConfiguration?: string;
}

/** What is deleted together with a site. */
export interface RemovalPort {
  /** Their names. */
  secrets(org: string, site: string): Promise<Known<readonly string[]>>;
  /** Their descriptions, else their identifiers. */
  apiKeys(org: string, site: string): Promise<Known<readonly string[]>>;
}

export type RemovalBlock =
  /** The service holds it with another repository or another content root: it is not the site of the file any more. */
  | { readonly kind: 'other-site' }
  /** Sites that stay have it as their base. */
  | { readonly kind: 'base'; readonly sites: readonly string[] }
  /** Sites that stay get their code with a secret that this site holds. */
  | { readonly kind: 'holds-secret'; readonly sites: readonly string[] }
  | { readonly kind: 'failed'; readonly failure: Failure };

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
  /** The service cannot try it beforehand. */
  readonly untried?: Failure;
}

export interface RemovalReading {
  readonly organization: string;
  readonly info: ServiceInfo;
  readonly reach: Reach;
  /** All sites of the organization, as they are when the rest of the file is applied. */
  readonly sites: readonly SiteListEntry[];
  readonly removal: RemovalPort;
  readonly signal: AbortSignal;
  ports(author: string): SetupPorts;
}

/**
 * What the removal of these sites would do, changing nothing: each is read, compared with what the file said of it, and its
 * removal tried. Out: in the order in which they can go, the deepest content root first, so that a base goes after its locales.
 */
export async function planRemovals(reading: RemovalReading, formers: readonly FormerSite[]): Promise<PlannedRemoval[]> {
  const dependents = dependentsOf(reading.sites);
  const placed = new Map(organizationSites(reading.sites).map((site) => [site.name, site]));
  const staying = new Set(reading.sites.map(({ name }) => name));
  const ordered = formers.toSorted((one, other) => depth(other) - depth(one));
  const planned: PlannedRemoval[] = [];
  const read = await eachBounded(ordered, AT_ONCE, (former) => planRemoval(reading, former, placed.get(former.siteName)));
  for (const removal of read) {
    const { former } = removal;
    const block = removal.state === 'ready' ? dependents(former.siteName, staying) : undefined;
    if (removal.state !== 'blocked' && block === undefined) staying.delete(former.siteName);
    planned.push(block === undefined ? removal : { state: 'blocked', former, block });
  }
  return planned;
}

/** Why a site cannot go while those named are there. */
export function dependentsOf(sites: readonly SiteListEntry[]) {
  const placed = organizationSites(sites);
  const groups = groupByRepository(sites);
  return (name: string, staying: ReadonlySet<string>): RemovalBlock | undefined => {
    const others = (names: readonly string[]) => names.filter((other) => other !== name && staying.has(other));
    const locales = others(placed.flatMap((site) => (site.base === name ? [site.name] : [])));
    if (locales.length > 0) return { kind: 'base', sites: locales };
    const group = groupOf(groups, name);
    const sharing = group?.holder === name ? others(group.sites) : [];
    return sharing.length === 0 ? undefined : { kind: 'holds-secret', sites: sharing };
  };
}

async function planRemoval(reading: RemovalReading, former: FormerSite, placed: OrganizationSite | undefined): Promise<PlannedRemoval> {
  const { organization, removal, signal } = reading;
  const { siteName, author } = former;
  const ports = reading.ports(author);
  const again = <T>(call: () => Promise<Known<T>>) => retry({ ports, signal, onWaiting: () => undefined }, call);
  const blocked = (block: RemovalBlock): PlannedRemoval => ({ state: 'blocked', former, block });
  const failed = (failure: Failure) => blocked({ kind: 'failed', failure });
  const site = await again(() => ports.service.configuration(organization, siteName));
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
  if (tried.state === 'failed' && !isUntried(tried)) return failed(tried.failure);
  if (page?.kind === 'unread') return failed(page.failure);
  return {
    state: 'ready',
    former,
    etag,
    ...(config.cdn?.prod?.host === undefined ? {} : { productionHost: config.cdn.prod.host }),
    secrets: secrets.state === 'known' ? secrets.value : [],
    apiKeys: apiKeys.state === 'known' ? apiKeys.value : [],
    versions: versions.state === 'known' ? versions.value.versions.length : 0,
    ...(page === undefined ? {} : { page }),
    ...(tried.state === 'failed' ? { untried: tried.failure } : {}),
  };
}

/** A page goes back to inheriting only where it selects the very configuration that the file gave it. */
async function pageOf({ ports, info }: RemovalReading, former: FormerSite, placed: OrganizationSite): Promise<RemovedPage> {
  const { authoring } = ports(former.author);
  const page = await removedPage(authoring, placed, info);
  const isOfFile =
    page.kind === 'inherits' && page.cloudConfiguration !== undefined && page.cloudConfiguration === former.cloudConfiguration;
  if (page.kind !== 'inherits' || isOfFile) return page;
  const { base: _base, ...alone } = placed;
  return removedPage(authoring, alone, info);
}

function repositoryOf(code: CodeSource | undefined): string | undefined {
  const choice = codeChoice(code);
  return choice === undefined ? undefined : repositoryKey(choice);
}

function depth({ contentRoot }: FormerSite): number {
  return contentRoot.split('/').length;
}
