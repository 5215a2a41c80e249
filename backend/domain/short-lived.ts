import { LIMITS } from '@repoless/contract/limits.ts';
import type { Context } from './context.ts';
import { Refusal } from '@repoless/contract/refusal.ts';

/** Entries that expire: device authorizations, challenges, revoked tokens. */
export interface ShortLived {
  put(kind: ShortLivedKind, key: string, value: unknown, expires: Date): Promise<void>;
  /** The same value for each of these keys, in one step. Not for what nodes cache. */
  putAll(kind: Exclude<ShortLivedKind, 'revoked-token'>, keys: readonly string[], value: unknown, expires: Date): Promise<void>;
  /** False if one exists already: of two concurrent calls, one succeeds. */
  add(kind: ShortLivedKind, key: string, value: unknown, expires: Date): Promise<boolean>;
  /** Those whose keys start with the prefix. */
  list(kind: ShortLivedKind, prefix: string): Promise<unknown[]>;
  /** How many there are, without expired ones. */
  count(kind: ShortLivedKind): Promise<number>;
  /** Undefined once expired. */
  get(kind: ShortLivedKind, key: string): Promise<unknown>;
  /** Deletes all but this many of those whose keys start with the prefix, those that expire first before the others. */
  keepLatest(kind: ShortLivedKind, most: number, prefix?: string): Promise<void>;
  /**
   * Evicts a hundred entries, first those followed by the most later ones of the same share, so that the largest share loses its own. Takes
   * how many characters at the start of a key identify its share, or the character that ends it.
   */
  displace(kind: ShortLivedKind, share: number | string): Promise<void>;
  /** Reads and removes in one step: of two concurrent calls, one gets it. */
  take(kind: ShortLivedKind, key: string): Promise<unknown>;
}
export type ShortLivedKind =
  | 'device'
  | 'user-code'
  | 'challenge'
  | 'revoked-token'
  | 'webhook'
  | 'plan'
  | 'unsynced'
  | 'certificate'
  | 'unused-code'
  | 'unused-branch'
  | 'code-look'
  | 'told';

/** When all sessions of a person were ended. `person` is a text without a space that identifies them. */
export interface SessionEndStore {
  /** The last time, in milliseconds since 1970; 0 if never. */
  last(person: string): Promise<number>;
  /** Always later than the last time. Listeners of `onTokenChange` are notified of the person. */
  end(person: string, now: Date): Promise<void>;
}

/** Refuses a further short-lived entry at the limit for all callers together. Takes its plural name. */
export async function requireFewOpen(
  { store }: { readonly store: Pick<Context['store'], 'shortLived'> },
  kind: ShortLivedKind,
  name: string,
): Promise<void> {
  if ((await store.shortLived.count(kind)) < LIMITS.openDeviceAuthorizations) return;
  throw new Refusal('RATE_LIMITED', `Too many ${name} are open right now. Try again in a minute.`, { retryAfter: 60 });
}
