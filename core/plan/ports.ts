import type { Challenge, Org, OwnOrgs } from '@repoless/contract/org.ts';
import type { CodeCheck } from '@repoless/contract/code-check.ts';
import type { DryRun } from '@repoless/contract/endpoint-parts.ts';
import type { EdgeConfiguration } from '@repoless/contract/authoring.ts';
import type { JobStatus } from '@repoless/contract/job.ts';
import type { Profile } from '@repoless/contract/session.ts';
import type { SecretInfo } from '@repoless/contract/secret.ts';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { Site, SiteList, SiteListEntry } from '@repoless/contract/site.ts';
import type { VersionList } from '@repoless/contract/history.ts';
import type { BuildManagementPort } from '../sync/ports.ts';
import type { HistoryPort } from '../history/history-port.ts';
import type { AuthoringSettings, CodeChoice, ConfigProbe, FileProbe, Known, PageProbe } from '../situation/situation.ts';
import type { SiteConfigurations } from './desired-site.ts';
import type { Call } from './plan.ts';

/** The configuration service, as setup needs it. Nothing throws: what went wrong is in the answer. */
export interface ServicePort {
  info(): Promise<Known<ServiceInfo>>;
  profile(): Promise<Known<Profile>>;
  organization(org: string): Promise<Known<Org>>;
  /** Those in which the caller has a role. Missing: the service does not tell. */
  organizations(): Promise<Known<OwnOrgs>>;
  /** The site over its profile, with the etag of its own and its version. */
  site(org: string, site: string): Promise<Known<SiteConfigurations & { readonly etag: string; readonly version: number }>>;
  /** The same without its version. */
  held(org: string, site: string): Promise<Known<SiteConfigurations & { readonly etag: string }>>;
  /** What holds for the site, over its profile. */
  effective(org: string, site: string): Promise<Known<Site>>;
  /** What is stored at a path of the service (query left out), with its etag. */
  stored(path: string): Promise<Known<{ value: unknown; etag: string }>>;
  /** Sites of the organization with their code sources: some of them, not all. */
  sites(org: string): Promise<Known<SiteList>>;
  /** All sites of the organization with their details, page by page. */
  allSites(org: string): Promise<Known<readonly SiteListEntry[]>>;
  /** The site's own configuration and its etag alone, without what its profile gives: one call. */
  configuration(org: string, site: string): Promise<Known<{ config: Site; etag: string }>>;
  /** The versions of a site, of one that was removed as well. */
  versions(org: string, site: string): Promise<Known<VersionList>>;
  /** The site as it was in a version; missing where that version records a deletion. */
  version(org: string, site: string, version: number): Promise<Known<Site>>;
  /** The latest code sync of the main branch (call 7). */
  codeSync(org: string, site: string): Promise<Known<JobStatus>>;
  /** What the service finds at a code source; the site need not exist. Missing: the organization or the service has no such look. */
  codeCheck(org: string, site: string, code: CodeChoice): Promise<Known<CodeCheck>>;
  /** What is told of the secret of the external repository. */
  secret(org: string, site: string): Promise<Known<SecretInfo>>;
  challenge(org: string, repository: string): Promise<Known<Challenge>>;
  claim(org: string): Promise<Known<Org>>;
  /** What a call would store, by a dry run; a service that cannot try it is not asked (`no-dry-run`). */
  dryRun(call: Call): Promise<Known<DryRun>>;
  send(call: Call): Promise<Known<unknown>>;
  /** What is deleted together with a site. */
  readonly removal: RemovalPort;
  /** Versions of sites, profiles and organizations, and the way back. */
  readonly history: HistoryPort;
}

/** What is deleted together with a site. */
export interface RemovalPort {
  /** Their names. */
  secrets(org: string, site: string): Promise<Known<readonly string[]>>;
  /** Their descriptions, else their identifiers. */
  apiKeys(org: string, site: string): Promise<Known<readonly string[]>>;
}

/** The authoring system through the authoring proxy. */
export interface AuthoringPort {
  /** `isRoot`: the page is known to be the root of a site, whatever its settings say. */
  settings(page: string, info: ServiceInfo, isRoot?: boolean): Promise<Known<AuthoringSettings>>;
  page(path: string): Promise<Known<{ path: string; resourceType?: string }>>;
  /** A configuration page with whether somebody has filled it since it was created: rows, pages below it, a later change of its own. */
  createdPage(path: string): Promise<Known<{ path: string; resourceType?: string; isFilled: boolean }>>;
  /** The pages and folders right below a path, in the authoring system's order; the first so many of them. */
  children(path: string, most?: number): Promise<Known<readonly ContentPage[]>>;
  /** One page with its properties; whether there are pages below it is not looked at. */
  content(path: string): Promise<Known<ContentPage>>;
  /** The Edge Delivery configuration at this very `/conf` path, none above it. */
  edgeConfiguration(conf: string): Promise<Known<EdgeConfiguration>>;
  /** A node and its lock, whose owner alone may write at it; where it is deep, at all below as well. */
  lock(path: string): Promise<Known<NodeLock>>;
  /** Whether the caller has the permission to write at a node; missing where the authoring system does not tell. */
  mayWrite(path: string): Promise<Known<boolean>>;
  /** Whether writes are taken at all: reads what goes along with each. */
  readyToWrite(): Promise<Known<unknown>>;
  send(call: Call): Promise<Known<unknown>>;
  /** Whether it has what a write set. */
  holds(call: Call): Promise<Known<boolean>>;
}

export interface NodeLock {
  /** Absent: it is not locked. */
  readonly owner?: string;
  readonly isDeep: boolean;
}

/** The preview and live hosts and the delivery address, read as anybody would. */
export interface HostsPort {
  config(address: string): Promise<ConfigProbe>;
  /** `as-caller`: an address of the service's own hosts, which is asked again as the caller where it lets in only some. */
  file(address: string, path: string, how?: 'as-caller'): Promise<FileProbe>;
  /** An address of the service's own hosts, likewise. */
  page(address: string): Promise<PageProbe>;
  delivery(address: string): Promise<FileProbe>;
}

export interface SetupPorts {
  readonly service: ServicePort;
  readonly authoring: AuthoringPort;
  readonly hosts: HostsPort;
  /** Build management at the address that the service names; absent where it cannot be asked. */
  buildsAt?(address: string): Promise<Pick<BuildManagementPort, 'repository' | 'link'>>;
  /** Resolves after so many milliseconds, or at once when the signal aborts. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
  now(): Date;
  /** Calls from now on are shown together where the service is watched, until what it answers is called. */
  together?(): () => void;
}

/** A page of the content tree with the properties that the tree and the rows need. */
export interface ContentPage {
  readonly path: string;
  readonly title: string;
  /** `folder` holds pages and is none itself. */
  readonly kind: 'page' | 'folder';
  /** False where it is certain that no page lies below. */
  readonly hasChildren: boolean;
  /** Its own `jcr:language`. */
  readonly language?: string;
  /** The page that it is a live copy of; `''` where it is one and of which is not known. */
  readonly liveCopyOf?: string;
  /** Its own `cq:conf`; absent where that is inherited. */
  readonly ownConfiguration?: string;
  readonly resourceType?: string;
}
