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
import type { HistoryPort } from '../history/history-port.ts';
import type { BuildManagementPort } from '../sync/ports.ts';
import type { Call, Known } from './call.ts';
import type { CodeChoice } from './code-choice.ts';
import type { AuthoringSettings, ConfigProbe, FileProbe, PageProbe, SiteConfigurations } from './situation.ts';

/** The configuration service as setup needs it. Nothing throws: failures are in the answer. */
export interface ServicePort {
  info(): Promise<Known<ServiceInfo>>;
  profile(): Promise<Known<Profile>>;
  organization(org: string): Promise<Known<Org>>;
  /** Organizations in which the caller has a role. Missing: the service does not list them. */
  organizations(): Promise<Known<OwnOrgs>>;
  /** The effective and own configuration of the site, with the etag and the version of its own. */
  site(org: string, site: string): Promise<Known<SiteConfigurations & { readonly etag: string; readonly version: number }>>;
  /** The same without its version. */
  siteConfigurations(org: string, site: string): Promise<Known<SiteConfigurations & { readonly etag: string }>>;
  effective(org: string, site: string): Promise<Known<Site>>;
  /** The document stored at a path of the service (without the query), with its etag. */
  stored(path: string): Promise<Known<{ value: unknown; etag: string }>>;
  /** Some sites of the organization with their code sources. */
  sites(org: string): Promise<Known<SiteList>>;
  /** All sites of the organization with their details, page by page. */
  allSites(org: string): Promise<Known<readonly SiteListEntry[]>>;
  /** Only the site's own configuration and its etag, without its profile: one call. */
  configuration(org: string, site: string): Promise<Known<{ config: Site; etag: string }>>;
  /** The versions of a site, even of a removed one. */
  versions(org: string, site: string): Promise<Known<VersionList>>;
  /** The site in a version; missing if that version records a deletion. */
  version(org: string, site: string, version: number): Promise<Known<Site>>;
  /** The latest code sync of the main branch (call 7). */
  codeSync(org: string, site: string): Promise<Known<JobStatus>>;
  /**
   * The service's check of a code source; the site need not exist. Missing: there is no such organization, or the service lacks this check.
   */
  codeCheck(org: string, site: string, code: CodeChoice): Promise<Known<CodeCheck>>;
  secret(org: string, site: string): Promise<Known<SecretInfo>>;
  challenge(org: string, repository: string): Promise<Known<Challenge>>;
  claim(org: string): Promise<Known<Org>>;
  /** What a call would store, by a dry run; not sent to a service without dry runs (`no-dry-run`). */
  dryRun(call: Call): Promise<Known<DryRun>>;
  send(call: Call): Promise<Known<unknown>>;
  readonly removal: RemovalPort;
  /** Versions of sites, profiles and organizations, and how to restore them. */
  readonly history: HistoryPort;
}

export interface RemovalPort {
  secrets(org: string, site: string): Promise<Known<readonly string[]>>;
  /** The descriptions of API keys, or their identifiers. */
  apiKeys(org: string, site: string): Promise<Known<readonly string[]>>;
}

export interface AuthoringPort {
  /** `isRoot`: the page is known to be the root of a site, whatever its settings say. */
  settings(page: string, info: ServiceInfo, isRoot?: boolean): Promise<Known<AuthoringSettings>>;
  page(path: string): Promise<Known<{ path: string; resourceType?: string }>>;
  /**
   * A configuration page, who created it, and whether someone has filled it since: rows, pages below it, or a later change to it.
   */
  createdPage(path: string): Promise<Known<{ path: string; resourceType?: string; isFilled: boolean; createdBy?: string }>>;
  /** The pages and folders directly below a path, in the authoring system's order; at most `most`. */
  children(path: string, limit?: number): Promise<Known<readonly ContentPage[]>>;
  /** One page with its properties; pages below it are not read. */
  content(path: string): Promise<Known<ContentPage>>;
  /** The Edge Delivery configuration at exactly this `/conf` path, not one above it. */
  edgeConfiguration(conf: string): Promise<Known<EdgeConfiguration>>;
  /** A node and its lock, whose owner is the only one who may write to it; if it is deep, also to everything below. */
  lock(path: string): Promise<Known<NodeLock>>;
  /** Whether the caller may write to a node; missing if the authoring system does not report it. */
  mayWrite(path: string): Promise<Known<boolean>>;
  /** Whether writes are accepted at all: reads what every write requires. */
  readyToWrite(): Promise<Known<unknown>>;
  send(call: Call): Promise<Known<unknown>>;
  /** Whether the authoring system has what a write set. */
  holds(call: Call): Promise<Known<boolean>>;
}

