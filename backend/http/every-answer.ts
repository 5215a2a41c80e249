import { type HostDomains, parseSiteHost } from '@repoless/contract/addresses.ts';
import type { Express, Request, Response } from 'express';
import helmet from 'helmet';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Refusal } from '@repoless/contract/refusal.ts';
import { answerError, NO_STORE } from './answer.ts';
import { type ClientAddress, presentedToken } from './caller.ts';
import { requestHeaders } from './parse-request.ts';
import { notesOf, type RequestLog, startRequest, throttleLines } from '../log.ts';

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
  app.use((error: unknown, request: Request, response: Response, _next: unknown) =>
    answerError(request, response, error, { requestId: notesOf(response).requestId, log }),
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
  if (named !== undefined) return pairOf(named[1], named[2]);
  const profile = PROFILE.exec(path);
  if (profile === null || !(request.method === 'OPTIONS' || hasOwnToken(request))) return undefined;
  const params = new URLSearchParams(query);
  return pairOf(profile[1] ?? params.get('org'), profile[2] ?? params.get('site'));
}

function pairOf(org: string | null | undefined, site: string | null | undefined): { org: string; site: string } | undefined {
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

/** Paths that are answered whatever the load. */
export const PROBES: ReadonlySet<string> = new Set(['/live', '/ready', '/health']);

export interface LoadShedding {
  isOverloaded(): boolean;
  /** Refuses a request before any work if the node is overloaded. Returns whether it was answered. */
  refuse(request: IncomingMessage, response: ServerResponse): boolean;
  close(): void;
}

interface LoadSheddingOptions {
  /** The program at the start of a sentence, e.g. `The service`. */
  readonly title: string;
  /** Milliseconds by which the event loop may be late; 0: no limit. */
  readonly limit: number;
  readonly allowsOrigin: AllowsOrigin;
  /** Whether a Host header is one of the program's own. */
  isServiceHost(host: string): boolean;
  newId(): string;
  /** Receives several lines of refusals per second. */
  readonly log: Pick<RequestLog, 'request'>;
  clientAddress(request: IncomingMessage): string;
}

/**
 * Refuses new requests (503 OVERLOADED with `retry-after`) while the event loop is late by more than the limit: senders give up requests
 * that wait longer, and the work would be wasted. A timer measures how late the last turn of the loop was, and the time since it was due,
 * how late the current one is, because a turn handles all requests that have arrived. Health calls are never refused (docs/contract.md
 * 2.12).
 */
export function createLoadShedding(options: LoadSheddingOptions): LoadShedding {
  const logRefusal = throttleLines(options.log.request);
  let due = performance.now() + EACH;
  let delay = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    delay = now - due;
    due = now + EACH;
  }, EACH);
  timer.unref();
  const isOverloaded = (): boolean => options.limit > 0 && Math.max(delay, performance.now() - due) > options.limit;

  return {
    isOverloaded,
    refuse(request, response) {
      if (!isOverloaded() || isProbe(request, options.isServiceHost)) return false;
      const requestId = options.newId();
      setCommonHeaders(response, requestId);
      if (hasBody(request)) response.setHeader('connection', 'close');
      if (answerCors(request, response, options.allowsOrigin)) return true;
      const refusal = new Refusal('OVERLOADED', `${options.title} is overloaded. Try again in a moment.`, { retryAfter: 1 });
      answerError(request, response, refusal, { requestId, log: { failure: () => undefined } });
      const { method = '', url = '' } = request;
      const [path = ''] = url.split('?', 1);
      logRefusal({ requestId, method, path, address: options.clientAddress(request), status: 503, code: 'OVERLOADED' });
      return true;
    },
    close: () => clearInterval(timer),
  };
}

function isProbe({ url = '', headers }: IncomingMessage, isServiceHost: (host: string) => boolean): boolean {
  return PROBES.has(url.split('?', 1)[0] ?? '') && isServiceHost(headers.host ?? '');
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Of an answer before the app's own. */
export function setCommonHeaders(response: ServerResponse, requestId: string): void {
  response.setHeader('x-request-id', requestId);
  response.setHeader('cache-control', NO_STORE);
  response.setHeader('x-content-type-options', 'nosniff');
}

/** Milliseconds between two measurements. */
const EACH = 50;
