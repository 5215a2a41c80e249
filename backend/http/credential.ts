import { ANONYMOUS } from '#backend/domain/caller.ts';
import type { Caller } from '#backend/domain/caller.ts';
import { Refusal } from '#backend/domain/errors.ts';
import type { RequestHeaders } from './ports.ts';

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
