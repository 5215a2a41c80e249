import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/** The audience of the authoring system's tokens. */
const AUTHORING_AUDIENCE = 'authoring';

export type Bearer =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'known'; readonly email: string }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unverifiable'; readonly reason: string };

/** Parses the bearer of an `authorization` header; tokens are verified with the identity provider's keys, found by discovery. */
export function bearerReader(issuer: string): (authorization: string | undefined) => Promise<Bearer> {
  let keys: ReturnType<typeof createRemoteJWKSet> | undefined;
  const findKeys = async () => {
    const answer = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
    if (!answer.ok) throw new Error(`discovery answers ${answer.status}`);
    return createRemoteJWKSet(new URL(Discovery.parse(await answer.json()).jwks_uri));
  };
  return async (authorization) => {
    const token = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1];
    if (token === undefined) return { kind: 'anonymous' };
    try {
      keys ??= await findKeys();
      const { payload } = await jwtVerify(token, keys, { issuer, audience: AUTHORING_AUDIENCE });
      const email = CLAIMS.map((claim) => payload[claim]).find(
        (value): value is string => typeof value === 'string' && value.includes('@'),
      );
      return email === undefined
        ? { kind: 'refused', reason: 'The token names no e-mail address.' }
        : { kind: 'known', email: email.toLowerCase() };
    } catch (cause) {
      if (isAboutToken(cause)) return { kind: 'refused', reason: `The token is not accepted: ${cause.code}.` };
      return { kind: 'unverifiable', reason: 'The identity provider does not respond, so no token can be verified. Try again later.' };
    }
  };
}

/** An unavailable key set is the provider's problem; every other error of jose is the token's. */
function isAboutToken(cause: unknown): cause is errors.JOSEError {
  return (
    cause instanceof errors.JOSEError &&
    !(cause instanceof errors.JWKSTimeout) &&
    !(cause instanceof errors.JWKSInvalid) &&
    cause.code !== 'ERR_JOSE_GENERIC'
  );
}

const Discovery = z.object({ jwks_uri: z.url() });
const CLAIMS = ['email', 'preferred_username', 'sub', 'client_id'] as const;

/** Lifetime of a token of `/libs/granite/csrf/token.json`, in seconds. */
const LIFETIME = 600;

export interface CsrfTokens {
  issue(email: string): string;
  accepts(token: string | undefined, email: string): boolean;
}

/** Tokens bound to a person and a time; a restart invalidates them all, as in real systems. */
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
