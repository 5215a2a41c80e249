import type { RoleName } from '@repoless/contract/access.ts';
import type { Org } from '@repoless/contract/org.ts';
import type { SiteYamlName } from '@repoless/contract/site-parts.ts';
import type { Profile, Site } from '@repoless/contract/site.ts';
import type { CheckStore, SiteCheckRecord, StoredSiteCheck } from '../checks/rules/ports.ts';
import type { BlobPlace, CodeStore, CondemnedBlobs } from '../code/rules/ports.ts';
import type { CauseChange, EventStore, StoredSubscription } from '../events/rules/ports.ts';
import type { AuditEntry, AuditHead, LinkedEntry, StoredAuditEntry } from '../history/audit/chain.ts';
import type { Overview } from '../operators/get-service-state.ts';
import type { RolloutChange, RolloutSiteOf, RolloutStore, StoredRollout } from '../rollouts/rules/ports.ts';
import type { Resealed, StoredSecret } from '../secrets/secret-box.ts';

export interface StoredOrg {
  readonly org: string;
  readonly config: Org;
  /** Strong etag of the configuration, quotes included. */
  readonly etag: string;
  readonly version: number;
}

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

/** What an organization stores. `bytes`: of its configuration, versions included. */
export interface OrgUsage {
  readonly sites: number;
  readonly versions: number;
  readonly bytes: number;
  readonly secrets: number;
  readonly apiKeys: number;
}

/** What has a history of numbered versions. */
export type Subject =
  | { readonly kind: 'org'; readonly org: string }
  | { readonly kind: 'profile'; readonly org: string; readonly profile: string }
  | { readonly kind: 'site'; readonly org: string; readonly site: string };

