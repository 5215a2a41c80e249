import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseSiteHost } from '@repoless/contract/addresses.ts';
import type { HostDomains } from '@repoless/contract/addresses.ts';
import { requestHeaders } from './parse-input.ts';
import { presentedToken } from './session/authenticate.ts';

/** Whether pages of an origin may read what a request is answered, and send what asks for permission beforehand. */
export type AllowsOrigin = (origin: string, request: AskedRequest) => boolean;
type AskedRequest = Pick<IncomingMessage, 'url' | 'method' | 'headers'>;

/** The origins that the settings list, wherever they ask. */
export function listedOrigins(origins: readonly string[]): AllowsOrigin {
  const listed = new Set(origins);
  return (origin) => listed.has(origin);
}

/** What a browser calls an extension. */
export function extensionOrigin(id: string): string {
  return `chrome-extension://${id}`;
}

/** Those and, at the addresses that name a site, that site's own preview and live hosts (docs/contract.md 2.4). */
export function listedOrOwnOrigins(origins: readonly string[], domains: HostDomains): AllowsOrigin {
  const isListed = listedOrigins(origins);
  return (origin, request) => isListed(origin, request) || isOwnHost(origin, request, domains);
}

/**
 * Cross-origin rules (docs/contract.md 2.4): only a request with an allowed `Origin` gets an answer that its page
 * may read. `OPTIONS` on any address is answered here, without a token and before it is known which methods the address has, so it
 * names none in `allow`. Out: whether the request is answered.
 */
export function answerCors(request: IncomingMessage, response: ServerResponse, allows: AllowsOrigin): boolean {
  const { origin } = request.headers;
  response.setHeader('vary', 'origin');
  const known = origin !== undefined && allows(origin, request);
  if (known) {
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('access-control-allow-credentials', 'true');
    response.setHeader('access-control-expose-headers', EXPOSED);
  }
  if (request.method !== 'OPTIONS') return false;
  if (known) {
    response.setHeader('access-control-allow-methods', METHODS);
    response.setHeader('access-control-allow-headers', ALLOWED);
    response.setHeader('access-control-max-age', DAY);
  }
  response.writeHead(204).end();
  return true;
}

/** By the pattern of the hosts alone: nothing is looked up for a request that may be anybody's. */
function isOwnHost(origin: string, request: AskedRequest, domains: HostDomains): boolean {
  const scheme = `${domains.protocol}://`;
  if (!origin.startsWith(scheme)) return false;
  const host = parseSiteHost(origin.slice(scheme.length), domains);
  if (host === undefined) return false;
  const { org, site } = siteOf(request) ?? {};
  return org === host.org && site === host.site;
}

/**
 * The site that a request names. `/profile` is about a person and may name one as well: a page that has a token may learn whose it is, but a
 * cookie does not say who is asking.
 */
function siteOf(request: AskedRequest): { org: string; site: string } | undefined {
  const [path = '', query] = (request.url ?? '').split('?', 2);
  const named = OF_A_SITE.map((form) => form.exec(path)).find((match) => match !== null);
  if (named !== undefined) return placeOf(named[1], named[2]);
  const profile = PROFILE.exec(path);
  if (profile === null || !(request.method === 'OPTIONS' || hasOwnToken(request))) return undefined;
  const asked = new URLSearchParams(query);
  return placeOf(profile[1] ?? asked.get('org'), profile[2] ?? asked.get('site'));
}

function placeOf(org: string | null | undefined, site: string | null | undefined): { org: string; site: string } | undefined {
  return typeof org === 'string' && typeof site === 'string' ? { org, site } : undefined;
}

function hasOwnToken({ headers }: AskedRequest): boolean {
  return presentedToken(requestHeaders({ headers }))?.credential === 'header';
}

/** Addresses that name a site, the first that fits; but signing in is about a person, whom the cookie would tell. */
const OF_A_SITE: readonly RegExp[] = [
  /^\/config\/([^/]+)\/(?:sites|aggregated)\/([^/]+?)(?:\.json)?(?:\/|$)/,
  /^\/([^/]+)\/config\/aggregated\/([^/]+?)(?:\.json)?(?:\/|$)/,
  /^\/(?:job|code|status|log|sidekick)\/([^/]+)\/([^/]+)(?:\/|$)/,
  /^\/([^/]+)\/(?:sites|aggregated|repos)\/([^/]+)(?:\/(?!login$)|$)/,
];
const PROFILE = /^\/profile(?:\/([^/]+)\/([^/]+)(?:\/[^/]+)?)?$/;

const METHODS = 'GET, HEAD, POST, PUT, OPTIONS, DELETE';
const ALLOWED =
  'authorization, x-auth-token, x-content-source-authorization, content-type, if-match, if-none-match, x-dry-run, mcp-protocol-version, traceparent';
const EXPOSED =
  'x-error, x-error-code, x-warning, etag, location, link, retry-after, x-request-id, x-relayed, x-ratelimit-limit, x-ratelimit-rate';
const DAY = '86400';
