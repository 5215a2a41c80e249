import { createChangeAwareCache } from '../change-aware-cache.ts';
import type { Store } from '../ports.ts';

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
