import type { DryRun } from '@repoless/contract/endpoint-parts.ts';
import type { CodeCheck } from '@repoless/contract/code-check.ts';
import type { CodeSource } from '@repoless/contract/code-source.ts';
import type { EdgeConfiguration } from '@repoless/contract/authoring.ts';
import type { Group } from '@repoless/contract/access.ts';
import type { JobStatus } from '@repoless/contract/job.ts';
import type { OrgUser, OwnOrgs } from '@repoless/contract/org.ts';
import type { Problem } from '@repoless/contract/errors.ts';
import type { Profile } from '@repoless/contract/session.ts';
import type { PublicConfig, Site } from '@repoless/contract/site.ts';
import type { SealedValue, SecretInfo } from '@repoless/contract/secret.ts';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { VersionEntry } from '@repoless/contract/history.ts';
import type { SiteConfigurations } from '../plan/desired-site.ts';
import type { BlockReason, Call } from '../plan/plan.ts';
import type { Dependents } from '../sites/organization-sites.ts';

/** Something that was asked for and did not come: why, in data that core/messages turns into a message. */
export interface Failure {
  readonly kind: 'refused' | 'unreachable' | 'timeout' | 'unexpected';
  readonly status?: number;
  readonly problem?: Problem;
  readonly message?: string;
  /** The system that answered, or didn't; the configuration service if omitted. */
  readonly system?: 'authoring' | 'host' | 'build-management';
  /** What this side found by itself; core/messages has the message. */
  readonly finding?: FailureFinding;
  /** Seconds after which a further attempt makes sense. */
  readonly retryAfter?: number;
}

/** The service does not know the caller (any more); what the authoring system refuses is another matter. */
export function isSignedOut({ problem }: Failure): boolean {
  return problem?.code === 'NOT_AUTHENTICATED' || problem?.code === 'TOKEN_REFUSED';
}

export type FailureFinding =
  | { readonly kind: 'changed-meanwhile' }
  /** Something was changed after the plan was shown, so that more would be written now than it showed. */
  | { readonly kind: 'plan-changed' }
  /** The service does not announce dry runs, or answered one as if it were a write. */
  | { readonly kind: 'no-dry-run'; readonly reason: 'not-announced' | 'ignored' }
  | { readonly kind: 'page-missing'; readonly page: string }
  /** An answer of another form than it should have. `about`: the path of the page, the host's address, or what is wrong where in it. */
  | { readonly kind: 'unread'; readonly from: 'authoring' | 'host' | 'service'; readonly about: string }
  /** The authoring system answered as if it had stored it, and has not. */
  | { readonly kind: 'not-written'; readonly address: string }
  /** A host does not serve what the service stores: nothing, or something else. */
  | { readonly kind: 'not-served'; readonly serves: 'nothing' | 'other' | 'not-yet'; readonly address: string }
  | { readonly kind: 'blocked'; readonly reason: BlockReason; readonly data: Readonly<Record<string, string>> };

export type Known<T> =
  { readonly state: 'known'; readonly value: T } | { readonly state: 'missing' } | { readonly state: 'failed'; readonly failure: Failure };

/** What a host answered to `GET /config.json`. */
export interface ConfigProbe {
  readonly address: string;
  readonly answer: Known<PublicConfig>;
  readonly status?: number;
}

/** A file that the editor or the delivery needs, asked for on the preview host or in the repository. */
export interface FileProbe {
  readonly path: string;
  readonly address: string;
  readonly status: number | 'unreachable';
}

/** An address of a site's host, read as a visitor or, where it is guarded, as the caller. */
export interface PageProbe {
  readonly address: string;
  readonly status: number | 'unreachable';
  /** What the content source answered to the service, where that is why. */
  readonly sourceStatus?: number;
  /** The sentence of the host. */
  readonly detail?: string;
}

/** A configuration page that was made by an apply, and what is at its path by now; `isFilled` only where an undo is asked for. */
export interface CreatedPage {
  readonly path: string;
  readonly page: Known<{ readonly path: string; readonly resourceType?: string; readonly isFilled?: boolean }>;
}

