import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

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
