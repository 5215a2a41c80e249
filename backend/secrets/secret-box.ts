import { defined } from '@repoless/contract/json.ts';
import { SealedValue, type SecretInfo } from '@repoless/contract/secret.ts';
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { etagOf } from '../domain/documents.ts';

/** The location of a secret; a sealed text that is moved elsewhere cannot be opened. */
export interface SecretLocation {
  readonly org: string;
  readonly site: string;
  readonly name: string;
}

/** Seals what must not be readable in storage: AES-256-GCM under the newest key, opened with the key that sealed it. */
export interface SecretBox {
  seal(value: string, location: SecretLocation): string;
  /** Throws if no key matches, or the text was changed or moved. */
  open(sealed: string, location: SecretLocation): SealedValue;
  /** Whether a text was sealed by a key other than the newest. */
  isOld(sealed: string): boolean;
}

const KeyFile = z.object({
  keys: z
    .array(z.object({ id: z.string().regex(/^[a-z0-9]{1,32}$/), key: z.base64().transform((text) => Buffer.from(text, 'base64')) }))
    .min(1),
});

/** The text of a new key file, with one key. */
export function newSecretKeys(): string {
  const key = { id: randomBytes(4).toString('hex'), key: randomBytes(KEY_LENGTH).toString('base64') };
  return `${JSON.stringify({ keys: [key] }, null, 2)}\n`;
}

/** Takes the text of a key file, the newest key first. Throws a message without any key. */
export function readSecretBox(text: string): SecretBox {
  const { newest, byId } = readSecretKeys(text);
  return {
    seal(value, location) {
      const nonce = randomBytes(NONCE_LENGTH);
      const cipher = createCipheriv('aes-256-gcm', newest.key, nonce).setAAD(placeBytes(location));
      const sealed = Buffer.concat([cipher.update(value, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return [VERSION, newest.id, nonce.toString('base64url'), sealed.toString('base64url')].join('.');
    },
    open(text, location) {
      const [version, id = '', nonce = '', sealed = ''] = text.split('.');
      const key = byId.get(id);
      if (version !== VERSION || key === undefined) throw new Error('The key that sealed this secret is not in the key file.');
      const bytes = Buffer.from(sealed, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'), { authTagLength: TAG_LENGTH });
      decipher.setAAD(placeBytes(location)).setAuthTag(bytes.subarray(-TAG_LENGTH));
      return new SealedValue(Buffer.concat([decipher.update(bytes.subarray(0, -TAG_LENGTH)), decipher.final()]).toString('utf8'));
    },
    isOld: (text) => !text.startsWith(`${VERSION}.${newest.id}.`),
  };
}

export interface SecretKeys {
  readonly newest: { readonly id: string; readonly key: Buffer };
  readonly byId: ReadonlyMap<string, Buffer>;
}

/** Takes the text of a key file, the newest key first. Throws a message without any key. */
export function readSecretKeys(text: string): SecretKeys {
  const { keys } = parsed(text);
  const [newest] = keys;
  const byId = new Map(keys.map(({ id, key }) => [id, key]));
  if (newest === undefined || byId.size < keys.length || keys.some(({ key }) => key.length !== KEY_LENGTH)) throw new Error(FORM);
  return { newest, byId };
}

function parsed(text: string): z.output<typeof KeyFile> {
  try {
    return KeyFile.parse(JSON.parse(text));
  } catch {
    throw new Error(FORM);
  }
}

function placeBytes({ org, site, name }: SecretLocation): Buffer {
  return Buffer.from(`${org}/${site}/${name}`);
}

const VERSION = 'v1';
const KEY_LENGTH = 32;
const NONCE_LENGTH = 12;
const TAG_LENGTH = 16;
const FORM = 'It must hold {"keys":[{"id":"…","key":"<32 bytes in base64>"}]}, the newest key first, no id twice.';

/** A stored secret: `site` is its owner (see `ownerKey`), `sealed` is the sealed value, or the hash of a generated one. */
export interface StoredSecret {
  readonly org: string;
  readonly site: string;
  readonly name: string;
  readonly type: SecretInfo['type'];
  readonly sealed: string;
  readonly created: Date;
  readonly lastModified: Date;
  readonly expires?: Date;
  readonly description?: string;
}

/** A resealed secret, or that of a webhook, with the value that must still be stored: `before`. */
export type Resealed =
  | { readonly of: 'secret'; readonly secret: StoredSecret; readonly before: string }
  | { readonly of: 'subscription'; readonly org: string; readonly id: string; readonly sealed: string; readonly before: string };

export function secretInfo({ name, type, created, lastModified, expires, description }: StoredSecret): SecretInfo {
  return {
    id: name,
    type,
    created: created.toISOString(),
    lastModified: lastModified.toISOString(),
    ...defined({ expires: expires?.toISOString(), description }),
  };
}

/** Covers what is shown; each write of a value has a different time. */
export function secretEtag(secret: StoredSecret): string {
  return etagOf(secretInfo(secret));
}

/** The next stored form. Every write has a different time, so that each has a different etag. */
export function writtenSecret(
  now: Date,
  secret: Omit<StoredSecret, 'created' | 'lastModified'>,
  current: StoredSecret | undefined,
): StoredSecret {
  const after = current === undefined ? now : new Date(Math.max(now.getTime(), current.lastModified.getTime() + 1));
  return { ...secret, created: current?.created ?? now, lastModified: after };
}

/** Compares a presented text with a secret one in constant time. */
export function sameText(presented: string | undefined, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(presented ?? ''), digest(secret)) && presented !== undefined;
}

/** Whether a header `sha256=<hex>` is the HMAC of the bytes. */
export function isHexSigned(header: string | undefined, bytes: Uint8Array, secret: string): boolean {
  const presented = /^sha256=([0-9a-f]{64})$/i.exec(header?.trim() ?? '')?.[1]?.toLowerCase();
  return sameText(presented, createHmac('sha256', secret).update(bytes).digest('hex'));
}

/** The key or token of an `authorization` header. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return /^(?:bearer|token)\s+(\S+)\s*$/i.exec(authorization ?? '')?.[1];
}
