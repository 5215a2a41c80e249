import { type HostDomains, parseSiteHost } from '@repoless/contract/addresses.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import { notOfferedAt, notOfferedSentence } from '@repoless/contract/public-api.ts';
import type { Express } from 'express';
import helmet from 'helmet';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Refusal } from '@repoless/contract/refusal.ts';
import { answerError, NO_STORE } from './answer.ts';
import { type ClientAddress, presentedToken } from './caller.ts';
import { requestHeaders } from './parse-request.ts';
import { requestIdOfResponse, type RequestLog, startRequest } from './request-log.ts';

export interface AnsweringProgram {
  /** At the start of a sentence, e.g. `The service`. */
  readonly title: string;
  /** Its scheme, host and port. */
  readonly publicAddress: string;
  /** What its pages may load and do; absent for a program without pages. */
  readonly pagePolicy?: Readonly<Record<string, string[]>>;
  readonly allowsOrigin: AllowsOrigin;
  readonly log: RequestLog;
  readonly clientAddress: ClientAddress;
  newId(): string;
  /** The program is stopping: running work finishes, new work is refused. */
  isStopping(): boolean;
}

/** Adds to an empty app what every answer of a program has in common; `mountCalls` adds its calls. */
export function fillApp(app: Express, program: AnsweringProgram, mountCalls: (app: Express) => void): void {
  const { title, log, newId, clientAddress, isStopping } = program;
  for (const feature of ['x-powered-by', 'etag', 'query parser']) app.disable(feature);
  for (const feature of ['case sensitive routing', 'strict routing']) app.enable(feature);
  const security = securityHeaders(program);
  app.use((request, response, next) => {
    for (const [name, value] of security) response.setHeader(name, value);
    startRequest(request, response, { newId, log, clientAddress });
    response.setHeader('cache-control', NO_STORE);
    if (answerCors(request, response, program.allowsOrigin)) return;
    if (isStopping() && !PROBES.has(request.path))
      throw new Refusal('SHUTTING_DOWN', `${title} is stopping. Try again in a moment.`, { retryAfter: 1 });
    next();
  });
  mountCalls(app);
  app.use((error: unknown, request: IncomingMessage, response: ServerResponse, _next: unknown) =>
    answerError(request, response, error, { requestId: requestIdOfResponse(response), log }),
  );
}

/** The same on every answer. Sign-in pages set their own policy; a window that they are opened in must keep its opener. */
function securityHeaders({ publicAddress, pagePolicy = {} }: AnsweringProgram): [name: string, value: string][] {
  const set = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], ...pagePolicy, 'base-uri': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    crossOriginOpenerPolicy: false,
    strictTransportSecurity: publicAddress.startsWith('https:'),
  });
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  set(request, response, (error) => {
    if (error !== undefined) throw new Error('The headers of every answer cannot be made.', { cause: error });
  });
  return Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]);
}

/** Whether pages of an origin may read the answer to a request, and send requests that need a preflight. */
export type AllowsOrigin = (origin: string, request: ParsedRequest) => boolean;
type ParsedRequest = Pick<IncomingMessage, 'url' | 'method' | 'headers'>;

export function listedOrigins(origins: readonly string[]): AllowsOrigin {
  const listed = new Set(origins);
  return (origin) => listed.has(origin);
}

export function extensionOrigin(id: string): string {
  return `chrome-extension://${id}`;
}

/** The listed origins and, at the addresses of a site, that site's own preview and live hosts (docs/contract.md 2.4). */
export function listedOrOwnOrigins(origins: readonly string[], domains: HostDomains): AllowsOrigin {
  const isListed = listedOrigins(origins);
  return (origin, request) => isListed(origin, request) || isOwnHost(origin, request, domains);
}

