import type { ChainedEntry } from './chain.ts';

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

/** An entry as it is read: `id` grows with time and is the cursor of pages; `hash` is its link in the chain. */
export interface StoredAuditEntry extends AuditEntry {
  readonly id: number;
  readonly hash: string;
}

/** An entry with all that its hash is of; whether that fits is to be found out. */
export interface LinkedEntry extends ChainedEntry {
  readonly hash: string;
}

/** The end of an organization's audit trail as it is noted apart from the entries. */
export interface AuditHead {
  readonly entries: number;
  readonly hash: string;
  /** Numbers of entries that stand outside the chain: there should be none. */
  readonly unchained: readonly number[];
}
