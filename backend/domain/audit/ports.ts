import type { AnchorTrust, Seal, TrailAnchor } from './trail-keys.ts';

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
