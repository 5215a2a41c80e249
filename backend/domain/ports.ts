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
import type { ContentRootReads, ContentRootWrites } from '../sites/content-roots.ts';
import type { SessionEndStore, ShortLived } from './short-lived.ts';

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
  /** What was set for the site itself. */
  readonly config: Site;
  /** The same over the profile that the site extends: what holds for it. The same object where it extends none. */
  readonly aggregate: Site;
  /** Of `config`. */
  readonly etag: string;
  /** Number of the version that is current. */
  readonly version: number;
  /** The content root that it holds. Absent also where its root was released: the aggregate alone does not say. */
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

/** An API key without its value, which is shown once and kept nowhere. */
export interface StoredApiKey {
  readonly id: string;
  readonly org: string;
  /** A site, or the place of a profile. Absent: it is good for the whole organization. */
  readonly site?: string;
  readonly description?: string;
  readonly roles: readonly RoleName[];
  readonly created: Date;
  readonly createdBy: string;
  readonly expires: Date;
}

/** What is found by, or answered of, a site; all of it derives from the aggregate. */
export interface SiteKeys {
  /** `<author host><content root>` however the host was spelled, unique among all sites; absent where the site maps nothing to `/`. */
  readonly contentRoot?: string;
  /** `<type>:<owner>/<repo>` of the code source. */
  readonly repository?: string;
  /** The site that holds the secret of its byogit repository: unique per organization and repository. */
  readonly holdsSecret: boolean;
}

/** What a write makes of a site; storage derives the public bytes and robots.txt from the aggregate. */
export interface SiteWrite extends SiteKeys {
  readonly org: string;
  readonly site: string;
  readonly config: Site;
  /** Only where a profile holds for the site: its configuration over that profile. The write read that profile, or that there is none. */
  readonly aggregate?: Site;
  readonly etag: string;
  readonly version: number;
}

/** What the change of a profile makes of a site that extends it. The site itself, and its version, stay as they are. */
export interface AggregateWrite extends SiteKeys {
  readonly org: string;
  readonly site: string;
  readonly aggregate: Site;
  /** Whether the profile holds no more, and the site is its configuration alone. */
  readonly alone: boolean;
}

export interface VersionEntry {
  readonly version: number;
  readonly created: Date;
  readonly name?: string;
  readonly user?: string;
  /** The version that was brought back with this one. */
  readonly restoredFrom?: number;
}

export interface VersionData extends VersionEntry {
  /** The document as it was stored then; null records the deletion. What reads it parses it. */
  readonly data: Readonly<Record<string, unknown>> | null;
}

export interface VersionWrite extends VersionData {
  readonly subject: Subject;
  /** Versions up to this number go, but for those that have a name; absent: none goes. */
  readonly forget?: number;
}

