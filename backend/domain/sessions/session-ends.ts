import { createChangeAwareCache } from '../change-aware-cache.ts';
import type { Store } from '../ports.ts';

/** When all sessions of a person were ended (decision 0079). People are given by `personOf`. */
export interface SessionEnds {
  /** The last time, in milliseconds since 1970; 0 where that never was. A token that was issued after an earlier one is none. */
  last(person: string): Promise<number>;
  end(person: string): Promise<void>;
}

export function createSessionEnds(settings: {
  readonly store: Pick<Store, 'sessionEnds' | 'onTokenChange' | 'onChangesMissed' | 'isHearing'>;
  now(): Date;
}): SessionEnds {
  const { store, now } = settings;
  const kept = createChangeAwareCache<number>({ store, now, read: (person) => store.sessionEnds.last(person) });
  store.onTokenChange(kept.forget);
  return {
    last: kept.get,
    end: (person) => store.sessionEnds.end(person, now()),
  };
}

export interface Revocations {
  isRevoked(tokenId: string): Promise<boolean>;
  /** `exp`: when the token ends anyway, in seconds since 1970. */
  revoke(tokenId: string, exp: number): Promise<void>;
}

/** Which tokens are revoked. */
export function createRevocations(settings: {
  readonly store: Pick<Store, 'shortLived' | 'onTokenChange' | 'onChangesMissed' | 'isHearing'>;
  now(): Date;
}): Revocations {
  const { store, now } = settings;
  const read = async (tokenId: string) => (await store.shortLived.get('revoked-token', tokenId)) !== undefined;
  const kept = createChangeAwareCache<boolean>({ store, now, read });
  store.onTokenChange(kept.forget);
  return {
    isRevoked: kept.get,
    revoke: (tokenId, exp) => store.shortLived.put('revoked-token', tokenId, true, new Date(exp * 1000)),
  };
}
