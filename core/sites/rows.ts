import type { HostDomains } from '@repoless/contract/addresses.ts';
import type { CodeSource } from '@repoless/contract/code-source.ts';
import type { AdminAccess } from '@repoless/contract/access.ts';
import type { EdgeConfiguration } from '@repoless/contract/authoring.ts';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { ContentSource, Site } from '@repoless/contract/site.ts';
import type { Call } from '../plan/plan.ts';
import type { Failure } from '../situation/situation.ts';
import type { AccountMismatch, Environment } from './environments.ts';
import type { PlannedStep } from './plan-row.ts';

/** One site to be: a row of the review table, every value editable. */
export interface SiteRow {
  /** Identifies the row while its values are edited: the page it was proposed for, or the entry of a file. */
  readonly id: string;
  readonly title?: string;
  readonly siteName: string;
  /** Content path of the site's root, without a trailing slash. */
  readonly contentRoot: string;
  /** All mappings, that of the configuration page included. */
  readonly mappings: readonly string[];
  /** Absent: the row has no list. That of a site stays where its batch keeps what is there, unless `givesUpIncludes`. */
  readonly includes?: readonly string[];
  /** Somebody emptied the list: one that the site has is given up, and everything is included. */
  readonly givesUpIncludes?: boolean;
  /** What an older project or a file of sites says besides. Absent: what a site that is there has stays. */
  readonly excludes?: readonly string[];
  readonly suffix?: string;
  readonly overlay?: ContentSource['overlay'];
  readonly folders?: Site['folders'];
  /** Absent: the site gets no configuration page. */
  readonly configurationPage?: string;
  /** The site's own `/conf/<root>/<locale>`; absent: the authoring system is not touched. */
  readonly cloudConfiguration?: string;
  readonly technicalAccount: string;
  /** Where this row differs from what the batch says for all. */
  readonly author?: string;
  readonly code?: CodeSource;
  readonly access?: AdminAccess;
  /** A site of this name that has other content gets that of the row: somebody confirmed it. Refused without it. */
  readonly replacesContent?: boolean;
  /** The site is there already and moves here from another author, with all that it has. */
  readonly move?: RowMove;
}

/** Where a site that moves comes from. */
export interface RowMove {
  /** Scheme and host of the author that delivered its content. */
  readonly from: string;
  /** Its content root there. */
  readonly root: string;
  /** The technical account of that author, in whose place the row's comes; absent: it stays beside the row's. */
  readonly account?: string;
  readonly paths: readonly PathChange[];
  /** Who may publish by the site's profile, where the site names nobody: a list of its own takes the place of that. */
  readonly publishers?: readonly string[];
  /** The site's own Edge Delivery configuration there, after which one is made here. */
  readonly configuration?: EdgeConfiguration;
}

/** Content below `from` is below `to` in the other environment. Neither ends with a slash. */
export interface PathChange {
  readonly from: string;
  readonly to: string;
}

/** What all rows have in common. */
export interface Batch {
  readonly organization: string;
  /** Scheme and host of the author that delivers the content. */
  readonly author: string;
  /** The base site's code source, untouched but for a secret, which only the base site may name. */
  readonly code: CodeSource;
  /** Administrators and further roles; the row's technical account is added to `config_admin`. */
  readonly access: AdminAccess;
  readonly info: ServiceInfo;
  /** Whether mappings, includes and members that a site has beyond its row stay. A declarative file says all there is. */
  readonly further: 'keep' | 'remove';
  /** What is known of the authors and their technical accounts; an account that is another author's is refused. */
  readonly environments?: readonly Environment[];
  /** The `/conf` path whose Edge Delivery configuration new ones begin with. */
  readonly baseConfiguration?: string;
}

/** The cells of a row, as errors name them. */
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

/** Something wrong with a row, at a cell; `row` where it is about the whole. */
export interface CellProblem {
  readonly cell: Cell | 'row';
  /** Position in a list cell. */
  readonly index?: number;
  readonly says: CellSays;
}

