import type { ChainedEntry } from './chain.ts';
import type { AnchorTrust, Seal, SealedEnd, SealTrust, TrailAnchor } from './trail-keys.ts';

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

/** The newest seal of an audit trail, and what it is worth. */
export interface AuditSeal extends SealedEnd {
  readonly trust: SealTrust;
}

/** What an audit trail begins behind, and what that is worth. */
export interface AuditAnchor extends TrailAnchor {
  /** The name of the key that sealed it. */
  readonly key: string;
  readonly trust: AnchorTrust;
}

/** Audit trails as a whole. Their entries are written with what they tell of (`Writes.addAudit`). */
export interface TrailStore {
  /** The organizations that have one, in the order of their names: at most `limit` behind `after`. */
  orgs(page: { readonly after: string; readonly limit: number }): Promise<string[]>;
  /** Removes the entries up to an anchor and keeps it in their place, both at once. One that lies before that which is there changes nothing. */
  removeUpTo(anchor: TrailAnchor, seal: Seal): Promise<void>;
}
