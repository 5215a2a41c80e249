import { ANONYMOUS } from '#backend/domain/caller.ts';
import type { Caller } from '#backend/domain/caller.ts';
import type { Tokens } from '#backend/domain/sessions/tokens.ts';
import { Refusal } from '#backend/domain/errors.ts';
import type { RequestHeaders } from '../ports.ts';
import { AUTH_COOKIE, readCookie } from './cookies.ts';

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

/**
 * What a cookie is good for: reads of pages of this very origin (docs/contract.md 4.1). The browser sends it by
 * itself, so a call that changes something and has nothing else to show is refused, and a read that another origin
 * began counts as anonymous. `SameSite=Strict` alone would let through other ports and subdomains.
 */
export function checkCredential(caller: Caller, headers: RequestHeaders, changes: boolean, ownOrigin: string): Caller {
  if (caller.kind === 'anonymous' || caller.credential === 'header') return caller;
  if (changes) throw new Refusal('NOT_AUTHENTICATED', 'The cookie alone may only read. Send the token in the header x-auth-token.');
  return isSameOrigin(headers, ownOrigin) ? caller : ANONYMOUS;
}

function isSameOrigin(headers: RequestHeaders, ownOrigin: string): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && origin !== ownOrigin) return false;
  return site === undefined || site === 'same-origin' || site === 'none';
}