export type CellSays =
  /** The contract's or the service's own sentence. */
  | { readonly kind: 'sentence'; readonly sentence: string; readonly failure?: Failure }
  /** The service refused, or did not respond, without a problem document. */
  | { readonly kind: 'failure'; readonly failure: Failure }
  /** Two rows say the same where each needs its own; `other` is the id of the first. */
  | { readonly kind: 'twice'; readonly value: string; readonly other: string }
  /** The service has a site of this name for another content root. */
  | { readonly kind: 'name-taken'; readonly site: string; readonly root: string }
  | { readonly kind: 'not-proxied'; readonly value: string }
  | { readonly kind: 'account-mismatch'; readonly data: AccountMismatch['data'] }
  /** The run would end at this. */
  | { readonly kind: 'problem'; readonly problem: RowProblem };

/** What is done for a row, in the safe order. */
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

/** The move did not get through, and the site is not where it was. */
export type NotRevertedReason =
  /** It was not put back, and has its content from the new environment. */
  | 'left-moved'
  /** The same, because somebody else changed meanwhile what the move had written. */
  | 'left-moved-changed'
  /** The service does not say whether it arrived. */
  | 'left-unknown';

export type RowReason =
  | NotRevertedReason
  /** The page was moved or deleted meanwhile. */
  | 'page-missing'
  /** A site of this name has another content root. */
  | 'name-taken'
  | 'content-root-taken'
  /** A site that is to move is not registered. */
  | 'site-missing'
  /** A site that is to move has its content from somewhere else than was said. */
  | 'content-elsewhere'
  /** The environment that a site is to move to has no such page. */
  | 'page-not-there'
  /** The cloud configuration there is another site's. */
  | 'configuration-taken'
  | 'not-authorized'
  | 'configuration-page-type'
  /** There is nothing that the configuration page could be made below. */
  | 'configuration-page-parent'
  /** The authoring system would make the configuration page under another name. */
  | 'configuration-page-name'
  /** Somebody else has the page locked in the authoring system. */
  | 'locked'
  /** The caller may not write there in the authoring system. */
  | 'not-writable'
  /** The cloud configuration is the base site's. */
  | 'configuration-shared'
  /** The technical account is that of another environment. */
  | 'account-mismatch'
  | 'not-verified'
  /** Its gate does not hold; the failure's finding says why. */
  | 'not-ready'
  | 'changed-meanwhile'
  /** It would write what its review did not show. */
  | 'unreviewed'
  /** The site was not removed, and its page could not select its configuration again. */
  | 'page-left-inheriting'
  /** A removed site is not restored: somebody has created another one of its name. */
  | 'made-anew'
  | 'refused'
  | 'unreachable'
  /** The service or the authoring system does not accept the caller's sign-in any more. */
  | 'signed-out';

export interface RowProblem {
  readonly step: RowStep;
  readonly reason: RowReason;
  /** For the sentence, e.g. `site` that has the content root. */
  readonly data: Readonly<Record<string, string>>;
  /** The parts of the site that somebody changed since its review. */
  readonly parts?: readonly string[];
  readonly failure?: Failure;
  /** Why the row did not get through, where its end is worse than that. */
  readonly after?: RowProblem;
}

/** How far a row is. */
export type RowStatus =
  | { readonly state: 'waiting' }
  | { readonly state: 'running'; readonly step: RowStep; readonly attempt?: number }
  | { readonly state: 'done'; readonly outcome: 'created' | 'changed' | 'unchanged' }
  | { readonly state: 'failed'; readonly problem: RowProblem }
  /** `begun`: something was written for it already. */
  | { readonly state: 'stopped'; readonly begun?: true };

/** What became of a row. `calls` are those that were made, reads left out. */
export interface RowResult {
  readonly row: SiteRow;
  readonly status: RowStatus;
  readonly calls: readonly Call[];
  /** The steps that were taken and not taken back, in their order: what an undo of the run needs. */
  readonly taken?: readonly PlannedStep[];
}

export interface RowsProgress {
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly running: number;
  /** Of those done: that needed no write. */
  readonly unchanged: number;
  /** Estimate from what the rows so far took; absent until one is done. */
  readonly secondsLeft?: number;
  /** The service asked to wait: nothing is sent for so many seconds. */
  readonly pausedSeconds?: number;
}

export function hostDomains(info: Pick<ServiceInfo, 'protocol' | 'previewDomain' | 'liveDomain'>): HostDomains {
  return { protocol: info.protocol, preview: info.previewDomain, live: info.liveDomain };
}
