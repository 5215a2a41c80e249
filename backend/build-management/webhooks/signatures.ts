import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** Whether a header `sha256=<hex>` is the HMAC of the bytes. */
export function isHexSigned(header: string | undefined, bytes: Uint8Array, secret: string): boolean {
  const presented = /^sha256=([0-9a-f]{64})$/i.exec(header?.trim() ?? '')?.[1];
  const expected = createHmac('sha256', secret).update(bytes).digest();
  return timingSafeEqual(Buffer.from(presented ?? '0'.repeat(64), 'hex'), expected) && presented !== undefined;
}

/** Whether two texts are the same, compared in constant time. */
export function isSameText(presented: string | undefined, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(presented ?? ''), digest(expected)) && presented !== undefined;
}
