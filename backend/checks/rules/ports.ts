import type { DRIFT_FIELDS, StoredProblem, PackedFindings, SiteCheckInput, SiteState } from '@repoless/contract/site-check.ts';
import type { CodeOrigin } from '../../code/rules/ports.ts';

/** `at` is an ISO time; `version` that of the checked site. */
export interface ServiceCheckResult {
  readonly at: string;
  readonly version: number;
  readonly findings: PackedFindings;
}

/** Findings of a person who could read the authoring system. */
export interface AuthoringCheckResult extends ServiceCheckResult {
  readonly by: string;
  readonly switched: boolean;
  readonly environment?: SiteCheckInput['environment'];
  /** Found by a person who may write every site of the organization: its account also applies to the other sites of the environment. */
  readonly isForAll?: true;
  readonly drifts: SiteCheckInput['drifts'];
}

export interface CheckResults {
  readonly service?: ServiceCheckResult;
  readonly authoring?: AuthoringCheckResult;
}

/** The certificate of a host: when it expires, and whether it is for that host. */
export interface HostCertificate {
  readonly ends: Date;
  readonly isForHost: boolean;
}

/** Takes a host with its port, unless that is 443. Undefined if it is unreachable, or may not be reached. Never rejects. */
export type CertificateReader = (host: string, signal: AbortSignal) => Promise<HostCertificate | undefined>;

/** The summary of a site in a list. */
export interface CheckSummary {
  readonly problems: readonly StoredProblem[];
  readonly differs: readonly (typeof DRIFT_FIELDS)[number][];
  readonly unseen: number;
}

/** The stored checks of a site, and what is derived from them. */
export interface SiteCheckRecord {
  readonly org: string;
  readonly site: string;
  readonly state: SiteState;
  readonly results: CheckResults;
  readonly summary: CheckSummary;
}

/** `revision` counts the checks: a write that did not see the latest one is decided again. */
export interface StoredSiteCheck extends SiteCheckRecord {
  readonly revision: number;
}

/** A site with its stored checks. */
export interface ListedCheck {
  readonly site: string;
  readonly version: number;
  /** `<type>:<owner>/<repo>`, if it has a code source. */
  readonly repository: string | undefined;
  /** Whether it has a code source, a content source and a content root. */
  readonly isComplete: boolean;
  readonly check: ListedRecord | undefined;
}

export interface ListedRecord {
  readonly state: SiteState;
  readonly summary: CheckSummary;
  /** The time of the newest check, and the version of the older one. */
  readonly at: string;
  readonly version: number;
  readonly authoring: { readonly at: string; readonly by: string } | undefined;
  /** The site or its profile was written since the authoring system was last read. */
  readonly isAuthoringOutdated: boolean;
}

/** The state of several sites with the same code source; undefined if no check is stored. */
export interface StateCount {
  readonly state: SiteState | undefined;
  readonly repository: string | undefined;
  readonly isComplete: boolean;
  readonly isAuthoringOutdated: boolean;
  readonly sites: number;
}

export interface DayCount {
  readonly day: string;
  readonly count: number;
}

/** The check of an organization's sites, which one node runs at a time. `complete`: of all sites, not only of those that are due. */
export interface CheckRound {
  readonly org: string;
  readonly since: string;
  readonly complete: boolean;
  readonly done: number;
  readonly total: number;
}

export interface RoundLease {
  readonly org: string;
  readonly owner: string;
  readonly now: string;
  /** Leases that end before it have expired; like `until`, by the clock that all nodes share. */
  readonly leased: string;
  readonly until: string;
}

/** Stored checks of sites, and their leases. Each change is durable on its own when its promise resolves. */
export interface CheckStore {
  /** Sorted by name. */
  list(org: string, page: { readonly after: string; readonly limit: number }): Promise<ListedCheck[]>;
  states(org: string): Promise<StateCount[]>;
  /** The account that an authoring environment publishes with, as last seen by a person who may write every site of the organization. */
  technicalAccount(org: string, author: string): Promise<string | undefined>;
  /** The number of sites for each repository of the organization. */
  repositories(org: string): Promise<{ readonly repository: string; readonly sites: number }[]>;
  /** Keys of those of its origins whose branch `ref` is being synchronized, or waits for that. */
  openSyncs(org: string, ref: string): Promise<string[]>;
  /** Changes by day since a time, the newest `limit` of them. */
  changes(org: string, since: string, limit: number): Promise<DayCount[]>;
  /** Finished syncs by day since a time. */
  syncs(org: string, since: string): Promise<(DayCount & { readonly failed: number })[]>;
  /**
   * Sites after `after` whose check by the service is older than `before`, than their version, or than the last sync of their main branch.
   */
  due(org: string, page: { readonly before: string; readonly after: string; readonly limit: number }): Promise<string[]>;
  countDue(org: string, before: string): Promise<number>;
  /** Organizations that are due and that no node is checking, the one that waits longest first. */
  dueOrgs(now: string, leased: string, limit: number): Promise<string[]>;
  /**
   * A page of the origins of code whose branch was synchronized since a time, each once. `next`: where the next page starts, if there is
   * one.
   */
  syncedOrigins(
    since: string,
    ref: string,
    page: { readonly after: string; readonly limit: number },
  ): Promise<{ readonly origins: readonly CodeOrigin[]; readonly next: string | undefined }>;
  /** Claims the round of an organization; undefined if another node has it. An unfinished round stays due as of now. */
  claimRound(lease: RoundLease, complete: boolean): Promise<CheckRound | undefined>;
  /** Makes the round in progress cover all sites before it ends; undefined if there is none. */
  joinRound(org: string, leased: string): Promise<CheckRound | undefined>;
  /** False if another node has taken over the round. */
  saveRound(lease: RoundLease, progress: { readonly done: number; readonly total: number }): Promise<boolean>;
  /** Ends it until `due`; false if a check of all sites was requested in the meantime: then it restarts as a complete one. */
  finishRound(lease: Pick<RoundLease, 'org' | 'owner'>, due: string): Promise<boolean>;
  /** Releases an unfinished round: the next node restarts it. */
  releaseRound(lease: Pick<RoundLease, 'org' | 'owner'>): Promise<void>;
  /** The round in progress. */
  round(org: string, leased: string): Promise<CheckRound | undefined>;
}