/**
 * Cross-origin rules (docs/contract.md 2.4): only a request with an allowed `Origin` gets an answer that its page may read. `OPTIONS` on
 * any address is answered here, without a token and before the methods of the address are known, so its `allow` names none. Returns whether
 * the request is answered.
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

/** By the pattern of the hosts only: nothing is looked up for unauthenticated requests. */
function isOwnHost(origin: string, request: ParsedRequest, domains: HostDomains): boolean {
  const scheme = `${domains.protocol}://`;
  if (!origin.startsWith(scheme)) return false;
  const host = parseSiteHost(origin.slice(scheme.length), domains);
  if (host === undefined) return false;
  const { org, site } = siteOf(request) ?? {};
  return org === host.org && site === host.site;
}

/**
 * The site of a request. `/profile` is about a person and may name one as well: a page that has a token may learn its owner, but a cookie
 * does not show which page is asking.
 */
function siteOf(request: ParsedRequest): { org: string; site: string } | undefined {
  const [path = '', query] = (request.url ?? '').split('?', 2);
  const named = OF_A_SITE.map((form) => form.exec(path)).find((match) => match !== null);
  if (named !== undefined) return placeOf(named[1], named[2]);
  const profile = PROFILE.exec(path);
  if (profile === null || !(request.method === 'OPTIONS' || hasOwnToken(request))) return undefined;
  const params = new URLSearchParams(query);
  return placeOf(profile[1] ?? params.get('org'), profile[2] ?? params.get('site'));
}

function placeOf(org: string | null | undefined, site: string | null | undefined): { org: string; site: string } | undefined {
  return typeof org === 'string' && typeof site === 'string' ? { org, site } : undefined;
}

function hasOwnToken({ headers }: ParsedRequest): boolean {
  return presentedToken(requestHeaders({ headers }))?.credential === 'header';
}

/** Addresses of a site, the first match wins; signing in is excluded because the cookie would reveal the person. */
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

/** The refusal of a call that the public service has and this one does not, the same for everyone; undefined for other addresses. */
export function notOffered({ method, originalUrl }: { readonly method: string; readonly originalUrl: string }): Refusal | undefined {
  const found = notOfferedAt(method, originalUrl.split('?', 1)[0] ?? '');
  return found === undefined ? undefined : new Refusal('NOT_OFFERED', notOfferedSentence(found));
}

/** Configuration is JSON, except for robots.txt, query.yaml and sitemap.yaml: every other extension is refused before anything is read. */
export function refuseConfigType(url: string): void {
  refuseDoubleSlash(url);
  if (/^\/config\/[^?]+(?:\.json|\/robots\.txt|\/content\/(?:query|sitemap)\.yaml)(?:\?|$)/.test(url)) return;
  throw new Refusal('CONFIG_TYPE_INVALID', 'invalid config type');
}

/** An address that would mean something else without its empty segment. */
export function refuseDoubleSlash(url: string): void {
  const [path = ''] = url.split('?', 1);
  if (!path.includes('//')) return;
  throw new Refusal('ROUTE_NOT_FOUND', `The address has two slashes in a row. Write "${path.replaceAll(/\/{2,}/g, '/')}".`);
}

function refuseNoBranch(url: string): void {
  const [, site] = /^\/code(\/[a-z0-9-]+\/[a-z0-9-]+)\/?(?:\?|$)/.exec(url) ?? [];
  if (site === undefined) return;
  throw new Refusal('ROUTE_NOT_FOUND', `The address of code needs a branch. Write "/code${site}/${DEFAULT_REF}".`);
}

export function refuseRoute(request: { readonly method: string; readonly originalUrl: string }): never {
  refuseDoubleSlash(request.originalUrl);
  refuseNoBranch(request.originalUrl);
  const refusal = notOffered(request);
  if (refusal !== undefined) throw refusal;
  throw new Refusal('ROUTE_NOT_FOUND', 'There is no call at this address. /openapi.json lists the calls of the service.');
}

/** The refusal of a method, which also sets the header with the allowed ones. */
export function methodNotAllowed(response: ServerResponse, allow: string): Refusal {
  response.setHeader('allow', allow);
  return new Refusal('METHOD_NOT_ALLOWED', 'method not allowed');
}

/** Paths that are answered whatever the load. */
export const PROBES: ReadonlySet<string> = new Set(['/live', '/ready', '/health']);
