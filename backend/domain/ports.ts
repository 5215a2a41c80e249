import type { RoleName } from '@repoless/contract/access.ts';
import type { Org } from '@repoless/contract/org.ts';
import type { SiteYamlName } from '@repoless/contract/site-parts.ts';
import type { QUOTA_NAMES } from '@repoless/contract/operator.ts';
import type { CheckStore, SiteCheckRecord, StoredSiteCheck } from '../checks/rules/ports.ts';
import type { BlobStorage, CodeStore, CondemnedBlobs, StoredJob } from '../code/rules/ports.ts';
import type { CauseChange, EventStore, StoredSubscription } from '../events/rules/ports.ts';
import type { HistoryReads, HistoryWrites, Subject } from '../history/ports.ts';
import type { RolloutChange, RolloutSiteOf, RolloutStore, StoredRollout } from '../rollouts/rules/ports.ts';
import type { Resealed, StoredSecret } from '../secrets/secret-box.ts';
import type { SiteReads, SiteWrites, StoredSite } from '../sites/ports.ts';
import type { OrgUsage } from './documents.ts';

export interface StoredOrg {
  readonly org: string;
  readonly config: Org;
  /** Strong etag of the configuration, quotes included. */
  readonly etag: string;
  readonly version: number;
}

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

export interface Reads extends SiteReads, HistoryReads {
  org(org: string): Promise<StoredOrg | undefined>;
  /** Both in one round trip, for a permission check. */
  orgAndSite(org: string, site: string): Promise<{ org: StoredOrg | undefined; site: StoredSite | undefined }>;
  /** Organizations whose users or groups contain one of these list entries, sorted: at most `limit` after `after`. */
  orgsNaming(entries: readonly string[], page: { after?: string; limit: number }): Promise<string[]>;
  /** The usage of an organization; none if it is unknown. */
  usage(org: string): Promise<OrgUsage>;
  /** Of a site or a profile, or (without one) those of the organization itself; the newest last. */
  apiKeys(org: string, site?: string): Promise<StoredApiKey[]>;
  apiKey(id: string): Promise<StoredApiKey | undefined>;
  /** In order of creation. */
  subscriptions(org: string): Promise<StoredSubscription[]>;
  /** Those to webhooks, of every organization. */
  webhookSubscriptions(): Promise<StoredSubscription[]>;
  siteCheck(org: string, site: string): Promise<StoredSiteCheck | undefined>;
  rollout(org: string, id: string): Promise<StoredRollout | undefined>;
  rolloutSite(org: string, id: string, site: string): Promise<RolloutSiteOf | undefined>;
  /** Sorted by name. */
  secrets(org: string, site: string): Promise<StoredSecret[]>;
  secret(org: string, site: string, name: string): Promise<StoredSecret | undefined>;
  /** Every sealed secret, of every site. */
  keySecrets(): Promise<StoredSecret[]>;
}

/**
 * The reads and changes of one write, in one transaction: what it read of an organization does not change until the commit, and its reads
 * see its own changes. A document is stored only as the version after the current one.
 */
export interface Writes extends Reads, SiteWrites, HistoryWrites {
  putOrg(org: StoredOrg): Promise<void>;
  putApiKey(key: StoredApiKey): Promise<void>;
  deleteApiKey(id: string): Promise<void>;
  /** Subscribers are notified in the same transaction. */
  setCause(change: CauseChange): Promise<void>;
  /** `before`: the one that it replaces. */
  putSubscription(subscription: StoredSubscription, before?: StoredSubscription): Promise<void>;
  /** Also removes its deliveries. */
  deleteSubscription(id: string): Promise<void>;
  putSecret(secret: StoredSecret): Promise<void>;
  /** Stores what was resealed, if it is still sealed as `before`: what was set or removed in the meantime is preserved. */
  reseal(sealed: Resealed): Promise<void>;
  deleteSecret(secret: { readonly org: string; readonly site: string; readonly name: string }): Promise<void>;
  /** `before` is what it is based on: undefined if nothing was stored. It is removed with its site. */
  putSiteCheck(check: SiteCheckRecord, before: StoredSiteCheck | undefined): Promise<void>;
  changeRollout(change: RolloutChange): Promise<void>;
}

export interface KnownNode {
  readonly name: string;
  readonly self: boolean;
  readonly running: boolean;
}

export interface WaitingWork {
  readonly count: number;
  readonly oldest: string | undefined;
}

/** Reads of the storage for operators. Each reads many rows: others may not call them. */
export interface Overview {
  readonly kind: 'sqlite' | 'postgresql';
  schema(): Promise<string>;
  /** This program, and the others that currently use the same storage. */
  nodes(): Promise<readonly KnownNode[]>;
  /** Unfinished code syncs, by state. */
  openJobs(): Promise<readonly ({ readonly state: string } & WaitingWork)[]>;
  oldestJobs(limit: number): Promise<readonly StoredJob[]>;
  failedJobs(since: Date): Promise<number>;
  openRollouts(): Promise<WaitingWork>;
  highest(quota: (typeof QUOTA_NAMES)[number], limit: number): Promise<readonly { readonly org: string; readonly used: number }[]>;
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
  /** Stores a value for each of these keys, in one step. Not for values that nodes cache. */
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
  retainLatest(kind: ShortLivedKind, limit: number, prefix?: string): Promise<void>;
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
  | 'code-probe'
  | 'notified';

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
  readonly blobs: BlobStorage;
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
  /** Listens to created and revoked API keys, ended sign-ins, and people all of whose sign-ins were ended. */
  onTokenChange(listener: (id: string) => void): () => void;
  /**
   * The current time by the clock of all who share the store: the database's, or that of the only machine, which is `own`. Used to set,
   * renew and compare the times of leases, so that nodes with different clocks agree on when one ends.
   */
  sharedTime(own: Date): Promise<Date>;
  /**
   * Whether a value that this node read at that time (milliseconds since 1970), and that no listener was notified of since, may still be
   * used: for a second if other nodes share the store; otherwise until another program has written to the file.
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
  readonly base: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Called with the number of bytes of the response before they are held; refuses if there is no memory for them. */
  readonly reserve?: (bytes: number) => void;
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
