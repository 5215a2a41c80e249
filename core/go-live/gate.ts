import { siteAddress } from '@repoless/contract/addresses.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { BlockReason, StepState } from '../plan/plan.ts';
import type { CodeChoice } from '../situation/settings.ts';
import type { Failure } from '../situation/situation.ts';

/** What a site must have before its switch: one for the panel, for many sites and for the command line. */
export interface Gate {
  readonly info: Pick<ServiceInfo, 'protocol' | 'previewDomain' | 'liveDomain'>;
  readonly organization: string;
  readonly siteName: string;
  readonly code: CodeChoice;
  /** The account that shall publish; `''` where none is named. */
  readonly technicalAccount: string;
  /** The account that this authoring environment shows as its own. */
  readonly ownAccount?: string | undefined;
  /** `admin.role.publish` of the sheet at the delivery address, where that can be read. */
  readonly publishAccount?: string | undefined;
}

/** What was asked and what came back. */
export interface Evidence {
  readonly request: string;
  readonly answer: string;
}

/** The status of a part of the gate. `verify`: not known yet, because an earlier step is still open; a check at its turn never has this status. */
export interface Standing {
  readonly state: Extract<StepState, { kind: 'done' | 'verify' | 'blocked' }>;
  readonly evidence?: Evidence;
}

export function done(evidence?: Evidence): Standing {
  return { state: { kind: 'done' }, ...(evidence === undefined ? {} : { evidence }) };
}

export function open(evidence?: Evidence): Standing {
  return { state: { kind: 'verify' }, ...(evidence === undefined ? {} : { evidence }) };
}

export function blocks(reason: BlockReason, data: Readonly<Record<string, string>>, evidence?: Evidence, failure?: Failure): Standing {
  const state = { kind: 'blocked', reason, data, ...(failure === undefined ? {} : { failure }) } as const;
  return { state, ...(evidence === undefined ? {} : { evidence }) };
}

export function previewOf({ info, organization, siteName }: Place): string {
  const { protocol, previewDomain: preview, liveDomain: live } = info;
  return siteAddress({ protocol, preview, live }, 'preview', { ref: DEFAULT_REF, site: siteName, org: organization });
}

/** Where a site is served. */
export type Place = Pick<Gate, 'info' | 'organization' | 'siteName'>;

export function repositoryData({ organization, code }: Pick<Gate, 'organization' | 'code'>): Record<string, string> {
  return { organization, owner: code.owner, repo: code.repo, source: code.type };
}
