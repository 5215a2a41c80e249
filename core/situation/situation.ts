import type { DryRun } from '@repoless/contract/endpoint-parts.ts';
import type { CodeCheck } from '@repoless/contract/code-check.ts';
import type { CodeSource } from '@repoless/contract/code-source.ts';
import type { EdgeConfiguration } from '@repoless/contract/authoring.ts';
import type { Group } from '@repoless/contract/access.ts';
import type { JobStatus } from '@repoless/contract/job.ts';
import type { OrgUser, OwnOrgs } from '@repoless/contract/org.ts';
import type { Profile } from '@repoless/contract/session.ts';
import type { PublicConfig, Site } from '@repoless/contract/site.ts';
import type { SealedValue, SecretInfo } from '@repoless/contract/secret.ts';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { VersionEntry } from '@repoless/contract/history.ts';
import type { Dependents } from '../sites/organization-sites.ts';
import type { Call, Known } from './call.ts';
import type { CodeChoice } from './code-choice.ts';

export interface ConfigProbe {
  readonly address: string;
  readonly answer: Known<PublicConfig>;
  readonly status?: number;
}

/** A file that the editor or the delivery requires, read on the preview host or in the repository. */
export interface FileProbe {
  readonly path: string;
  readonly address: string;
  readonly status: number | 'unreachable';
}

/** An address of a site's host, read as a visitor or, if it is guarded, as the caller. */
export interface PageProbe {
  readonly address: string;
  readonly status: number | 'unreachable';
  /** The content source's answer to the service, if that is the cause. */
  readonly sourceStatus?: number;
  readonly says?: string;
}

/** A configuration page created by an apply, and what is at its path now; `isFilled` is set only for an undo. */
export interface CreatedPage {
  readonly path: string;
  readonly page: Known<{ readonly path: string; readonly resourceType?: string; readonly isFilled?: boolean; readonly createdBy?: string }>;
}

/** The effect of an undo on an existing site. `later`: versions stored since by anything but a setup. */
export type UndoEffect = { readonly later: readonly VersionEntry[] } & (
  | { readonly kind: 'remove' }
  /** A version is restored, and later changes are lost. */
  | { readonly kind: 'restore'; readonly version: VersionEntry; readonly document: Site }
  /** The setup's changes are reverted to that version, and later changes stay. */
  | { readonly kind: 'merge'; readonly version: VersionEntry; readonly document: Site }
  /** No setup stored anything. */
  | { readonly kind: 'leave' }
);

/** What to know about a site before its setup is undone; never `missing`. */
export type UndoFacts = Exclude<
  Known<{
    readonly dependents?: Dependents;
    /** The caller may not list the organization's other sites, so it is unknown whether some depend on this one. */
    readonly isUnlisted?: true;
    readonly secrets: readonly string[];
    readonly apiKeys: readonly string[];
    /** Absent if the version to restore is no longer stored. */
    readonly back?: UndoEffect;
  }>,
  { readonly state: 'missing' }
>;

/** A site as stored, and its effective configuration, merged over its profile (docs/contract.md 3.12). */
export interface SiteConfigurations {
  /** The effective configuration. Used for everything that is evaluated, compared and verified. */
  readonly config: Site;
  /** The stored configuration. Everything is written to it. */
  readonly own: Site;
}

export interface Target {
  readonly organization: string;
  readonly siteName: string;
}

