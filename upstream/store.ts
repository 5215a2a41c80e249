import { Patch } from '@repoless/contract/endpoint-parts.ts';
import { z } from 'zod';

/** One write through the bridge. The documents before and after contain no credentials. */
export const StoredChange = z.object({
  id: z.string(),
  /** When it was sent. */
  time: z.iso.datetime(),
  org: z.string(),
  /** `sites/de`, `profiles/base`, or empty: the organization itself. */
  subject: z.string(),
  /** The caller's name: an e-mail address, or `api-key:<id>`. */
  user: z.string(),
  /** The call of the contract, e.g. `POST /config/wknd/sites/de/access.json`. */
  call: z.string(),
  before: z.unknown(),
  after: z.unknown(),
  diff: Patch,
  /** Paths of what the contract does not define, before or after: its values are not stored, because they may be credentials. */
  unknown: z.array(z.string()).optional(),
  /** The version that the hosted service created, if known. */
  version: z.number().int().optional(),
  /** The version that it replaced. */
  previous: z.number().int().optional(),
  /** The vendor's support finds the request by it. */
  invocation: z.string().optional(),
  /** `stored`: as sent. `differs`: the hosted service stored something else. */
  outcome: z.enum(['stored', 'differs']),
});
export type StoredChange = z.infer<typeof StoredChange>;

/** A change as listed: without its documents, which a store need not list, nor retain forever. */
const ChangeFacts = StoredChange.omit({ before: true, after: true, diff: true });
export type ChangeFacts = z.infer<typeof ChangeFacts>;

/** What is stored, by kind, organization and identifier. */
export type StoredKind = 'change' | 'rollout' | 'check' | 'outside-check';

/** Stores what the hosted service does not. One table or folder holds everything; readers parse the values. */
export interface Store {
  /** Replaces an entry with the same identifier. */
  put(kind: StoredKind, org: string, id: string, value: object): Promise<void>;
  get(kind: StoredKind, org: string, id: string): Promise<unknown>;
  remove(kind: StoredKind, org: string, id: string): Promise<void>;
  /**
   * Sorted by identifier; those of changes and rollouts start with their time. `newest`: only this many of the last ones. Changes may come
   * without their documents.
   */
  list(kind: StoredKind, org: string, newest?: number): Promise<readonly unknown[]>;
  /** Absent: the log is derived from the changes, because files merged by git have no single order. */
  readonly trail?: Trail;
}

/** The audit trail of a store whose writers share one order: entries numbered from 1. */
export interface Trail {
  /** False if an entry with that number exists. */
  add(org: string, number: number, entry: object): Promise<boolean>;
  /** Entries after `after` and before `before`, the oldest first, or the newest. */
  between(org: string, range: TrailRange): Promise<readonly unknown[]>;
}

export interface TrailRange {
  readonly after: number;
  readonly before: number;
  readonly newestFirst: boolean;
  readonly limit: number;
}

/** An identifier that sorts by time. */
export function timedId(time: string, id: string): string {
  return `${time.replaceAll(/[:.]/g, '-')}-${id.slice(0, 8)}`;
}

export async function putChange(store: Store, change: StoredChange): Promise<void> {
  await store.put('change', change.org, timedId(change.time, change.id), change);
}

/** Changes that are read if not all are needed. */
const RECENT = 2000;

/** Changes of an organization, the oldest first. Skips entries that cannot be parsed. */
export async function changesOf(store: Store, org: string, newest?: number): Promise<ChangeFacts[]> {
  return (await store.list('change', org, newest)).flatMap((value) => ChangeFacts.safeParse(value).data ?? []);
}

/** Only the recent ones: used to find the last writer of a site and the author of a version. */
export async function recentChanges(store: Store, org: string): Promise<ChangeFacts[]> {
  return await changesOf(store, org, RECENT);
}

/** A listed change with its documents. Undefined if they are no longer stored. */
export async function changeWithDocuments(store: Store, { org, time, id }: ChangeFacts): Promise<StoredChange | undefined> {
  return StoredChange.safeParse(await store.get('change', org, timedId(time, id))).data;
}
