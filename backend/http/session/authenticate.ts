import { ANONYMOUS } from '../../domain/caller.ts';
import type { Caller } from '../../domain/caller.ts';
import type { Tokens } from '../../sessions/tokens.ts';
import { Refusal } from '../../domain/errors.ts';
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
 * What a cookie is good for (docs/contract.md 4.1). A browser sends it by itself: from there it reads for pages of this
 * very origin, a read that another origin began counts as anonymous, and a change needs something else to show. `SameSite=Strict` alone
 * would let through other ports and subdomains. A program that sends it has put it there, as it would a header.
 */
export function checkCredential(caller: Caller, headers: RequestHeaders, changes: boolean, ownOrigin: string): Caller {
  if (caller.kind === 'anonymous' || caller.credential === 'header') return caller;
  if (!changes) return isSameOrigin(headers, ownOrigin) ? caller : ANONYMOUS;
  if (mayBeBrowser(headers)) throw new Refusal('NOT_AUTHENTICATED', COOKIE_READS);
  return { ...caller, credential: 'header' };
}

const COOKIE_READS = 'A cookie from a browser, or with a form, may only read. Send the token in the header x-auth-token.';

/**
 * Browsers name the origin of everything that is no read, and most say where it began; old ones at least name the page. A form that leaves
 * all of that out comes in one of its three types.
 */
function mayBeBrowser({ origin, referer, 'sec-fetch-site': site, 'content-type': type = '' }: RequestHeaders): boolean {
  return origin !== undefined || referer !== undefined || site !== undefined || FORM_TYPES.test(type);
}

const FORM_TYPES = /^\s*(?:application\/x-www-form-urlencoded|multipart\/|text\/plain)/i;

function isSameOrigin(headers: RequestHeaders, ownOrigin: string): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && origin !== ownOrigin) return false;
  return site === undefined || site === 'same-origin' || site === 'none';
}