/** Everything from which plan and checks are derived; read again each time, never modified. */
export interface Situation {
  readonly info: ServiceInfo;
  readonly settings: AuthoringSettings;
  readonly profile: Known<Profile>;
  /** The organizations that the caller can choose from, if the authoring system names none. */
  readonly organizations?: Known<OwnOrgs>;
  /** The configuration of another site of the organization, from which a new one is created. */
  readonly baseConfiguration?: EdgeConfiguration;
  readonly readAt?: string;
  readonly target?: Target;
  readonly organization: Known<{
    readonly name: string;
    readonly users?: readonly OrgUser[];
    readonly groups?: Readonly<Record<string, Group>> | undefined;
  }>;
  /** The service's answer to a dry run of the claim, if the organization is not claimed. */
  readonly claim?: Known<unknown>;
  /** The service's site of that name, own and effective, with its etag and current version number. */
  readonly site: Known<SiteConfigurations & { readonly etag: string; readonly version: number }>;
  /** The page that the site maps to `/`, if that is neither the site root nor a page below it: the site belongs to another page. */
  readonly otherRoot?: Known<{ readonly path: string }>;
  /** The code source of the organization's other sites, if this site is not registered. */
  readonly siblingCode?: CodeSource;
  /** Build management can be called: a plan links a repository there itself. */
  readonly mayLink?: true;
  /** The public view of the external repository's secret, if the registered site holds it. */
  readonly secret?: Known<SecretInfo>;
  /** The latest code sync of the registered site's main branch. */
  readonly codeSync?: Known<JobStatus>;
  /** The service's answer to a dry run that stores the site's access unchanged; absent if lists show that the caller administers it. */
  readonly mayAdminister?: Known<unknown>;
  /** The version of the site that an undo would restore. */
  readonly previousSite?: Known<Site>;
  /** The versions of the site since the record, oldest first, if setup is continued and the site was written since. */
  readonly siteSince?: readonly VersionEntry[];
  /** Absent if no undo was requested, or there is no site. */
  readonly undoFacts?: UndoFacts;
  /** The service's answer to a dry run of the undo's write; absent if no undo was requested. */
  readonly undoDryRun?: { readonly call: Call; readonly answer: Known<DryRun> };
  /** The service's answer to a dry run of the plan's write. */
  readonly dryRun?: { readonly call: Call; readonly answer: Known<unknown> };
  readonly configurationPage: Known<{ readonly path: string; readonly resourceType?: string }>;
  /** Pages that someone else created while a run was about to: its record must not name them as its own. */
  readonly pagesOfOthers?: readonly string[];
  /** The configuration pages that earlier applies created, from the record. */
  readonly createdPages?: readonly CreatedPage[];
  readonly repository?: Known<CodeCheck>;
  readonly preview?: ConfigProbe;
  readonly live?: ConfigProbe;
  /** The delivery address of the site root as the technical account would see it (status of the answer). */
  readonly delivery?: FileProbe;
  readonly files: readonly FileProbe[];
  /** The content root's page and the configuration's rows on the preview host. */
  readonly page?: PageProbe;
  readonly sheet?: PageProbe;
}

export type Source =
  | { readonly kind: 'page'; readonly path: string }
  | { readonly kind: 'inherited'; readonly from: string }
  | { readonly kind: 'configuration'; readonly path: string }
  | { readonly kind: 'delivery'; readonly address: string }
  | { readonly kind: 'derived' }
  | { readonly kind: 'missing' };

export interface Setting {
  readonly value?: string;
  readonly source: Source;
}

/** The author's settings in the authoring system for a site root, each value with its source. */
export interface AuthoringSettings {
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
  /** `admin.role.publish` of the sheet at the delivery address, if it can be read. */
  readonly publishAccount?: string;
  /** The effective `/conf/…` path (`cq:conf`), own or inherited. */
  readonly cloudConfiguration: Setting;
  readonly deliveryAddress: Setting;
  /** The page that this one is a live copy of, if it is one: a locale. */
  readonly liveCopyOf?: string;
  /** The effective `/conf/…` path contains no Edge Delivery configuration yet. */
  readonly configurationMissing?: boolean;
  /** The future configuration of a site root without an effective one. */
  readonly newConfiguration?: NewConfiguration;
  /** Who has locked the site's own configuration in the authoring system. */
  readonly configurationLockedBy?: string;
  /** Whether the configuration that an apply created is unchanged. */
  readonly createdConfiguration?: 'as-made' | 'changed';
  /** The previous values (see Previous), if there is such a record. */
  readonly previous?: Previous;
}

/** A `/conf/…` path for a configuration that will be created, or exists but is not selected by the page. */
export interface NewConfiguration {
  readonly path: string;
  readonly selects: boolean;
  /** `taken`: another site uses it; `names` are its organization and name. */
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
  /** Previous version of the service's site; null if there was no site. */
  readonly siteVersion: number | null;
  readonly org: string;
  readonly site: string;
  /** The configuration page was created by the apply, and is removed by its undo. */
  readonly configurationPageCreated: boolean;
  /** Their paths: a later apply may have created another one. Absent in records that only say that there is one. */
  readonly configurationPages?: readonly string[] | undefined;
  /** The page had no configuration: this one was created for it (`created`: with these properties of another), or only selected. */
  readonly configuration?: ConfigurationRecord | undefined;
}

export interface ConfigurationRecord {
  readonly created?: Readonly<Record<string, string | number | boolean>> | undefined;
  readonly selected: boolean;
}

/** What the person at the panel can decide or correct before the plan is applied. */
export interface Choices {
  readonly organization: string;
  readonly siteName: string;
  readonly configurationPage: string;
  readonly code: CodeChoice;
  /** The one-time secret of an external repository, pasted; absent if none is to be stored. */
  readonly secret?: SealedValue;
  readonly administrators: readonly string[];
  readonly technicalAccount: string;
  /** The site root's own mappings and includes; further ones of an existing site are preserved. */
  readonly mappings: readonly string[];
  /** Absent if there is no list, and everything is included. */
  readonly includes?: readonly string[];
}
