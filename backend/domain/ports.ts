import type { Org } from '#contract/org.ts';
import type { Site } from '#contract/site.ts';
import type { CodeStore } from './code/ports.ts';
import type { StoredSecret } from './secrets/stored-secret.ts';

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
  readonly config: Site;
  readonly etag: string;
  /** Number of the version that is current. */
  readonly version: number;
}

/** What a write makes of a site; storage derives its look-up columns (content root, repository, public bytes) from `config`. */
export interface SiteWrite {
  readonly org: string;
  readonly site: string;
  readonly config: Site;
  readonly etag: string;
  readonly version: number;
  /** `<author origin><content root>`, unique among all sites; absent where the site maps nothing to `/`. */
  readonly contentRoot?: string;
  /** `<type>:<owner>/<repo>` of the code source. */
  readonly repository?: string;
  /** The site that holds the secret of its byogit repository: unique per organization and repository. */
  readonly holdsSecret: boolean;
}

export interface VersionWrite {
  readonly org: string;
  readonly site: string;
  readonly version: number;
  readonly created: Date;
  readonly name?: string;
  readonly user?: string;
  /** null records the deletion. */
  readonly data: Site | null;
}

export interface AuditEntry {
  readonly org: string;
  readonly site?: string;
  readonly time: Date;
  readonly user: string;
  readonly action: string;
  readonly requestId: string;
  readonly from?: number;
  readonly to?: number;
}

export interface Reads {
  org(org: string): Promise<StoredOrg | undefined>;
  site(org: string, site: string): Promise<StoredSite | undefined>;
  /** Both in one round trip: what a permission check needs. */
  orgAndSite(org: string, site: string): Promise<{ org: StoredOrg | undefined; site: StoredSite | undefined }>;
  /** At most `limit` sites whose names come after `after`, in the order of their names. */
  listSites(org: string, page: { after?: string; limit: number }): Promise<StoredSite[]>;
  /** The same page, the names alone. */
  listSiteNames(org: string, page: { after?: string; limit: number }): Promise<string[]>;
  siteWithContentRoot(contentRoot: string): Promise<{ org: string; site: string } | undefined>;
  /** The site of the organization that holds the secret of a repository. Secrets are never shared between organizations. */
  secretHolder(org: string, repository: string): Promise<{ org: string; site: string } | undefined>;
  /** Newest first, without their data. */
  versions(org: string, site: string): Promise<Omit<VersionWrite, 'data'>[]>;
  version(org: string, site: string, version: number): Promise<VersionWrite | undefined>;
  /** The highest version number ever given to a site, 0 where there was none (a deleted site keeps its numbers). */
  latestVersion(org: string, site: string): Promise<number>;
  /** The bytes of `/config.json`, or undefined where the site or its public part is missing. */
  publicConfig(org: string, site: string): Promise<{ json: string; etag: string } | undefined>;
  robots(org: string, site: string): Promise<string | undefined>;
  /** In the order of their names. */
  secrets(org: string, site: string): Promise<StoredSecret[]>;
  secret(org: string, site: string, name: string): Promise<StoredSecret | undefined>;
  /** Every secret that is kept sealed, of every site. */
  keySecrets(): Promise<StoredSecret[]>;
  /** The sites that say where a repository is: those that hold its secret, or else any one of those that use it. */
  sitesOfRepository(repository: string): Promise<StoredSite[]>;
}

/**
 * What one write reads and changes. Reads see what was committed before; changes take effect together at the end, and only
 * if no organization or site that was read and is changed here was changed by somebody else meanwhile.
 */
export interface Writes extends Reads {
  putOrg(org: StoredOrg): Promise<void>;
  /** The write is refused with CONTENT_ROOT_TAKEN or SECRET_NOT_ALLOWED where another site took either at the same moment. */
  putSite(site: SiteWrite): Promise<void>;
  /** Its secrets go with it. */
  deleteSite(org: string, site: string): Promise<void>;
  putSecret(secret: StoredSecret): Promise<void>;
  deleteSecret(secret: { readonly org: string; readonly site: string; readonly name: string }): Promise<void>;
  addVersion(version: VersionWrite): Promise<void>;
  addAudit(entry: AuditEntry): Promise<void>;
}

/** Things that end by themselves: sign-ins under way, device authorizations, challenges, revoked tokens. */
export interface ShortLived {
  put(kind: ShortLivedKind, key: string, value: unknown, expires: Date): Promise<void>;
  /** Undefined once expired. */
  get(kind: ShortLivedKind, key: string): Promise<unknown>;
  /** Reads and removes in one step: of two takers one gets it. */
  take(kind: ShortLivedKind, key: string): Promise<unknown>;
}
export type ShortLivedKind = 'sign-in' | 'device' | 'user-code' | 'challenge' | 'revoked-token' | 'webhook';

export interface Store {
  readonly reads: Reads;
  readonly shortLived: ShortLived;
  readonly code: CodeStore;
  /**
   * One transaction. Resolves when it is durable; rejects with what `work` threw, nothing changed. `work` does no I/O of
   * its own but through `writes`, and may run again after a conflict: it leaves no trace elsewhere.
   */
  write<T>(work: (writes: Writes) => Promise<T>): Promise<T>;
  /** Called after each durable change of a site, on every node, before the write is acknowledged on its own node. */
  onSiteChange(listener: (org: string, site: string) => void): () => void;
  /** Called when changes of other nodes may have been missed (their news was interrupted): everything read before may be old. */
  onChangesMissed(listener: () => void): () => void;
  /** `publicConfig` without waiting, where the engine can; for the hot path. */
  publicConfigNow?(org: string, site: string): { json: string; etag: string } | undefined;
  /** Rejects where the storage does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** The code host, as far as a claim needs it. Rejects with Refusal CODE_HOST_UNREACHABLE. */
export interface CodeHost {
  organizationExists(org: string): Promise<boolean>;
  /** The text of a file on `main`, undefined where there is none. */
  readFile(org: string, repository: string, path: string): Promise<string | undefined>;
}