export interface Reads extends ContentRootReads {
  org(org: string): Promise<StoredOrg | undefined>;
  site(org: string, site: string): Promise<StoredSite | undefined>;
  /** Both in one round trip: what a permission check needs. */
  orgAndSite(org: string, site: string): Promise<{ org: StoredOrg | undefined; site: StoredSite | undefined }>;
  /** Organizations whose users or groups name one of these list entries, in order: at most `limit` that come after `after`. */
  orgsNaming(entries: readonly string[], page: { after?: string; limit: number }): Promise<string[]>;
  /**
   * At most `limit` sites whose names come after `after`, in the order of their names: as many as have `bytes` of documents together,
   * and one at least where there is one.
   */
  listSites(org: string, page: { after?: string; limit: number; bytes: number }): Promise<StoredSite[]>;
  /** The same page, the names alone. */
  listSiteNames(org: string, page: { after?: string; limit: number }): Promise<string[]>;
  /** The site of the organization that holds the secret of a repository. Secrets are never shared between organizations. */
  secretHolder(org: string, repository: string): Promise<{ org: string; site: string } | undefined>;
  /** How much the organization has; of one that is not known nothing. */
  usage(org: string): Promise<OrgUsage>;
  /** Whether a site of the organization is on a repository. Here and below by its key: see `repositoryKey`. */
  usesRepository(org: string, repository: string): Promise<boolean>;
  /** The keys of the repositories that sites of the organization use. Costs as much as there are repositories, however many sites. */
  repositories(org: string): Promise<string[]>;
  /** Organizations with a site on a repository, in the order of their names: at most `limit`, those that follow `after`. */
  orgsOfRepository(repository: string, page: { after?: string; limit: number }): Promise<string[]>;
  profile(org: string, profile: string): Promise<StoredProfile | undefined>;
  /** In their order. */
  listProfileNames(org: string): Promise<string[]>;
  /** All sites that extend a profile, by name or by default, in the order of their names. */
  sitesOfProfile(org: string, profile: string): Promise<StoredSite[]>;
  /** Newest first, without their data: at most `limit`, with numbers below `before`, where these are given. */
  versions(subject: Subject, page?: { before?: number; limit?: number }): Promise<VersionEntry[]>;
  version(subject: Subject, version: number): Promise<VersionData | undefined>;
  /** The highest version number ever given to a subject, 0 where there was none (what is deleted keeps its numbers). */
  latestVersion(subject: Subject): Promise<number>;
  /** Newest first, at most `limit`: of a site, since a time, with ids below `before`, where these are given. */
  audits(org: string, filter: { site?: string; since?: Date; before?: number; limit: number }): Promise<StoredAuditEntry[]>;
  /** Of a site between two times, both included: newest first, at most `limit`, with ids below `before` where it is given. */
  siteAudits(org: string, site: string, page: { since: Date; until: Date; before?: number; limit: number }): Promise<StoredAuditEntry[]>;
  auditHead(org: string): Promise<AuditHead>;
  /** In the order of the chain, those behind the one with the number `after`. */
  auditChain(org: string, page: { readonly after: number; readonly limit: number }): Promise<LinkedEntry[]>;
  /** Of a site or the place of a profile, or (without one) those of the organization itself; the newest last. */
  apiKeys(org: string, site?: string): Promise<StoredApiKey[]>;
  apiKey(id: string): Promise<StoredApiKey | undefined>;
  /** In the order of their making. */
  subscriptions(org: string): Promise<StoredSubscription[]>;
  /** Those to webhooks, of every organization. */
  webhookSubscriptions(): Promise<StoredSubscription[]>;
  /** The bytes of `/config.json`, or undefined where the site or its public part is missing. */
  publicConfig(org: string, site: string): Promise<{ json: string; etag: string } | undefined>;
  robots(org: string, site: string): Promise<string | undefined>;
  /** What is kept of the checks of a site. */
  siteCheck(org: string, site: string): Promise<StoredSiteCheck | undefined>;
  rollout(org: string, id: string): Promise<StoredRollout | undefined>;
  rolloutSite(org: string, id: string, site: string): Promise<RolloutSiteOf | undefined>;
  /** In the order of their names. */
  secrets(org: string, site: string): Promise<StoredSecret[]>;
  secret(org: string, site: string, name: string): Promise<StoredSecret | undefined>;
  /** Every secret that is kept sealed, of every site. */
  keySecrets(): Promise<StoredSecret[]>;
  /** The sites that say where an external repository is: those that hold its secret, or else any one that uses it; of one organization or of all. */
  sitesOfRepository(repository: string, org?: string): Promise<StoredSite[]>;
  /** All sites of the organization on a repository, in the order of their names. */
  sitesOfOrgOnRepository(org: string, repository: string): Promise<StoredSite[]>;
  /** The site on a repository whose host names are the shortest; of one organization or of all. */
  shortestSiteOfRepository(repository: string, org?: string): Promise<{ org: string; site: string } | undefined>;
}

/**
 * What one write reads and changes, in one transaction: what it read of an organization stays so until it is committed, and its reads see its own
 * changes. A document is stored only as the version after the one that is there.
 */
