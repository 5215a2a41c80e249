import type { Permission } from '@repoless/contract/access.ts';
import type { Endpoint } from '@repoless/contract/endpoint.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import { type Alias, aliasesOf, notOfferedAt, notOfferedSentence } from '@repoless/contract/public-api.ts';
import type { Express, Request, Response } from 'express';
import type { ServerResponse } from 'node:http';
import { setTimeout as later } from 'node:timers/promises';
import type { Context, Permitted } from '../domain/context.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { severalPerTick } from '../domain/fair-share.ts';
import { notesOf, type RequestTraces } from '../log.ts';
import { answer } from './answer.ts';
import { checkCredential, networkOf, type RateLimit } from './caller.ts';
import { bodyReader, type Call, expressPath, joinParams, requestHeaders, type RequestHeaders, queueLargeBodies } from './parse-request.ts';
import { type ByteBudget, createByteBudget } from './request-body.ts';
import type { Caller } from '../sessions/identity.ts';

/** The caller; an invalid or expired token counts as none. `network`: the client's. */
export type Authenticate = (headers: RequestHeaders, about: { readonly row: Endpoint; readonly network: string }) => Promise<Caller>;

/** The organization and the site in the path of a call. */
interface Scope {
  readonly org: string | undefined;
  readonly site: string | undefined;
}

/** Throws the Refusal NOT_AUTHENTICATED or NOT_AUTHORIZED. Returns what was read for the check. */
type Authorize<C = Context> = (context: C, permission: Permission, scope: Scope) => Promise<Permitted | undefined>;

/** What a context has of its request. `address`: the client's network. */
type RequestContext = Pick<Context, 'caller' | 'requestId' | 'address'>;

/** What precedes an operation, which receives a `C`. */
export interface RequestGuards<C = Context> {
  readonly authenticate: Authenticate;
  readonly authorize: Authorize<C>;
  readonly rateLimit: RateLimit;
  /** Bytes. */
  readonly bodyLimit: number;
  readonly ownOrigin: string;
  readonly traces: RequestTraces;
  /** The rest of a context, the same for every request. */
  readonly services: Omit<C, keyof RequestContext>;
}

/**
 * `budget`: for the bodies of unauthenticated callers; `queueBody`: waits for the turn of a body; `signedTurn`: for that of a signed call, of
 * which a vendor may send a thousand at once: other requests have a turn after every few.
 */
interface Mounting<C> extends RequestGuards<C> {
  readonly budget: ByteBudget;
  readonly queueBody: (bytes: number) => Promise<void>;
  readonly signedTurn: () => Promise<void>;
}

/** Mounts every call on its path, in their order, and then all again on their aliases. */
export function mount<C extends object>(app: Express, calls: readonly Call<C>[], guards: RequestGuards<C>): void {
  const paths = [...byPath(calls)];
  const mounting = {
    ...guards,
    budget: createByteBudget(Math.max(LIMITS.unknownBodies, 4 * guards.bodyLimit)),
    queueBody: queueLargeBodies(),
    signedTurn: severalPerTick(SIGNED_A_TURN),
  };
  for (const [path, here] of paths) mountPath(app, { path }, here, mounting);
  for (const [path, here] of paths) {
    for (const alias of aliasesOf(path)) mountPath(app, alias, here, mounting);
  }
}

function mountPath<C extends object>(
  app: Express,
  { path, defaults }: { path: string; defaults?: Alias['defaults'] },
  here: Call<C>[],
  guards: Mounting<C>,
): void {
  mountMethods(app, path, here, async (call, request, response, allow) => {
    if (call === undefined) throw notOffered(request) ?? methodNotAllowed(response, allow);
    const found = joinParams(request.params);
    const params = defaults === undefined ? found : { ...queried(request.url, defaults), ...found };
    await hidingOrganizations(() => serve(call, params, request, response, guards));
  });
}

