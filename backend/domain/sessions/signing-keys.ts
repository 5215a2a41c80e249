import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { randomUUID } from 'node:crypto';
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
const KeyFile = z.object({ keys: z.array(EcKey).min(1) });

/**
 * Reads the keys of a file, and makes the file (mode 0600) where there is none. The first key signs; the others, with or
 * without their private part, only verify: to renew the key, put a new one in front and keep the old one for a token's life.
 */
export async function loadSigningKeys(file: string): Promise<SigningKeys> {
  const keys = parseKeys(file, (await readKeys(file)) ?? (await makeKeys(file)));
  const [first] = keys;
  const d = first?.d;
  if (first === undefined || d === undefined)
    throw new Error(`The first key of ${file} has no private part. Put the key that signs first.`);
  const signing = await importJWK({ ...publicPart(first), d }, SIGNING_ALGORITHM);
  if (signing instanceof Uint8Array) throw new Error(`The first key of ${file} is not an EC key.`);
  const published = await Promise.all(keys.map(publicHalf));
  return { kid: await calculateJwkThumbprint(publicPart(first)), signing, published };
}

async function readKeys(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw new Error(`The signing key file ${file} cannot be read. Make it readable for the service.`, { cause: error });
  }
}

/** Of two programs that start at once, both use the file of the one that linked it first. */
async function makeKeys(file: string): Promise<string> {
  const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  const text = JSON.stringify({ keys: [await exportJWK(privateKey)] }, null, 2);
  const draft = `${file}.${randomUUID()}`;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(draft, text, { mode: 0o600, flag: 'wx' });
  try {
    await link(draft, file);
    return text;
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error;
    return await readFile(file, 'utf8');
  } finally {
    await rm(draft, { force: true });
  }
}

function parseKeys(file: string, text: string) {
  try {
    return KeyFile.parse(JSON.parse(text)).keys;
  } catch {
    throw new Error(`The signing key file ${file} does not hold keys of the form {"keys":[{"kty":"EC","crv":"P-256",…}]}.`);
  }
}

async function publicHalf(key: z.infer<typeof EcKey>): Promise<JWK> {
  const part = publicPart(key);
  return { ...part, kid: await calculateJwkThumbprint(part), alg: SIGNING_ALGORITHM, use: 'sig' };
}

function publicPart({ kty, crv, x, y }: z.infer<typeof EcKey>) {
  return { kty, crv, x, y };
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
