import type { Profile, Site } from '@repoless/contract/site.ts';

export interface StoredSite {
  readonly org: string;
  readonly site: string;
  /** What was set on the site itself. */
  readonly config: Site;
  /** The effective configuration: merged over the profile that the site extends. The same object if it extends none. */
  readonly aggregate: Site;
  /** Of `config`. */
  readonly etag: string;
  /** Number of the current version. */
  readonly version: number;
  /** The content root that it claimed. Also absent if its root was released: the aggregate does not show that. */
  readonly contentRoot?: string;
}

export interface StoredProfile {
  readonly org: string;
  readonly profile: string;
  readonly config: Profile;
  readonly etag: string;
  readonly version: number;
}

/** Keys to find a site and its answers by; all are derived from the aggregate. */
export interface SiteKeys {
  /** `<author host><content root>` with a normalized host, unique among all sites; absent if the site maps nothing to `/`. */
  readonly contentRoot?: string;
  /** `<type>:<owner>/<repo>` of the code source. */
  readonly repository?: string;
  /** The site that holds the secret of its byogit repository: unique per organization and repository. */
  readonly holdsSecret: boolean;
}

/** What a write stores of a site; storage derives the public bytes and robots.txt from the aggregate. */
export interface SiteWrite extends SiteKeys {
  readonly org: string;
  readonly site: string;
  readonly config: Site;
  /** Only if a profile applies to the site: its configuration over that profile. The write has read that profile, or that there is none. */
  readonly aggregate?: Site;
  readonly etag: string;
  readonly version: number;
}

/** What the change of a profile stores for a site that extends it. The site itself, and its version, do not change. */
export interface AggregateWrite extends SiteKeys {
  readonly org: string;
  readonly site: string;
  readonly aggregate: Site;
  /** Whether no profile applies any more, and the site is just its own configuration. */
  readonly alone: boolean;
}

/** A content root, by its key (`contentRootKey`), and the site that claimed it. */
export interface ClaimedRoot {
  readonly org: string;
  readonly site: string;
  readonly contentRoot: string;
}

/** An authoring host, and the organization that the operator assigned it to. Other organizations cannot claim content roots on it. */
export interface AuthoringHost {
  readonly host: string;
  readonly org: string;
}

export interface ContentRootReads {
  siteWithContentRoot(contentRoot: string): Promise<{ org: string; site: string } | undefined>;
  /** Sorted by path. */
  contentRootsOn(host: string): Promise<ClaimedRoot[]>;
  /** The organization of an authoring host; undefined if the operator assigned none. */
  orgOfAuthoringHost(host: string): Promise<string | undefined>;
  /** Sorted by name. */
  authoringHosts(): Promise<AuthoringHost[]>;
}

export interface ContentRootWrites {
  /** Runs again if a site of another organization concurrently claims a root on the host, other than the `released` ones. */
  assignHost(host: AuthoringHost, released: readonly ClaimedRoot[]): Promise<void>;
  /** Claimed roots on it do not change. */
  releaseHost(host: string): Promise<void>;
  /** The site no longer claims it; nothing else about the site changes. */
  releaseContentRoot(root: ClaimedRoot): Promise<void>;
}

export interface SiteReads extends ContentRootReads {
  site(org: string, site: string): Promise<StoredSite | undefined>;
  /**
   * At most `limit` sites after `after`, sorted by name: as many as have `bytes` of documents together, but at least one if there is any.
   */
  listSites(org: string, page: { after?: string; limit: number; bytes: number }): Promise<StoredSite[]>;
  /** The names of the sites on a page. */
  listSiteNames(org: string, page: { after?: string; limit: number }): Promise<string[]>;
  /** The site of the organization that holds the secret of a repository. Secrets are never shared between organizations. */
  secretHolder(org: string, repository: string): Promise<{ org: string; site: string } | undefined>;
  /** Whether a site of the organization uses a repository. Here and below by its key: see `repositoryKey`. */
  usesRepository(org: string, repository: string): Promise<boolean>;
  /** The keys of the repositories that sites of the organization use. The cost depends on the number of repositories, not of sites. */
  repositories(org: string): Promise<string[]>;
  /** Organizations with a site on a repository, sorted by name: at most `limit` after `after`. */
  orgsOfRepository(repository: string, page: { after?: string; limit: number }): Promise<string[]>;
  profile(org: string, profile: string): Promise<StoredProfile | undefined>;
  /** Sorted. */
  listProfileNames(org: string): Promise<string[]>;
  /** All sites that extend a profile, by name or by default, sorted by name. */
  sitesOfProfile(org: string, profile: string): Promise<StoredSite[]>;
  /** The bytes of `/config.json`, or undefined if the site or its public part is missing. */
  publicConfig(org: string, site: string): Promise<{ json: string; etag: string } | undefined>;
  robots(org: string, site: string): Promise<string | undefined>;
  /**
   * The sites that have the addresses of an external repository: those that hold its secret, otherwise any one that uses it; of one
   * organization or of all.
   */
  sitesOfRepository(repository: string, org?: string): Promise<StoredSite[]>;
  /** All sites of the organization on a repository, sorted by name. */
  sitesOfOrgOnRepository(org: string, repository: string): Promise<StoredSite[]>;
  /** The site on a repository with the shortest host names; of one organization or of all. */
  shortestSiteOfRepository(repository: string, org?: string): Promise<{ org: string; site: string } | undefined>;
}

export interface SiteWrites extends ContentRootWrites {
  /** Refuses the write with CONTENT_ROOT_TAKEN or SECRET_NOT_ALLOWED if another site concurrently claimed either. */
  putSite(site: SiteWrite): Promise<void>;
  /** Also removes its secrets and API keys, and ends its problems and theirs. */
  deleteSite(org: string, site: string, time: Date): Promise<void>;
  /** Together with `putAggregate` for each of `sitesOfProfile` that it changes. */
  putProfile(profile: StoredProfile): Promise<void>;
  putAggregate(site: AggregateWrite): Promise<void>;
  /** Also removes its secrets and API keys. */
  deleteProfile(org: string, profile: string): Promise<void>;
}