export interface NodeLock {
  readonly owner?: string;
  readonly isDeep: boolean;
}

/** The preview and live hosts and the delivery address, read anonymously. */
export interface HostsPort {
  config(address: string): Promise<ConfigProbe>;
  /** `as-caller`: an address of the service's own hosts, which is read again as the caller if the host is guarded. */
  file(address: string, path: string, how?: 'as-caller'): Promise<FileProbe>;
  page(address: string): Promise<PageProbe>;
  delivery(address: string): Promise<FileProbe>;
}

export interface SetupPorts {
  readonly service: ServicePort;
  readonly authoring: AuthoringPort;
  readonly hosts: HostsPort;
  /** Build management at the service's address for it; absent if it cannot be called. */
  buildsAt?(address: string): Promise<Pick<BuildManagementPort, 'repository' | 'link'>>;
  /** Resolves after so many milliseconds, or immediately when the signal aborts. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
  now(): Date;
  /** Connects calls in traces until the returned function is called. */
  inOneTrace?(): () => void;
}

/** A page of the content tree with the properties that the tree and the rows need. */
export interface ContentPage {
  readonly path: string;
  readonly title: string;
  /** A `folder` contains pages but is not a page. */
  readonly kind: 'page' | 'folder';
  /** False if it certainly has no pages below it. */
  readonly hasChildren: boolean;
  readonly language?: string;
  /** The page that it is a live copy of; `''` if it is a live copy of an unknown page. */
  readonly liveCopyOf?: string;
  /** Its own `cq:conf`; absent if it is inherited. */
  readonly ownConfiguration?: string;
  readonly resourceType?: string;
}

/**
 * Ports for one plan or one run that read nothing twice: an answer is cached until something is written to its system, or until a wait.
 * Intentional rereads are not cached: a code sync, files of a host, and what a write is compared with.
 */
export function readOnce(ports: SetupPorts): SetupPorts {
  const { service, authoring, hosts } = ports;
  const [ofService, ofAuthoring, ofHosts] = [createAnswers(), createAnswers(), createAnswers()];
  return {
    ...ports,
    service: {
      ...service,
      organization: ofService.once(service.organization),
      site: ofService.once(service.site),
      effective: ofService.once(service.effective),
      sites: ofService.once(service.sites),
      version: ofService.once(service.version),
      codeCheck: ofService.once(service.codeCheck),
      send: (call) => {
        clear(ofService, ofHosts);
        return service.send(call);
      },
    },
    authoring: {
      ...authoring,
      page: ofAuthoring.once(authoring.page),
      content: ofAuthoring.once(authoring.content),
      edgeConfiguration: ofAuthoring.once(authoring.edgeConfiguration),
      send: (call) => {
        clear(ofAuthoring, ofHosts);
        return authoring.send(call);
      },
    },
    hosts: { ...hosts, page: ofHosts.once(hosts.page), delivery: ofHosts.once(hosts.delivery) },
    wait: (milliseconds, signal) => {
      clear(ofService, ofAuthoring, ofHosts);
      return ports.wait(milliseconds, signal);
    },
  };
}

interface Answers {
  once<A extends readonly unknown[], R>(read: (...args: A) => Promise<R>): (...args: A) => Promise<R>;
  clear(): void;
}

function createAnswers(): Answers {
  const clears: (() => void)[] = [];
  return {
    once: <A extends readonly unknown[], R>(read: (...args: A) => Promise<R>) => {
      const known = new Map<string, Promise<R>>();
      clears.push(() => known.clear());
      return (...args: A) => {
        const key = JSON.stringify(args);
        const answer = known.get(key) ?? read(...args);
        known.set(key, answer);
        return answer;
      };
    },
    clear: () => {
      for (const clear of clears) clear();
    },
  };
}

function clear(...all: readonly Answers[]): void {
  for (const answers of all) answers.clear();
}