export interface Writes extends Reads, ContentRootWrites {
  putOrg(org: StoredOrg): Promise<void>;
  /** The write is refused with CONTENT_ROOT_TAKEN or SECRET_NOT_ALLOWED where another site took either at the same moment. */
  putSite(site: SiteWrite): Promise<void>;
  /** Its secrets and API keys go with it, and what was wrong with it or with these ends then. */
  deleteSite(org: string, site: string, time: Date): Promise<void>;
  /** Together with `putAggregate` for each of `sitesOfProfile` that it changes. */
  putProfile(profile: StoredProfile): Promise<void>;
  putAggregate(site: AggregateWrite): Promise<void>;
  /** Its secrets and API keys go with it. */
  deleteProfile(org: string, profile: string): Promise<void>;
  putApiKey(key: StoredApiKey): Promise<void>;
  deleteApiKey(id: string): Promise<void>;
  /** Who subscribed is told in the same transaction. */
  setCause(change: CauseChange): Promise<void>;
  /** `before`: the one that it replaces. */
  putSubscription(subscription: StoredSubscription, before?: StoredSubscription): Promise<void>;
  /** Its deliveries go with it. */
  deleteSubscription(id: string): Promise<void>;
  /** Gives a version its name (undefined: takes it). */
  nameVersion(subject: Subject, version: number, name: string | undefined): Promise<void>;
  deleteVersion(subject: Subject, version: number): Promise<void>;
  putSecret(secret: StoredSecret): Promise<void>;
  /** Stores what another key sealed, where it is still sealed as `before`: what was set or removed meanwhile stays so. */
  reseal(sealed: Resealed): Promise<void>;
  deleteSecret(secret: { readonly org: string; readonly site: string; readonly name: string }): Promise<void>;
  /** `before` is what it builds upon: undefined where nothing was kept. It is removed with its site. */
  putSiteCheck(check: SiteCheckRecord, before: StoredSiteCheck | undefined): Promise<void>;
  changeRollout(change: RolloutChange): Promise<void>;
  addVersion(version: VersionWrite): Promise<void>;
  addAudit(entry: AuditEntry): Promise<void>;
}

/** What the vendor's hosted service has no place for, by what it is, its organization and its identifier. Never a credential. */
export interface HostedDocuments {
  put(kind: string, org: string, id: string, value: object): Promise<void>;
  get(kind: string, org: string, id: string): Promise<unknown>;
  remove(kind: string, org: string, id: string): Promise<void>;
  /** In the order of their identifiers. */
  list(kind: string, org: string, newest?: number): Promise<readonly unknown[]>;
  /** What was done, by numbers from 1 that are each given once. */
  readonly trail: {
    /** False where there is an entry of that number already. */
    add(org: string, number: number, entry: object): Promise<boolean>;
    /** Those behind `after` and before `before`. */
    between(
      org: string,
      range: { readonly after: number; readonly before: number; readonly newestFirst: boolean; readonly limit: number },
    ): Promise<readonly unknown[]>;
  };
}

export interface Store {
  readonly reads: Reads;
  readonly shortLived: ShortLived;
  readonly sessionEnds: SessionEndStore;
  readonly code: CodeStore;
  readonly checks: CheckStore;
  /** Blobs of the code, where the database keeps them. */
  readonly blobs: BlobPlace;
  readonly condemned: CondemnedBlobs;
  readonly events: EventStore;
  readonly rollouts: RolloutStore;
  readonly overview: Overview;
  readonly hosted: HostedDocuments;
  /**
   * One transaction. Resolves when it is durable; rejects with what `work` threw, nothing changed. `work` does no I/O of
   * its own but through `writes`, for other writes wait for it, and may run again after a conflict: it leaves no trace elsewhere. Begins no write
   * itself. `subject`: what it is mostly about.
   */
  write<T>(work: (writes: Writes) => Promise<T>, subject?: Subject): Promise<T>;
  /** Called after each durable change of a site: on the node that wrote before the write is acknowledged, on others as they hear of it. */
  onSiteChange(listener: (org: string, site: string) => void): () => void;
  /** The same of an API key that was made or revoked, and of a sign-in that was ended, and of a person whose sign-ins all were. */
  onTokenChange(listener: (id: string) => void): () => void;
  /**
   * The present by the clock of all who share the store: the database's, or that of the only machine, which is `own`. Whoever sets, renews or
   * compares the time of a lease reads it here, so that nodes whose clocks differ agree on when it ends.
   */
  sharedTime(own: Date): Promise<Date>;
  /** `publicConfig` without waiting, where the engine can; for the hot path. */
  publicConfigNow?(org: string, site: string): { json: string; etag: string } | undefined;
  /** Rejects where the storage does not respond. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Why a text is no definition of indexes or sitemaps in the public service's form, a sentence; undefined where it is one. Rejects with OVERLOADED where
 * an organization has too many read at once.
 */
export type SiteYamlProblem = (org: string, name: SiteYamlName, text: string) => Promise<string | undefined>;

/** The code host, as far as a claim needs it. Rejects with Refusal CODE_HOST_UNREACHABLE. `person`: whose questions are counted; absent: nobody's. */
export interface CodeHost {
  organizationExists(org: string, person?: string): Promise<boolean>;
  /** The text of a file on `main`, undefined where there is none. */
  readFile(org: string, repository: string, path: string, person?: string): Promise<string | undefined>;
}
