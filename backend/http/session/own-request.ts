import type { RequestHeaders } from '../ports.ts';

/**
 * Whether a request that carries the cookie was begun by a page of this service, or by somebody who opened the address.
 * `SameSite=Strict` alone lets through what other ports and subdomains of this site make a browser send: their scripts name
 * their origin, their images and frames are told by what they are wanted for.
 */
export function isOwnRequest(headers: RequestHeaders, publicAddress: string): boolean {
  const { origin, 'sec-fetch-site': site, 'sec-fetch-dest': wantedFor } = headers;
  if (origin !== undefined && origin !== new URL(publicAddress).origin) return false;
  return site === undefined || site === 'same-origin' || site === 'none' || wantedFor === 'document';
}

/** Whether a page of this service itself began a request. Browsers that do not say where it began tell the page in `referer`. */
export function isFromOwnPage(headers: RequestHeaders, publicAddress: string): boolean {
  const { origin, referer, 'sec-fetch-site': site } = headers;
  const own = new URL(publicAddress).origin;
  if (origin !== undefined && origin !== own) return false;
  if (site !== undefined) return site === 'same-origin';
  return origin === own || (referer !== undefined && URL.canParse(referer) && new URL(referer).origin === own);
}
