import { hostLabel } from '@repoless/contract/names.ts';
import { COUNTER, type Call } from '../load/call.ts';
import { PREVIEW_DOMAIN, PUBLIC_ADDRESS } from './place.ts';
import { ORG, siteInput, siteName } from './site-input.ts';

const ADMIN_HOST = new URL(PUBLIC_ADDRESS).host;

/** Reads the public configuration of a site at its preview host (call 10). */
export function getConfig(site: string, headers: Readonly<Record<string, string>> = {}): Call {
  return { method: 'GET', host: `${hostLabel('main', site, ORG)}.${PREVIEW_DOMAIN}`, path: '/config.json', headers };
}

/**
 * Puts a site (call 1), without asking the code host, for there is none here. Left out, the revision is another one each time
 * the call is sent.
 */
export function putSite(site: string, token: string, revision: string = COUNTER): Call {
  return {
    method: 'PUT',
    host: ADMIN_HOST,
    path: `/config/${ORG}/sites/${site}.json?unchecked=true`,
    headers: { 'content-type': 'application/json', 'x-auth-token': token },
    body: JSON.stringify(siteInput(site, revision)),
  };
}

/** What writers send: existing sites replaced in turn, and with every fourth call a site that did not exist. */
export function putCalls(existing: number, token: string): Call[] {
  return Array.from({ length: existing }, (_, index) => putSite(index % 4 === 3 ? `new-${COUNTER}` : siteName(index), token));
}

/** Reads of all sites in turn; every twentieth call is an administrator's write. */
export function mixedCalls(existing: number, token: string): Call[] {
  return Array.from({ length: existing }, (_, index) => (index % 20 === 19 ? putSite(siteName(index), token) : getConfig(siteName(index))));
}

/** Reads a site (call 2) as its administrator. */
export function getSite(site: string, token: string): Call {
  return { method: 'GET', host: ADMIN_HOST, path: `/config/${ORG}/sites/${site}.json`, headers: { 'x-auth-token': token } };
}

export function health(): Call {
  return { method: 'GET', host: ADMIN_HOST, path: '/health' };
}

export function listSites(token: string, query: string): Call {
  return { method: 'GET', host: ADMIN_HOST, path: `/config/${ORG}/sites.json?${query}`, headers: { 'x-auth-token': token } };
}
