import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Seconds that a token of `/libs/granite/csrf/token.json` is good for. */
const LIFETIME = 600;

export interface CsrfTokens {
  issue(email: string): string;
  accepts(token: string | undefined, email: string): boolean;
}

/** Tokens bound to a person and a time; a restart ends them all, as it does in the field. */
export function csrfTokens(now: () => number = Date.now): CsrfTokens {
  const key = randomBytes(32);
  const sign = (email: string, expiry: string) => createHmac('sha256', key).update(`${expiry} ${email}`).digest('base64url');
  return {
    issue(email) {
      const expiry = String(Math.floor(now() / 1000) + LIFETIME);
      return `${expiry}.${sign(email, expiry)}`;
    },
    accepts(token, email) {
      const [expiry = '', signature = ''] = (token ?? '').split('.');
      const wanted = Buffer.from(sign(email, expiry));
      const given = Buffer.from(signature);
      return given.length === wanted.length && timingSafeEqual(given, wanted) && Number(expiry) * 1000 > now();
    },
  };
}
