import { Patch } from '@repoless/contract/endpoint-parts.ts';
import { z } from 'zod';
import type { Trail } from './trail.ts';

/** What one write through the bridge changed. The documents before and after are without credentials. */
export const StoredChange = z.object({
  id: z.string(),
  /** When it was sent. */
  time: z.iso.datetime(),
  org: z.string(),
  /** `sites/de`, `profiles/base`, or empty: the organization itself. */
  subject: z.string(),
  /** What the caller is called: an e-mail address, or `api-key:<id>`. */
  user: z.string(),
  /** The call of the contract, e.g. `POST /config/wknd/sites/de/access.json`. */
  call: z.string(),
  before: z.unknown(),
  after: z.unknown(),
  diff: Patch,
  /** The version that the hosted service gave it, where it told. */
  version: z.number().int().optional(),
  /** The version that it replaced. */
  previous: z.number().int().optional(),
  /** By which the vendor's support finds the request. */
  invocation: z.string().optional(),
  /** `stored`: as it was sent. `differs`: the hosted service stored something else. */
  outcome: z.enum(['stored', 'differs']),
});
export type StoredChange = z.infer<typeof StoredChange>;

/** What is listed of a change: all but its documents, which a store need not list with it, nor keep for ever. */
const ChangeFacts = StoredChange.omit({ before: true, after: true, diff: true });
export type ChangeFacts = z.infer<typeof ChangeFacts>;

/** What is kept of a kind, by organization and identifier. */
export type StoredKind = 'change' | 'rollout' | 'check' | 'look';

/** Keeps what the hosted service does not. One table, or one folder, holds all of it; what a value is, its readers know. */
export interface Store {
  /** Replaces what has that identifier. */
  put(kind: StoredKind, org: string, id: string, value: object): Promise<void>;
  get(kind: StoredKind, org: string, id: string): Promise<unknown>;
  remove(kind: StoredKind, org: string, id: string): Promise<void>;
  /** In the order of their identifiers; those of changes and rollouts start with their time. `newest`: so many of the last ones. Of changes maybe without their documents. */
  list(kind: StoredKind, org: string, newest?: number): Promise<readonly unknown[]>;
  /** Absent: the log is made of the changes, for files that git merges have no one order. */
  readonly trail?: Trail;
}

/** An identifier that sorts by time. */
export function timedId(time: string, id: string): string {
  return `${time.replaceAll(/[:.]/g, '-')}-${id.slice(0, 8)}`;
}

export async function putChange(store: Store, change: StoredChange): Promise<void> {
  await store.put('change', change.org, timedId(change.time, change.id), change);
}

/** The changes that are read where not all are needed. */
const RECENT = 2000;

/** Of an organization, the oldest first. What cannot be read as a change is left out. */
export async function changesOf(store: Store, org: string, newest?: number): Promise<ChangeFacts[]> {
  return (await store.list('change', org, newest)).flatMap((value) => ChangeFacts.safeParse(value).data ?? []);
}

/** The same of late: who wrote a site last, and the author of a version, are found among these. */
export async function recentChanges(store: Store, org: string): Promise<ChangeFacts[]> {
  return await changesOf(store, org, RECENT);
}

/** A change that was listed, with its documents. Undefined where they are kept no more. */
export async function wholeChange(store: Store, { org, time, id }: ChangeFacts): Promise<StoredChange | undefined> {
  return StoredChange.safeParse(await store.get('change', org, timedId(time, id))).data;
}
