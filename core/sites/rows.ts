import type { CodeSource } from '@repoless/contract/code-source.ts';
import type { AdminAccess } from '@repoless/contract/access.ts';
import type { EdgeConfiguration } from '@repoless/contract/authoring.ts';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { ContentSource, Site } from '@repoless/contract/site.ts';
import type { Step } from '../plan/plan.ts';
import type { Call, Failure, ObstacleReason } from '../situation/call.ts';
import type { AccountMismatch, Environment } from './environments.ts';

/** A planned site: a row of the review table, with every value editable. */
export interface SiteRow {
  /** Identifies the row while its values are edited: the page it was proposed for, or the entry of a file. */
  readonly id: string;
  readonly title?: string;
  readonly siteName: string;
  /** Content path of the site's root, without a trailing slash. */
  readonly contentRoot: string;
  /** All mappings, including that of the configuration page. */
  readonly mappings: readonly string[];
  /** Absent if the row has no list. An existing site's list stays if the batch preserves further values, unless `givesUpIncludes`. */
  readonly includes?: readonly string[];
  /** Someone emptied the list: the site's own list is removed, and everything is included. */
  readonly givesUpIncludes?: boolean;
  /** Further values from an older project or a file of sites. If absent, those of an existing site stay. */
  readonly excludes?: readonly string[];
  readonly suffix?: string;
  readonly overlay?: ContentSource['overlay'];
  readonly folders?: Site['folders'];
  /** Absent if the site gets no configuration page. */
  readonly configurationPage?: string;
  /** The site's own `/conf/<root>/<locale>`; absent if the authoring system is left alone. */
  readonly cloudConfiguration?: string;
  readonly technicalAccount: string;
  /** Values of this row that override those of the batch. */
  readonly author?: string;
  readonly code?: CodeSource;
  readonly access?: AdminAccess;
  /** Someone confirmed that an existing site of this name with other content gets the row's content. Refused without it. */
  readonly replacesContent?: boolean;
  /** The site exists and moves here from another author, with everything it has. */
  readonly move?: RowMove;
}

export interface RowMove {
  readonly from: string;
  readonly root: string;
  /** The technical account of that author, which the row's account replaces; if absent, both stay. */
  readonly account?: string;
  readonly paths: readonly PathChange[];
  /** The accounts that may publish through the site's profile, if the site names none: its own list replaces that one. */
  readonly publishers?: readonly string[];
  /** The site's own Edge Delivery configuration there, from which one is created here. */
  readonly configuration?: EdgeConfiguration;
}

/** Content below `from` is below `to` in the other environment. Neither ends with a slash. */
export interface PathChange {
  readonly from: string;
  readonly to: string;
}

export interface Batch {
  readonly organization: string;
  readonly author: string;
  /** The base site's code source, unchanged except for a secret, which only the base site may name. */
  readonly code: CodeSource;
  /** Administrators and further roles; the row's technical account is added to `config_admin`. */
  readonly access: AdminAccess;
  readonly info: ServiceInfo;
  /** Whether mappings, includes and members that a site has in addition to its row stay. A declarative file is complete. */
  readonly further: 'keep' | 'remove';
  /** Known authors and their technical accounts; an account of another author is refused. */
  readonly environments?: readonly Environment[];
  /** The `/conf` path of the Edge Delivery configuration from which new ones are created. */
  readonly baseConfiguration?: string;
}

export type Cell =
  | 'siteName'
  | 'contentRoot'
  | 'mappings'
  | 'includes'
  | 'excludes'
  | 'suffix'
  | 'overlay'
  | 'folders'
  | 'configurationPage'
  | 'cloudConfiguration'
  | 'technicalAccount'
  | 'code'
  | 'access';

/** A problem of a row, at a cell; `row` if it is about the whole row. */
export interface CellProblem {
  readonly cell: Cell | 'row';
  readonly index?: number;
  readonly message: CellMessage;
}

