import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK } from 'jose';
import type { CryptoKey, JWK } from 'jose';
import { z } from 'zod';

export const SIGNING_ALGORITHM = 'ES256';

export interface SigningKeys {
  readonly kid: string;
  readonly signing: CryptoKey;
  /** The public halves, without any private part. */
  readonly published: readonly JWK[];
}

const EcKey = z.object({ kty: z.literal('EC'), crv: z.literal('P-256'), x: z.string(), y: z.string(), d: z.string().optional() });
type EcKey = z.infer<typeof EcKey>;
const KeyFile = z.object({ keys: z.array(EcKey).min(1) });

/** The text of a key file with one new key. It is a secret. */
export async function newSigningKeys(): Promise<string> {
  const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  return JSON.stringify({ keys: [await exportJWK(privateKey)] }, null, 2);
}

/**
 * Reads a key file. The first key signs; the others, with or without their private part, only verify: to renew the key, put a new one first
 * and retain the old one for the lifetime of the tokens and API keys that it signed. Throws a message without any of the text.
 */
export async function readSigningKeys(text: string): Promise<SigningKeys> {
  const keys = parsed(text);
  const [first] = keys;
  const d = first?.d;
  if (first === undefined || d === undefined) throw new Error('The first signing key has no private part. Put the key that signs first.');
  const signing = await importJWK({ ...publicPart(first), d }, SIGNING_ALGORITHM);
  if (signing instanceof Uint8Array) throw new Error('The first signing key is not an EC key.');
  const published = await Promise.all(keys.map(publishedKey));
  return { kid: await calculateJwkThumbprint(publicPart(first)), signing, published };
}

function parsed(text: string): EcKey[] {
  try {
    return KeyFile.parse(JSON.parse(text)).keys;
  } catch {
    throw new Error('The signing keys do not have the form {"keys":[{"kty":"EC","crv":"P-256",…}]}.');
  }
}

async function publishedKey(key: EcKey): Promise<JWK> {
  const part = publicPart(key);
  return { ...part, kid: await calculateJwkThumbprint(part), alg: SIGNING_ALGORITHM, use: 'sig' };
}

function publicPart({ kty, crv, x, y }: EcKey) {
  return { kty, crv, x, y };
}
