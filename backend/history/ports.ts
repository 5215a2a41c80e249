/** What has a history of numbered versions. */
export type Subject =
  | { readonly kind: 'org'; readonly org: string }
  | { readonly kind: 'profile'; readonly org: string; readonly profile: string }
  | { readonly kind: 'site'; readonly org: string; readonly site: string };

export interface VersionEntry {
  readonly version: number;
  readonly created: Date;
  readonly name?: string;
  readonly user?: string;
  /** The version that was restored with this one. */
  readonly restoredFrom?: number;
}

export interface VersionData extends VersionEntry {
  /** The document as stored then; null records the deletion. Readers parse it. */
  readonly data: Readonly<Record<string, unknown>> | null;
}

export interface VersionWrite extends VersionData {
  readonly subject: Subject;
  /** Versions up to this number are deleted, except named ones; absent: none. */
  readonly removedUpTo?: number;
}

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

/** An entry as read: `id` grows with time and is the cursor of pages; `hash` is its link in the chain. */
export interface StoredAuditEntry extends AuditEntry {
  readonly id: number;
  readonly hash: string;
}

/** The stored content of an audit entry, and its position in the chain of its organization. */
export interface ChainedEntry {
  readonly id: number;
  readonly org: string;
  /** From 1. */
  readonly seq: number;
  readonly site: string | null;
  readonly time: string;
  readonly user: string;
  readonly action: string;
  readonly requestId: string;
  readonly from: number | null;
  readonly to: number | null;
  /** The hash of the entry before; empty for the first. */
  readonly previous: string;
}

/** An entry with everything that its hash covers, not verified yet. */
export interface LinkedEntry extends ChainedEntry {
  readonly hash: string;
}

/** The end of an organization's audit trail, stored separately from the entries. */
export interface AuditHead {
  readonly entries: number;
  readonly hash: string;
  /** Numbers of entries outside of the chain: there should be none. */
  readonly unchained: readonly number[];
}

export interface HistoryReads {
  /** Newest first, without their data: at most `limit`, with numbers below `before`, if given. */
  versions(subject: Subject, page?: { before?: number; limit?: number }): Promise<VersionEntry[]>;
  version(subject: Subject, version: number): Promise<VersionData | undefined>;
  /** The highest version number of a subject, 0 if there is none (deleted ones keep their numbers). */
  latestVersion(subject: Subject): Promise<number>;
  /** Newest first, at most `limit`: of a site, since a time, with ids below `before`, if given. */
  audits(org: string, filter: { site?: string; since?: Date; before?: number; limit: number }): Promise<StoredAuditEntry[]>;
  /** Of a site between two times, inclusive: newest first, at most `limit`, with ids below `before` if given. */
  siteAudits(org: string, site: string, page: { since: Date; until: Date; before?: number; limit: number }): Promise<StoredAuditEntry[]>;
  auditHead(org: string): Promise<AuditHead>;
  /** In the order of the chain, after the number `after`. */
  auditChain(org: string, page: { readonly after: number; readonly limit: number }): Promise<LinkedEntry[]>;
}

export interface HistoryWrites {
  /** Names a version (undefined: removes the name). */
  nameVersion(subject: Subject, version: number, name: string | undefined): Promise<void>;
  deleteVersion(subject: Subject, version: number): Promise<void>;
  addVersion(version: VersionWrite): Promise<void>;
  addAudit(entry: AuditEntry): Promise<void>;
}