/** What an undo makes of a site that is there. `later`: what was saved since by anything but a setup. */
export type WayBack = { readonly later: readonly VersionEntry[] } & (
  | { readonly kind: 'remove' }
  /** A version comes back, and what is later is lost. */
  | { readonly kind: 'restore'; readonly version: VersionEntry; readonly document: Site }
  /** What the setup changed goes back to that version, and what is later stays. */
  | { readonly kind: 'merge'; readonly version: VersionEntry; readonly document: Site }
  /** No setup stored anything. */
  | { readonly kind: 'leave' }
);

/** What is to be known of a site before its setup is undone; never `missing`. */
export type Leaving = Exclude<
  Known<{
    readonly dependents?: Dependents;
    /** The organization's other sites are not shown to the caller, so it is unknown whether some depend on this one. */
    readonly isUnlisted?: true;
    readonly secrets: readonly string[];
    readonly apiKeys: readonly string[];
    /** Absent where the version to go back to is not stored any more. */
    readonly back?: WayBack;
  }>,
  { readonly state: 'missing' }
>;

export interface Target {
  readonly organization: string;
  readonly siteName: string;
}

/** Everything that plan and checks are made from; read afresh each time, never written. */
export interface Situation {
  readonly info: ServiceInfo;
  readonly settings: AuthoringSettings;
  readonly profile: Known<Profile>;
  /** The organizations that the caller may choose from, where the authoring system names none. */
  readonly organizations?: Known<OwnOrgs>;
  /** What a configuration that has to be made begins with: that of another site of the organization. */
  readonly baseConfiguration?: EdgeConfiguration;
  /** When it was read (ISO 8601). */
  readonly readAt?: string;
  /** The organization and site that were asked for. */
  readonly target?: Target;
  readonly organization: Known<{
    readonly name: string;
    readonly users?: readonly OrgUser[];
    readonly groups?: Readonly<Record<string, Group>> | undefined;
  }>;
  /** What the service says to a dry run of the claim, where the organization is not claimed. */
  readonly claim?: Known<unknown>;
  /** The service's site of that name over its profile, with its etag and current version number. */
  readonly site: Known<SiteConfigurations & { readonly etag: string; readonly version: number }>;
  /** The page that the site maps to `/`, where that is neither the site root nor a page below it: it is another page's site. */
  readonly otherRoot?: Known<{ readonly path: string }>;
  /** The code source of the organization's other sites, where this site is not registered. */
  readonly siblingCode?: CodeSource;
  /** Build management can be asked: a plan links a repository there itself. */
  readonly mayLink?: true;
  /** The secret of the external repository that the registered site holds, as far as it is told. */
  readonly secret?: Known<SecretInfo>;
  /** The latest code sync of the registered site's main branch. */
  readonly codeSync?: Known<JobStatus>;
  /** What the service says to a dry run that stores the site's access as it is; absent where lists show that the caller administers it. */
  readonly mayAdminister?: Known<unknown>;
  /** The version of the site that an undo would bring back. */
  readonly previousSite?: Known<Site>;
  /** The versions of the site since the record, the oldest first, where a setup is gone on with whose site was written since. */
  readonly siteSince?: readonly VersionEntry[];
  /** Absent where no undo was asked for, or no site is there. */
  readonly leaving?: Leaving;
  /** What the service says to the write that an undo would make (a dry run); absent where it was not asked for. */
  readonly undoDryRun?: { readonly call: Call; readonly answer: Known<DryRun> };
  /** What the service says to the write that the plan would make (a dry run). */
  readonly dryRun?: { readonly call: Call; readonly answer: Known<unknown> };
  readonly configurationPage: Known<{ readonly path: string; readonly resourceType?: string }>;
  /** The configuration pages that earlier applies made, as the record has them. */
  readonly createdPages?: readonly CreatedPage[];
  /** What the service finds at the code source that is chosen. */
  readonly repository?: Known<CodeCheck>;
  readonly preview?: ConfigProbe;
  readonly live?: ConfigProbe;
  /** The delivery address of the site root, as the technical account would see it (status of the answer). */
  readonly delivery?: FileProbe;
  readonly files: readonly FileProbe[];
  /** The content root's page and the configuration's rows on the preview host. */
  readonly page?: PageProbe;
  readonly sheet?: PageProbe;
}