/** An API key without its value, which is shown once and never stored. */
export interface StoredApiKey {
  readonly id: string;
  readonly org: string;
  /** A site, or a profile. Absent: valid for the whole organization. */
  readonly site?: string;
  readonly description?: string;
  readonly roles: readonly RoleName[];
  readonly created: Date;
  readonly createdBy: string;
  readonly expires: Date;
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

export interface VersionEntry {
  readonly version: number;
  readonly created: Date;
  readonly name?: string;
  readonly user?: string;
  /** The version that was restored with this one. */
  readonly restoredFrom?: number;
}

export interface VersionData extends VersionEntry {
  /** The document as stored then; null records the deletion. Readers parse it. */
  readonly data: Readonly<Record<string, unknown>> | null;
}

export interface VersionWrite extends VersionData {
  readonly subject: Subject;
  /** Versions up to this number are deleted, except named ones; absent: none. */
  readonly forget?: number;
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

export interface Reads extends ContentRootReads {
  org(org: string): Promise<StoredOrg | undefined>;
  site(org: string, site: string): Promise<StoredSite | undefined>;
  /** Both in one round trip, for a permission check. */
  orgAndSite(org: string, site: string): Promise<{ org: StoredOrg | undefined; site: StoredSite | undefined }>;
  /** Organizations whose users or groups contain one of these list entries, sorted: at most `limit` after `after`. */
  orgsNaming(entries: readonly string[], page: { after?: string; limit: number }): Promise<string[]>;
  /**
   * At most `limit` sites after `after`, sorted by name: as many as have `bytes` of documents together, but at least one if there is any.
   */
  listSites(org: string, page: { after?: string; limit: number; bytes: number }): Promise<StoredSite[]>;
  /** The same page, names only. */
  listSiteNames(org: string, page: { after?: string; limit: number }): Promise<string[]>;
  /** The site of the organization that holds the secret of a repository. Secrets are never shared between organizations. */
  secretHolder(org: string, repository: string): Promise<{ org: string; site: string } | undefined>;
  /** The usage of an organization; none if it is unknown. */
  usage(org: string): Promise<OrgUsage>;
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
  /** Newest first, without their data: at most `limit`, with numbers below `before`, if given. */
  versions(subject: Subject, page?: { before?: number; limit?: number }): Promise<VersionEntry[]>;
  version(subject: Subject, version: number): Promise<VersionData | undefined>;
  /** The highest version number of a subject, 0 if there is none (deleted ones keep their numbers). */
  latestVersion(subject: Subject): Promise<number>;
  /** Newest first, at most `limit`: of a site, since a time, with ids below `before`, if given. */
  audits(org: string, filter: { site?: string; since?: Date; before?: number; limit: number }): Promise<StoredAuditEntry[]>;
  /** Of a site between two times, inclusive: newest first, at most `limit`, with ids below `before` if given. */
  siteAudits(org: string, site: string, page: { since: Date; until: Date; before?: number; limit: number }): Promise<StoredAuditEntry[]>;
  auditHead(org: string): Promise<AuditHead>;
  /** In the order of the chain, after the number `after`. */
  auditChain(org: string, page: { readonly after: number; readonly limit: number }): Promise<LinkedEntry[]>;
  /** Of a site or a profile, or (without one) those of the organization itself; the newest last. */
  apiKeys(org: string, site?: string): Promise<StoredApiKey[]>;
  apiKey(id: string): Promise<StoredApiKey | undefined>;
  /** In order of creation. */
  subscriptions(org: string): Promise<StoredSubscription[]>;
  /** Those to webhooks, of every organization. */
  webhookSubscriptions(): Promise<StoredSubscription[]>;
  /** The bytes of `/config.json`, or undefined if the site or its public part is missing. */
  publicConfig(org: string, site: string): Promise<{ json: string; etag: string } | undefined>;
  robots(org: string, site: string): Promise<string | undefined>;
  siteCheck(org: string, site: string): Promise<StoredSiteCheck | undefined>;
  rollout(org: string, id: string): Promise<StoredRollout | undefined>;
  rolloutSite(org: string, id: string, site: string): Promise<RolloutSiteOf | undefined>;
  /** Sorted by name. */
  secrets(org: string, site: string): Promise<StoredSecret[]>;
  secret(org: string, site: string, name: string): Promise<StoredSecret | undefined>;
  /** Every sealed secret, of every site. */
  keySecrets(): Promise<StoredSecret[]>;
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

/**
 * The reads and changes of one write, in one transaction: what it read of an organization does not change until the commit, and its reads
 * see its own changes. A document is stored only as the version after the present one.
 */
export interface Writes extends Reads, ContentRootWrites {
  putOrg(org: StoredOrg): Promise<void>;
  /** Refuses the write with CONTENT_ROOT_TAKEN or SECRET_NOT_ALLOWED if another site concurrently claimed either. */
  putSite(site: SiteWrite): Promise<void>;
  /** Also removes its secrets and API keys, and ends its problems and theirs. */
  deleteSite(org: string, site: string, time: Date): Promise<void>;
  /** Together with `putAggregate` for each of `sitesOfProfile` that it changes. */
  putProfile(profile: StoredProfile): Promise<void>;
  putAggregate(site: AggregateWrite): Promise<void>;
  /** Also removes its secrets and API keys. */
  deleteProfile(org: string, profile: string): Promise<void>;
  putApiKey(key: StoredApiKey): Promise<void>;
  deleteApiKey(id: string): Promise<void>;
  /** Subscribers are notified in the same transaction. */
  setCause(change: CauseChange): Promise<void>;
  /** `before`: the one that it replaces. */
  putSubscription(subscription: StoredSubscription, before?: StoredSubscription): Promise<void>;
  /** Also removes its deliveries. */
  deleteSubscription(id: string): Promise<void>;
  /** Names a version (undefined: removes the name). */
  nameVersion(subject: Subject, version: number, name: string | undefined): Promise<void>;
  deleteVersion(subject: Subject, version: number): Promise<void>;
  putSecret(secret: StoredSecret): Promise<void>;
  /** Stores what was resealed, if it is still sealed as `before`: what was set or removed meanwhile is preserved. */
  reseal(sealed: Resealed): Promise<void>;
  deleteSecret(secret: { readonly org: string; readonly site: string; readonly name: string }): Promise<void>;
  /** `before` is what it is based on: undefined if nothing was stored. It is removed with its site. */
  putSiteCheck(check: SiteCheckRecord, before: StoredSiteCheck | undefined): Promise<void>;
  changeRollout(change: RolloutChange): Promise<void>;
  addVersion(version: VersionWrite): Promise<void>;
  addAudit(entry: AuditEntry): Promise<void>;
}

/** What the vendor's hosted service cannot store, by kind, organization and identifier. Never a credential. */
export interface HostedDocuments {
  put(kind: string, org: string, id: string, value: object): Promise<void>;
  get(kind: string, org: string, id: string): Promise<unknown>;
  remove(kind: string, org: string, id: string): Promise<void>;
  /** Sorted by identifier. */
  list(kind: string, org: string, newest?: number): Promise<readonly unknown[]>;
  /** Actions, numbered from 1 without duplicates. */
  readonly trail: {
    /** False if an entry with that number exists. */
    add(org: string, number: number, entry: object): Promise<boolean>;
    /** Those after `after` and before `before`. */
    between(
      org: string,
      range: { readonly after: number; readonly before: number; readonly newestFirst: boolean; readonly limit: number },
    ): Promise<readonly unknown[]>;
  };
}

/** Entries that expire: device authorizations, challenges, revoked tokens. */
export interface ShortLived {
  put(kind: ShortLivedKind, key: string, value: unknown, expires: Date): Promise<void>;
  /** The same value for each of these keys, in one step. Not for what nodes cache. */
  putAll(kind: Exclude<ShortLivedKind, 'revoked-token'>, keys: readonly string[], value: unknown, expires: Date): Promise<void>;
  /** False if one exists already: of two concurrent calls, one succeeds. */
  add(kind: ShortLivedKind, key: string, value: unknown, expires: Date): Promise<boolean>;
  /** Those whose keys start with the prefix. */
  list(kind: ShortLivedKind, prefix: string): Promise<unknown[]>;
  /** How many there are, without expired ones. */
  count(kind: ShortLivedKind): Promise<number>;
  /** Undefined once expired. */
  get(kind: ShortLivedKind, key: string): Promise<unknown>;
  /** Deletes all but this many of those whose keys start with the prefix, those that expire first before the others. */
  keepLatest(kind: ShortLivedKind, most: number, prefix?: string): Promise<void>;
  /**
   * Evicts a hundred entries, first those followed by the most later ones of the same share, so that the largest share loses its own. Takes
   * how many characters at the start of a key identify its share, or the character that ends it.
   */
  displace(kind: ShortLivedKind, share: number | string): Promise<void>;
  /** Reads and removes in one step: of two concurrent calls, one gets it. */
  take(kind: ShortLivedKind, key: string): Promise<unknown>;
}
export type ShortLivedKind =
  | 'device'
  | 'user-code'
  | 'challenge'
  | 'revoked-token'
  | 'webhook'
  | 'plan'
  | 'unsynced'
  | 'certificate'
  | 'unused-code'
  | 'unused-branch'
  | 'code-look'
  | 'told';

/** When all sessions of a person were ended. `person` is a text without a space that identifies them. */
export interface SessionEndStore {
  /** The last time, in milliseconds since 1970; 0 if never. */
  last(person: string): Promise<number>;
  /** Always later than the last time. Listeners of `onTokenChange` are notified of the person. */
  end(person: string, now: Date): Promise<void>;
}

export interface Store {
  readonly reads: Reads;
  readonly shortLived: ShortLived;
  readonly sessionEnds: SessionEndStore;
  readonly code: CodeStore;
  readonly checks: CheckStore;
  /** Blobs of the code, if the database stores them. */
  readonly blobs: BlobPlace;
  readonly condemned: CondemnedBlobs;
  readonly events: EventStore;
  readonly rollouts: RolloutStore;
  readonly overview: Overview;
  readonly hosted: HostedDocuments;
  /**
   * One transaction. Resolves when it is durable; rejects with what `work` threw, without changes. `work` does no I/O except through
   * `writes`, because other writes wait for it, and may run again after a conflict, so it must have no side effects. It must not start a
   * write itself. `subject`: what it is mainly about.
   */
  write<T>(work: (writes: Writes) => Promise<T>, subject?: Subject): Promise<T>;
  /**
   * Called after each durable change of a site: on the node that wrote it before the write is acknowledged, on others when they are
   * notified.
   */
  onSiteChange(listener: (org: string, site: string) => void): () => void;
  /** The same for created and revoked API keys, ended sign-ins, and people all of whose sign-ins were ended. */
  onTokenChange(listener: (id: string) => void): () => void;
  /**
   * The current time by the clock of all who share the store: the database's, or that of the only machine, which is `own`. Used to set,
   * renew and compare the times of leases, so that nodes with different clocks agree on when one ends.
   */
  sharedTime(own: Date): Promise<Date>;
  /**
   * Whether what this node read at that time (milliseconds since 1970) and no listener was told of since may still be used: for a second if
   * other nodes share the store; otherwise until another program has written to the file.
   */
  isCurrent(since: number): boolean;
  /** Rejects if the storage does not respond. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Why a text is not a definition of indexes or sitemaps in the public service's form, as a sentence; undefined if it is. Rejects with
 * OVERLOADED if too many of an organization are being read.
 */
export type SiteYamlProblem = (org: string, name: SiteYamlName, text: string) => Promise<string | undefined>;

/**
 * The code host, as needed by a claim. Rejects with Refusal CODE_HOST_UNREACHABLE. `person`: whose requests are counted; absent: no one's.
 */
export interface CodeHost {
  organizationExists(org: string, person?: string): Promise<boolean>;
  /** The text of a file on `main`, undefined if there is none. */
  readFile(org: string, repository: string, path: string, person?: string): Promise<string | undefined>;
}

/** A request to an author. Everything in it has been checked; `path` is encoded and includes the query. */
export interface AuthorRequest {
  readonly method: 'GET' | 'POST';
  /** Scheme, host and port. */
  readonly origin: string;
  readonly path: string;
  /** A path with a trailing slash that `path` must start with: nothing else is requested with the credential in the headers. */
  readonly below: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Called with the number of bytes of the response before they are held; refuses if there is no memory for them. */
  readonly hold?: (bytes: number) => void;
  /** Milliseconds, if fewer remain than usual. */
  readonly timeout?: number;
  /** Aborted if the requester disconnects. */
  readonly signal?: AbortSignal;
}

export interface AuthorAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

/**
 * The authoring systems, as needed by the authoring proxy. Sends a single request and follows no redirect. Rejects with Refusal
 * AUTHOR_UNREACHABLE, AUTHOR_TIMEOUT or AUTHOR_ANSWER_REFUSED.
 */
export interface Authors {
  send(request: AuthorRequest): Promise<AuthorAnswer>;
}
