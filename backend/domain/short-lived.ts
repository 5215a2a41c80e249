import { LIMITS } from '@repoless/contract/limits.ts';
import type { Context } from './context.ts';
import { Refusal } from '@repoless/contract/refusal.ts';

/** Things that end by themselves: device authorizations, challenges, revoked tokens. */
export interface ShortLived {
  put(kind: ShortLivedKind, key: string, value: unknown, expires: Date): Promise<void>;
  /** The same value for each of these keys, in one step. Not for what nodes have ready. */
  putAll(kind: Exclude<ShortLivedKind, 'revoked-token'>, keys: readonly string[], value: unknown, expires: Date): Promise<void>;
  /** False where there is one already: of two who add one does. */
  add(kind: ShortLivedKind, key: string, value: unknown, expires: Date): Promise<boolean>;
  /** Those whose keys begin so. */
  list(kind: ShortLivedKind, prefix: string): Promise<unknown[]>;
  /** How many there are, expired ones left out. */
  count(kind: ShortLivedKind): Promise<number>;
  /** Undefined once expired. */
  get(kind: ShortLivedKind, key: string): Promise<unknown>;
  /** Forgets all but so many of those whose keys begin so, those that end first before the others. */
  keepLatest(kind: ShortLivedKind, most: number, prefix?: string): Promise<void>;
  /**
   * Makes room for others: a hundred go, those first that most later ones of the same share follow, so that whoever has most loses their
   * own. In: how many characters at the beginning of a key say whose share it is of, or the character before which they end.
   */
  displace(kind: ShortLivedKind, share: number | string): Promise<void>;
  /** Reads and removes in one step: of two takers one gets it. */
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

/** When all sessions of somebody were ended. `person` is a text without a space that stands for them. */
export interface SessionEndStore {
  /** The last time, in milliseconds since 1970; 0 where that never was. */
  last(person: string): Promise<number>;
  /** Later than the last time in any case. Listeners of `onTokenChange` are told of the person. */
  end(person: string, now: Date): Promise<void>;
}

/** Refuses what would be kept for a while where as much is kept already, of everybody together. In: what it is called, in the plural. */
export async function requireFewOpen(
  { store }: { readonly store: Pick<Context['store'], 'shortLived'> },
  kind: ShortLivedKind,
  name: string,
): Promise<void> {
  if ((await store.shortLived.count(kind)) < LIMITS.openBeginnings) return;
  throw new Refusal('RATE_LIMITED', `Too many ${name} are open right now. Try again in a minute.`, { retryAfter: 60 });
}