export type CellMessage =
  /** The contract's or the service's own sentence. */
  | { readonly kind: 'sentence'; readonly sentence: string; readonly failure?: Failure }
  /** The service refused, or did not respond, without a problem document. */
  | { readonly kind: 'failure'; readonly failure: Failure }
  /** Two rows have the same value where each needs its own; `other` is the ID of the first. */
  | { readonly kind: 'twice'; readonly value: string; readonly other: string }
  /** The service has a site of this name for another content root. */
  | { readonly kind: 'name-taken'; readonly site: string; readonly root: string }
  | { readonly kind: 'not-proxied'; readonly value: string }
  | { readonly kind: 'account-mismatch'; readonly data: AccountMismatch['data'] }
  /** The run would fail with this. */
  | { readonly kind: 'problem'; readonly problem: RowProblem };

export const ROW_STEPS = [
  'read',
  'repository',
  'register-site',
  'configuration-page',
  'code',
  'verify',
  'cloud-configuration',
  'switch',
  'pages',
] as const;
export type RowStep = (typeof ROW_STEPS)[number];

export type PlannedStep = Step<Exclude<RowStep, 'read'>>;

/** The move failed, and the site is not in its old environment. */
export type NotRevertedReason =
  /** It was not reverted, and has its content from the new environment. */
  | 'left-moved'
  /** The same, because someone else changed what the move had written. */
  | 'left-moved-changed'
  /** The service does not say whether it moved. */
  | 'left-unknown';

export type RowReason =
  | NotRevertedReason
  /** The page was moved or deleted in the meantime. */
  | 'page-missing'
  /** A site of this name has another content root. */
  | 'name-taken'
  | 'content-root-taken'
  /** A site to be moved is not registered. */
  | 'site-missing'
  /** A site to be moved has its content from another author than stated. */
  | 'content-elsewhere'
  /** The target environment of a move has no such page. */
  | 'page-not-there'
  /** The cloud configuration there belongs to another site. */
  | 'configuration-taken'
  | 'not-authorized'
  /** A write to the authoring system would fail. */
  | ObstacleReason
  /** The cloud configuration belongs to the base site. */
  | 'configuration-shared'
  /** The technical account belongs to another environment. */
  | 'account-mismatch'
  | 'not-verified'
  /** Its gate fails; the failure's finding says why. */
  | 'not-ready'
  | 'changed-meanwhile'
  /** It would write something that its review did not show. */
  | 'unreviewed'
  /** The site was not removed, and its page could not select its configuration again. */
  | 'page-left-inheriting'
  /** A removed site is not restored, because someone has created another one with its name. */
  | 'made-anew'
  | 'refused'
  | 'unreachable'
  /** The service or the authoring system no longer accepts the caller's sign-in. */
  | 'signed-out';

export interface RowProblem {
  readonly step: RowStep;
  readonly reason: RowReason;
  /** For the message, e.g. the `site` that has the content root. */
  readonly data: Readonly<Record<string, string>>;
  /** The parts of the site that someone changed since its review. */
  readonly parts?: readonly string[];
  readonly failure?: Failure;
  /** The original problem of the row, if its end is worse than that. */
  readonly after?: RowProblem;
}

export type RowStatus =
  | { readonly state: 'waiting' }
  | { readonly state: 'running'; readonly step: RowStep; readonly attempt?: number }
  | { readonly state: 'done'; readonly outcome: 'created' | 'changed' | 'unchanged' }
  | { readonly state: 'failed'; readonly problem: RowProblem }
  /** `started`: something was already written for it; `unverified`: everything was, and only its verification is missing. */
  | { readonly state: 'stopped'; readonly started?: true; readonly unverified?: true };

/** The result of a row. `calls` are those that were made, except reads. */
export interface RowResult {
  readonly row: SiteRow;
  readonly status: RowStatus;
  readonly calls: readonly Call[];
  /** The steps that were taken and not reverted, in their order: what an undo of the run needs. */
  readonly steps?: readonly PlannedStep[];
}

export interface RowsProgress {
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly running: number;
  /** Those of the completed rows that needed no write. */
  readonly unchanged: number;
  /** Estimated from the rows so far; absent until one is done. */
  readonly secondsLeft?: number;
  /** The service asked to wait: nothing is sent for so many seconds. */
  readonly pausedSeconds?: number;
}
