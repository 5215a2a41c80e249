import type { Store } from '../ports.ts';

export interface Revocations {
  isRevoked(tokenId: string): Promise<boolean>;
  /** `exp`: when the token ends anyway, in seconds since 1970. */
  revoke(tokenId: string, exp: number): Promise<void>;
}

/** After this time the store is asked again: how long another node may still take a revoked token, in milliseconds. */
const TRUST = 5_000;
const REMEMBERED = 10_000;

/** Which tokens are revoked; asks the store once in five seconds for each token, so that a request costs no round trip. */
export function createRevocations({ store, now }: { store: Pick<Store, 'shortLived'>; now(): Date }): Revocations {
  const revokedHere = new Map<string, number>();
  const goodSince = new Map<string, number>();

  return {
    async isRevoked(tokenId) {
      if (revokedHere.has(tokenId)) return true;
      const asked = now().getTime();
      const since = goodSince.get(tokenId);
      if (since !== undefined && asked - since < TRUST) return false;
      const revoked = (await store.shortLived.get('revoked-token', tokenId)) !== undefined;
      if (!revoked) note(goodSince, tokenId, asked);
      return revoked || revokedHere.has(tokenId);
    },
    async revoke(tokenId, exp) {
      await store.shortLived.put('revoked-token', tokenId, true, new Date(exp * 1000));
      forgetEnded(revokedHere, now().getTime() / 1000);
      revokedHere.set(tokenId, exp);
    },
  };
}

function note(goodSince: Map<string, number>, tokenId: string, asked: number): void {
  goodSince.delete(tokenId);
  const [oldest] = goodSince.keys();
  if (goodSince.size >= REMEMBERED && oldest !== undefined) goodSince.delete(oldest);
  goodSince.set(tokenId, asked);
}

function forgetEnded(revokedHere: Map<string, number>, seconds: number): void {
  for (const [tokenId, exp] of revokedHere) if (exp <= seconds) revokedHere.delete(tokenId);
}
