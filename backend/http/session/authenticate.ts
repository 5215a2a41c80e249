import { ANONYMOUS } from '#backend/domain/caller.ts';
import type { Caller } from '#backend/domain/caller.ts';
import type { Tokens } from '#backend/domain/sessions/tokens.ts';
import { readCookie } from './cookies.ts';

export type RequestHeaders = Readonly<Record<string, string | undefined>>;

export const AUTH_COOKIE = 'auth_token';

/**
 * Who makes a request (docs/contract.md 4.1). A broken, expired or revoked token counts as none. A header that was
 * sent decides: where it is no good, the cookie is not tried. An API key is sent in a header alone.
 */
export async function authenticate(tokens: Pick<Tokens, 'verify'>, headers: RequestHeaders): Promise<Caller> {
  const presented = presentedToken(headers);
  if (presented === undefined) return ANONYMOUS;
  const user = await tokens.verify(presented.token);
  if (user === undefined || (user.key !== undefined && presented.credential === 'cookie')) return ANONYMOUS;
  return { ...user, credential: presented.credential };
}

/** The token of a request: `x-auth-token`, `authorization: Bearer …` or `token …`, else the cookie. */
export function presentedToken(headers: RequestHeaders): { token: string; credential: 'header' | 'cookie' } | undefined {
  const plain = headers['x-auth-token'];
  if (plain !== undefined) return { token: plain.trim(), credential: 'header' };
  const [, bearer] = /^(?:bearer|token)\s+(\S+)\s*$/i.exec(headers['authorization'] ?? '') ?? [];
  if (bearer !== undefined) return { token: bearer, credential: 'header' };
  const cookie = readCookie(headers['cookie'], AUTH_COOKIE);
  return cookie === undefined ? undefined : { token: cookie, credential: 'cookie' };
}
