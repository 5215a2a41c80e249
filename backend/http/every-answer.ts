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
  /** As it begins a sentence, e.g. `The service`. */
  readonly title: string;
  /** Scheme, host and port where it is reached. */
  readonly publicAddress: string;
  /** What its pages may load and do; a program without pages has none of these. */
  readonly pagePolicy?: Readonly<Record<string, string[]>>;
  readonly allowsOrigin: AllowsOrigin;
  readonly log: RequestLog;
  readonly clientAddress: ClientAddress;
  newId(): string;
  /** The program is stopping: running work finishes, new work is refused. */
  isStopping(): boolean;
}

/** Fills an empty app with what every answer of a program has in common; `mountCalls` puts its calls into it. */
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

/**
 * What helmet sets, which is the same on every answer. Pages of the sign-in set a policy of their own; a window that they are opened
 * in must keep its opener.
 */
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

/** The refusal of a call that the public service has and this one does not, the same for everybody; undefined for other addresses. */
export function notOffered({ method, originalUrl }: { readonly method: string; readonly originalUrl: string }): Refusal | undefined {
  const found = notOfferedAt(method, originalUrl.split('?', 1)[0] ?? '');
  return found === undefined ? undefined : new Refusal('NOT_OFFERED', notOfferedSentence(found));
}

/** A configuration is JSON, but for robots.txt, query.yaml and sitemap.yaml: every other ending is refused before anything is looked up. */
export function refuseConfigType(url: string): void {
  refuseDoubleSlash(url);
  if (/^\/config\/[^?]+(?:\.json|\/robots\.txt|\/content\/(?:query|sitemap)\.yaml)(?:\?|$)/.test(url)) return;
  throw new Refusal('CONFIG_TYPE_INVALID', 'invalid config type');
}

/** An address that would be another one without its empty segment. */
export function refuseDoubleSlash(url: string): void {
  const [path = ''] = url.split('?', 1);
  if (!path.includes('//')) return;
  throw new Refusal('ROUTE_NOT_FOUND', `The address has two slashes in a row. Write "${path.replaceAll(/\/{2,}/g, '/')}".`);
}

/** An address of the code of a site that lacks the branch. */
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

/** The refusal of a method, after saying which are allowed. */
export function methodNotAllowed(response: ServerResponse, allow: string): Refusal {
  response.setHeader('allow', allow);
  return new Refusal('METHOD_NOT_ALLOWED', 'method not allowed');
}

/** Paths that are answered whatever the load is. */
export const PROBES: ReadonlySet<string> = new Set(['/live', '/ready', '/health']);
