import type { DRIFT_FIELDS, KeptProblem, PackedFindings, SiteCheckInput, SiteState } from '@repoless/contract/site-check.ts';
import type { CodeOrigin } from '../../code/rules/code-origin.ts';

/** `at` is an ISO time; `version` that of the site that was looked at. */
export interface ServiceCheckResult {
  readonly at: string;
  readonly version: number;
  readonly findings: PackedFindings;
}

/** A look of somebody who could read the authoring system. */
export interface AuthoringCheckResult extends ServiceCheckResult {
  readonly by: string;
  readonly switched: boolean;
  readonly environment?: SiteCheckInput['environment'];
  /** Found by somebody who may write every site of the organization: the other sites of the environment are judged by its account, too. */
  readonly isForAll?: true;
  readonly drifts: SiteCheckInput['drifts'];
}

export interface Looks {
  readonly service?: ServiceCheckResult;
  readonly authoring?: AuthoringCheckResult;
}

/** The certificate that a host shows: until when it is good, and whether it is one of that host. */
export interface HostCertificate {
  readonly ends: Date;
  readonly isForHost: boolean;
}

/** In: a host with its port, where that is not 443. Undefined where it cannot be reached, or may not be. Never rejects. */
export type CertificateReader = (host: string, signal: AbortSignal) => Promise<HostCertificate | undefined>;

/** What is told of a site in a list. */
export interface CheckSummary {
  readonly problems: readonly KeptProblem[];
  readonly differs: readonly (typeof DRIFT_FIELDS)[number][];
  readonly unseen: number;
}

/** What is kept of a site, and what follows from its looks. */
export interface SiteCheckRecord {
  readonly org: string;
  readonly site: string;
  readonly state: SiteState;
  readonly looks: Looks;
  readonly summary: CheckSummary;
}

/** `revision` counts the looks: a write that did not see the last one is decided again. */
export interface StoredSiteCheck extends SiteCheckRecord {
  readonly revision: number;
}

/** A site with what is kept of it. */
export interface ListedCheck {
  readonly site: string;
  readonly version: number;
  /** `<type>:<owner>/<repo>`, where it has a code source. */
  readonly repository: string | undefined;
  /** As the store knows it: it has a code source, a content source and a content root. */
  readonly isComplete: boolean;
  readonly check: ListedRecord | undefined;
}

export interface ListedRecord {
  readonly state: SiteState;
  readonly summary: CheckSummary;
  /** The newest look, and the version that the older of the two was of. */
  readonly at: string;
  readonly version: number;
  readonly authoring: { readonly at: string; readonly by: string } | undefined;
  /** The site was written, by itself or by its profile, since somebody read the authoring system. */
  readonly isAuthoringOutdated: boolean;
}

/** The state of some sites with the same code source; undefined where nothing is kept of them. */
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

/** The check of an organization's sites, which one node makes at a time. `whole`: of all sites, not only of those that need it. */
export interface CheckRound {
  readonly org: string;
  readonly since: string;
  readonly whole: boolean;
  readonly done: number;
  readonly total: number;
}

export interface RoundLease {
  readonly org: string;
  readonly owner: string;
  readonly now: string;
  /** Leases that end before it are over; as `until`, by the clock that all nodes share. */
  readonly leased: string;
  readonly until: string;
}

/** Stored checks of sites, and who makes them. Each change is durable by itself when its promise resolves. */
export interface CheckStore {
  /** In the order of their names. */
  list(org: string, page: { readonly after: string; readonly limit: number }): Promise<ListedCheck[]>;
  states(org: string): Promise<StateCount[]>;
  /** The account with which an authoring environment publishes, as somebody saw it last who may write every site of the organization. */
  technicalAccount(org: string, author: string): Promise<string | undefined>;
  /** How many sites use each repository of the organization. */
  repositories(org: string): Promise<{ readonly repository: string; readonly sites: number }[]>;
  /** Keys of those of its origins whose branch `ref` waits to be synchronised, or is. */
  openSyncs(org: string, ref: string): Promise<string[]>;
  /** Changes by day since a time, the newest `limit` of them. */
  changes(org: string, since: string, limit: number): Promise<DayCount[]>;
  /** Ended syncs by day since a time. */
  syncs(org: string, since: string): Promise<(DayCount & { readonly failed: number })[]>;
  /** Sites behind `after` whose service look is older than `before`, or than their version or the last sync of their main branch. */
  due(org: string, page: { readonly before: string; readonly after: string; readonly limit: number }): Promise<string[]>;
  countDue(org: string, before: string): Promise<number>;
  /** Organizations that nobody checks at this moment and whose time has come, the one that waits longest first. */
  dueOrgs(now: string, leased: string, limit: number): Promise<string[]>;
  /** A page of the origins of code whose branch was synchronised since a time, each once. `next`: what the next page comes after, if there is one. */
  syncedOrigins(
    since: string,
    ref: string,
    page: { readonly after: string; readonly limit: number },
  ): Promise<{ readonly origins: readonly CodeOrigin[]; readonly next: string | undefined }>;
  /** Takes the round of an organization for oneself; undefined where somebody is at it. Unless it is finished it is due as if it had its turn now. */
  claimRound(lease: RoundLease, whole: boolean): Promise<CheckRound | undefined>;
  /** One that is under way goes through all sites before it ends; undefined where none is. */
  joinRound(org: string, leased: string): Promise<CheckRound | undefined>;
  /** False where the round is somebody else's by now. */
  saveRound(lease: RoundLease, progress: { readonly done: number; readonly total: number }): Promise<boolean>;
  /** Ends it until `due`; false where all sites were asked for meanwhile: then it begins again, as a whole one. */
  finishRound(lease: Pick<RoundLease, 'org' | 'owner'>, due: string): Promise<boolean>;
  /** Gives a round back that is not finished: whoever is next begins it again. */
  releaseRound(lease: Pick<RoundLease, 'org' | 'owner'>): Promise<void>;
  /** The one that is under way. */
  round(org: string, leased: string): Promise<CheckRound | undefined>;
}
