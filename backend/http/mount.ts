import type { Express, Request, Response } from 'express';
import { aliasesOf } from '#contract/aliases.ts';
import type { Alias } from '#contract/aliases.ts';
import type { Caller } from '#backend/domain/caller.ts';
import type { Context } from '#backend/domain/context.ts';
import { answer } from './answer.ts';
import type { Call } from './call.ts';
import { checkCredential } from './credential.ts';
import { methodNotAllowed } from './method-not-allowed.ts';
import type { Authenticate, Authorize } from './ports.ts';
import type { RateLimit } from './rate-limit.ts';
import { readBody } from './request-body.ts';
import { requestHeaders } from './request-headers.ts';
import { requestIdOfResponse } from './request-log.ts';
import { expressPath, joinParams } from './route.ts';

/** What stands between a request and its verb. */
export interface Door {
  readonly authenticate: Authenticate;
  readonly authorize: Authorize;
  readonly rateLimit: RateLimit;
  /** Bytes. */
  readonly bodyLimit: number;
  /** Scheme, host and port of the service itself. */
  readonly ownOrigin: string;
  context(caller: Caller, requestId: string): Context;
}

/**
 * Mounts every call on its path, paths in the order of the calls, and after all of them the calls again on their aliases.
 * `HEAD` is answered wherever `GET` is.
 */
export function mount(app: Express, calls: readonly Call[], door: Door): void {
  const paths = [...byPath(calls)];
  for (const [path, here] of paths) mountPath(app, { path }, here, door);
  for (const [path, here] of paths) {
    for (const alias of aliasesOf(path)) mountPath(app, alias, here, door);
  }
}

function mountPath(app: Express, { path, defaults }: { path: string; defaults?: Alias['defaults'] }, here: Call[], door: Door): void {
  const byMethod = new Map<string, Call>(here.map((call) => [call.row.method, call]));
  const get = byMethod.get('GET');
  if (get !== undefined) byMethod.set('HEAD', get);
  const allow = [...byMethod.keys(), 'OPTIONS'].join(', ');
  app.all(expressPath(path), async (request, response) => {
    const call = byMethod.get(request.method);
    if (call === undefined) throw methodNotAllowed(response, allow);
    const found = joinParams(request.params);
    await serve(call, defaults === undefined ? found : { ...queried(request.url, defaults), ...found }, request, response, door);
  });
}

/** What an address leaves out, from its query where that names it. */
function queried(url: string, defaults: Readonly<Record<string, string>>): Record<string, string> {
  const query = new URLSearchParams(url.split('?')[1]);
  return Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, query.get(name) ?? value]));
}

function byPath(calls: readonly Call[]): Map<string, Call[]> {
  const paths = new Map<string, Call[]>();
  for (const call of calls) paths.set(call.row.path, [...(paths.get(call.row.path) ?? []), call]);
  return paths;
}

/** The order of defence: names in the path, content type, size, token, rate, permission, body, rules. */
async function serve(call: Call, found: Readonly<Record<string, string>>, request: Request, response: Response, door: Door): Promise<void> {
  const { row } = call;
  const params = call.params(found);
  const body = row.body === undefined ? undefined : await readBody(request, row.body, door.bodyLimit);
  const headers = requestHeaders(request);
  const presented = await door.authenticate(headers);
  const isPublic = row.permission === 'public';
  const caller = isPublic ? presented : checkCredential(presented, headers, row.method !== 'GET', door.ownOrigin);
  const context = door.context(caller, requestIdOfResponse(response));
  if (!isPublic) {
    const place = placeOf(params);
    door.rateLimit(caller, request.socket.remoteAddress ?? '', place.org ?? '', response);
    await door.authorize(context, row.permission, place);
  }
  answer(request, response, await call.run(context, { params, url: request.url, headers, body }));
}

function placeOf({ org, site }: Readonly<Record<string, unknown>>): { org?: string; site?: string } {
  return { ...(typeof org === 'string' && { org }), ...(typeof site === 'string' && { site }) };
}
