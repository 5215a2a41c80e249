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

/** The last of the entries that were removed from the beginning of a trail, and when: what is left begins behind it. */
export interface TrailAnchor {
  readonly org: string;
  readonly entry: number;
  readonly hash: string;
  /** The time of its removal. */
  readonly removed: string;
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
  sealAnchor(anchor: TrailAnchor): Seal;
  trustAnchor(anchor: TrailAnchor, seal: Seal): AnchorTrust;
}

/** A node need not remember anchors: where one is gone, the entries before it are missing. */
export type AnchorTrust = Exclude<SealTrust, 'removed'>;

/** In: the text of the secret key file. Throws a sentence that holds no key. */
export function readTrailKeys(text: string): TrailKeys {
  const { newest, byId } = readSecretKeys(text);
  const derived = new Map([...byId].map(([id, key]) => [id, Buffer.from(hkdfSync('sha256', key, '', PURPOSE, 32))]));
  const sealed = (key: Buffer, said: string) => createHmac('sha256', key).update(said).digest('hex');
  const seal = (said: string): Seal => {
    const key = derived.get(newest.id);
    if (key === undefined) throw new Error('The newest key is missing.');
    return { key: newest.id, seal: sealed(key, said) };
  };
  const trust = (said: string, { key: id, seal: made }: Seal): AnchorTrust => {
    const key = derived.get(id);
    if (key === undefined) return 'unknown-key';
    const [expected, found] = [Buffer.from(sealed(key, said)), Buffer.from(made)];
    return expected.length === found.length && timingSafeEqual(expected, found) ? 'genuine' : 'forged';
  };
  return {
    newest: newest.id,
    seal: (end) => seal(saidOf(end)),
    trust: (end, made) => trust(saidOf(end), made),
    sealAnchor: (anchor) => seal(saidOfAnchor(anchor)),
    trustAnchor: (anchor, made) => trust(saidOfAnchor(anchor), made),
  };
}

function saidOf({ org, since, entry, hash }: SealedEnd): string {
  return joined([org, since, entry, hash]);
}

/** It has a part more than that of an end, so that neither passes for the other. */
function saidOfAnchor({ org, entry, hash, removed }: TrailAnchor): string {
  return joined(['anchor', org, entry, hash, removed]);
}

const PURPOSE = 'repoless audit trail';