/** The calls of one path. `HEAD` is answered wherever `GET` is; a method without a call gets undefined. */
export function mountMethods<C>(
  app: Express,
  path: string,
  calls: readonly Call<C>[],
  handle: (call: Call<C> | undefined, request: Request, response: Response, allow: string) => Promise<void>,
): void {
  const byMethod = new Map<string, Call<C>>(calls.map((call) => [call.row.method, call]));
  const get = byMethod.get('GET');
  if (get !== undefined) byMethod.set('HEAD', get);
  const allow = [...byMethod.keys(), 'OPTIONS'].join(', ');
  app.route(expressPath(path)).all((request, response) => handle(byMethod.get(request.method), request, response, allow));
}

/** Parameters that an address leaves out, from its query if that has them. */
function queried(url: string, defaults: Readonly<Record<string, string>>): Record<string, string> {
  const query = new URLSearchParams(url.split('?')[1]);
  return Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, query.get(name) ?? value]));
}

export function byPath<C>(calls: readonly Call<C>[]): Map<string, Call<C>[]> {
  const paths = new Map<string, Call<C>[]>();
  for (const call of calls) paths.set(call.row.path, [...(paths.get(call.row.path) ?? []), call]);
  return paths;
}

/**
 * The order of defence: names in the path, content type, size, token, rate, permission, body, rules. No body is held before its sender is
 * authorized to send it; those that anyone may send share a budget.
 */
async function serve<C extends object>(
  call: Call<C>,
  found: Readonly<Record<string, string>>,
  request: Request,
  response: Response,
  guards: Mounting<C>,
): Promise<void> {
  const { row } = call;
  const notes = notesOf(response);
  notes.route = row.path;
  const params = call.params(found);
  const read = bodyReader(request, row.body, bodyLimit(row, guards.bodyLimit));
  const headers = requestHeaders(request);
  const network = networkOf(notes.address);
  const presented = await guards.authenticate(headers, { row, network });
  if (presented.kind === 'user') notes.user = presented.email;
  const isKnown = presented.kind !== 'anonymous';
  await guards.traces.within(request, response, { row, params, isKnown }, async () => {
    const isPublic = row.permission === 'public';
    const caller = isPublic ? presented : checkCredential(presented, headers, row.method !== 'GET', guards.ownOrigin);
    if (row.unlimited !== true) guards.rateLimit(caller, network, response);
    const own: RequestContext = { caller, requestId: notes.requestId, address: network };
    // Safe: the services are a context without these members.
    const context = Object.assign(own, guards.services) as unknown as C;
    const permitted = isPublic ? undefined : await guards.authorize(context, row.permission, scopeOf(params));
    if (row.body?.raw === true) await guards.signedTurn();
    const body = await read(caller.kind === 'anonymous' ? (bytes) => guards.budget.reserve(response, bytes) : undefined);
    if (body !== undefined) await guards.queueBody(body.bytes.length);
    const arrived = { params, url: request.url, headers, body };
    const outcome = await guards.traces.operation(row, () => call.run(row.method === 'GET' ? { permitted, ...context } : context, arrived));
    notes.user = outcome.user ?? notes.user;
    notes.event = outcome.event;
    answer(request, response, outcome);
  });
}

/**
 * Callers without a role get the same answer whether or not the organization exists, but only existing ones have lists to read. To hide the
 * difference in time, the answer is sent at a whole multiple of a step.
 */
async function hidingOrganizations<T>(work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal && error.code === 'ORG_NOT_FOUND') await later(STEP - ((performance.now() - started) % STEP));
    throw error;
  }
}

/** Milliseconds. The lists of the largest organizations are read in a tenth of it. */
const STEP = 50;

/** Signed calls per turn, each taking less than a millisecond. */
const SIGNED_A_TURN = 8;

/** Public calls have small bodies; signed ones have the usual limit. */
function bodyLimit({ permission, body }: Endpoint, limit: number): number {
  if (permission !== 'public' || body === undefined || body.raw === true) return limit;
  return Math.min(limit, body.limit ?? LIMITS.publicBody);
}

function scopeOf({ org, site }: Readonly<Record<string, unknown>>): Scope {
  return { org: typeof org === 'string' ? org : undefined, site: typeof site === 'string' ? site : undefined };
}

/** The refusal of a call that the public service has and this one does not, the same for everyone; undefined for other addresses. */
function notOffered({ method, originalUrl }: { readonly method: string; readonly originalUrl: string }): Refusal | undefined {
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
