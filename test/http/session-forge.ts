import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, importJWK, SignJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose';
import { z } from 'zod';
import { readSigningKeys } from '@repoless/service/sessions/signing-keys.ts';

const KeyFile = z.object({ keys: z.array(z.looseObject({ kty: z.literal('EC') })).min(1) });

/** A service's signing key, to make tokens that it would never issue. */
export interface Forge {
  readonly kid: string;
  readonly key: CryptoKey;
  readonly publicKey: JWK;
}

export async function forgeOf(dataDir: string): Promise<Forge> {
  const text = await readFile(join(dataDir, 'signing-keys.json'), 'utf8');
  const { kid, signing, published } = await readSigningKeys(text);
  const [publicKey] = published;
  if (publicKey === undefined) throw new Error('The service has no key.');
  return { kid, key: signing, publicKey };
}

/** A key that the service does not know. */
export async function strangeForge(kid: string): Promise<Forge> {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  return { kid, key: privateKey, publicKey: await exportJWK(publicKey) };
}

export const seconds = (fromNow: number): number => Math.floor(Date.now() / 1000) + fromNow;

/** Signs the claims of a valid token, overridden by these; undefined omits one. */
export async function forge(by: Forge, issuer: string, claims: Readonly<Record<string, unknown>> = {}, header = {}): Promise<string> {
  const good = { iss: issuer, aud: issuer, sub: 'ada', email: 'ada.admin@example.com', jti: crypto.randomUUID() };
  const all = { ...good, iat: seconds(0), exp: seconds(600), ...claims };
  const defined = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  return await new SignJWT(defined).setProtectedHeader({ alg: 'ES256', kid: by.kid, typ: 'JWT', ...header }).sign(by.key);
}

/** Assembles a token from its parts. */
export function assemble(header: unknown, claims: unknown, signature: string): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part(header)}.${part(claims)}.${signature}`;
}

/** Adds a new key in front of those of a key file, as renewing the key does. Returns the file's new text. */
export async function withNewKey(text: string): Promise<string> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  return JSON.stringify({ keys: [await exportJWK(privateKey), ...KeyFile.parse(JSON.parse(text)).keys] });
}

/** The same without the last key. */
export function withoutOldKey(text: string): string {
  return JSON.stringify({ keys: KeyFile.parse(JSON.parse(text)).keys.slice(0, -1) });
}

/** HS256 over a published key, taken for a secret. */
export async function signedWithPublicKey(by: Forge, claims: JWTPayload, secret: unknown = by.publicKey): Promise<string> {
  const key = await importJWK({ kty: 'oct', k: Buffer.from(JSON.stringify(secret)).toString('base64url') }, 'HS256');
  return await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: by.kid }).sign(key);
}
