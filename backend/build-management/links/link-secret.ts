import { createHash, timingSafeEqual } from 'node:crypto';

/** What is kept of a secret that is only ever compared. The secret is random and long, so a plain hash is enough. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Whether this is the secret of a hash; the time that it takes tells nothing. */
export function isSecretOf(secret: string, hash: string): boolean {
  const [a, b] = [Buffer.from(hashOf(secret)), Buffer.from(hash)];
  return a.length === b.length && timingSafeEqual(a, b);
}
