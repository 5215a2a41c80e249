import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { readSecretKeys } from '../secrets/secret-box.ts';
import { joined } from './chain.ts';

/** An entry of an audit trail up to which the trail is as it was written, and since which entry such seals are made. */
export interface SealedEnd {
  readonly org: string;
  readonly since: number;
  readonly entry: number;
  readonly hash: string;
}

export interface Seal {
  /** The key that made it. */
  readonly key: string;
  readonly seal: string;
}

/** `unchecked`: there is no key file to check it with. `removed`: this node made a later one, which is gone. */
export type SealTrust = 'genuine' | 'forged' | 'unknown-key' | 'unchecked' | 'removed';

/** Seals what nobody can seal who has the database alone: HMAC-SHA-256, its key derived from a key of the secret key file. */
export interface TrailKeys {
  /** The newest key makes all new seals. */
  readonly newest: string;
  seal(end: SealedEnd): Seal;
  trust(end: SealedEnd, seal: Seal): SealTrust;
}

/** In: the text of the secret key file. Throws a sentence that holds no key. */
export function readTrailKeys(text: string): TrailKeys {
  const { newest, byId } = readSecretKeys(text);
  const derived = new Map([...byId].map(([id, key]) => [id, Buffer.from(hkdfSync('sha256', key, '', PURPOSE, 32))]));
  const sealed = (key: Buffer, { org, since, entry, hash }: SealedEnd) =>
    createHmac('sha256', key)
      .update(joined([org, since, entry, hash]))
      .digest('hex');
  return {
    newest: newest.id,
    seal(end) {
      const key = derived.get(newest.id);
      if (key === undefined) throw new Error('The newest key is missing.');
      return { key: newest.id, seal: sealed(key, end) };
    },
    trust(end, { key: id, seal }) {
      const key = derived.get(id);
      if (key === undefined) return 'unknown-key';
      const [expected, found] = [Buffer.from(sealed(key, end)), Buffer.from(seal)];
      return expected.length === found.length && timingSafeEqual(expected, found) ? 'genuine' : 'forged';
    },
  };
}

const PURPOSE = 'repoless audit trail';