/** Where a value that the panel shows was read. */
export type Source =
  | { readonly kind: 'page'; readonly path: string }
  | { readonly kind: 'inherited'; readonly from: string }
  | { readonly kind: 'configuration'; readonly path: string }
  | { readonly kind: 'delivery'; readonly address: string }
  | { readonly kind: 'derived' }
  | { readonly kind: 'missing' };

export interface Setting {
  /** Absent where nothing is set. */
  readonly value?: string;
  readonly source: Source;
}

/** What the author set in the authoring system for a site root, each value with its source. */
export interface AuthoringSettings {
  /** Scheme and host of the author. */
  readonly author: string;
  /** The page whose properties are open, and the root of its site. */
  readonly page: string;
  readonly siteRoot: string;
  readonly title?: string;
  readonly projectType: Setting;
  readonly organization: Setting;
  readonly siteName: Setting;
  readonly configurationPage: Setting;
  readonly technicalAccount: Setting;
  /** `admin.role.publish` of the sheet at the delivery address, where that can be read. */
  readonly publishAccount?: string;
  /** The `/conf/…` path in force (`cq:conf`), own or inherited. */
  readonly cloudConfiguration: Setting;
  readonly deliveryAddress: Setting;
  /** The page is a live copy of this one, where it is one: a locale. */
  readonly liveCopyOf?: string;
  /** The `/conf/…` path in force holds no Edge Delivery configuration yet. */
  readonly configurationMissing?: boolean;
  /** Where the site root gets a configuration, while it has none in force of its own. */
  readonly newConfiguration?: NewConfiguration;
  /** Whether the configuration that an apply made is still what it made. */
  readonly createdConfiguration?: 'as-made' | 'changed';
  /** The previous values (see Previous), if there is such a record. */
  readonly previous?: Previous;
}

/** A `/conf/…` path at which a configuration is to be, or is already while the page does not select it. */
export interface NewConfiguration {
  readonly path: string;
  /** The page has to select it. */
  readonly selects: boolean;
  /** `taken`: another site uses it, whose organization and name are `names`. */
  readonly state: 'none' | 'there' | 'taken';
  readonly names?: string;
}

/** The previous values, stored with the Edge Delivery configuration so that they can be restored. */
export interface Previous {
  readonly at: string;
  readonly by: string;
  /** The properties of the Edge Delivery configuration; null means that the property was absent. */
  readonly projectType: string | null;
  readonly organization: string | null;
  readonly siteName: string | null;
  /** Version of the service's site before, null where there was no site. */
  readonly siteVersion: number | null;
  /** The service site that was changed. */
  readonly org: string;
  readonly site: string;
  /** The configuration page was made by the apply, and is removed with it. */
  readonly configurationPageCreated: boolean;
  /** Their paths: a later apply may have made another. Absent in records that say no more than that there is one. */
  readonly configurationPages?: readonly string[] | undefined;
  /** The page had no configuration: this one was made for it (`created`: with these properties of another), and selected by it. */
  readonly configuration?: ConfigurationRecord | undefined;
}

export interface ConfigurationRecord {
  readonly created?: Readonly<Record<string, string | number | boolean>> | undefined;
  readonly selected: boolean;
}

/** What the person at the panel may decide or correct before the plan is applied. */
export interface Choices {
  readonly organization: string;
  readonly siteName: string;
  /** Absolute content path of the configuration page. */
  readonly configurationPage: string;
  readonly code: CodeChoice;
  /** The one-time secret of an external repository, pasted; absent where there is none to be stored. */
  readonly secret?: SealedValue;
  readonly administrators: readonly string[];
  readonly technicalAccount: string;
  /** Further mappings and includes that an existing site has are kept; these are the site root's own. */
  readonly mappings: readonly string[];
  /** Absent: there is no list, and everything is included. */
  readonly includes?: readonly string[];
}

export type CodeChoice =
  | { readonly type: 'github'; readonly owner: string; readonly repo: string }
  | {
      readonly type: 'byogit';
      readonly owner: string;
      readonly repo: string;
      readonly url: string;
      readonly rawUrl: string;
      readonly holdsSecret: boolean;
    };
