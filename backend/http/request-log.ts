import type { ServerResponse } from 'node:http';
import type { Request, Response } from 'express';
import type { Caller } from '../domain/caller.ts';
import type { Outcome } from '../domain/operation.ts';
import type { TraceIds } from '../tracing/tracing.ts';
import type { ClientAddress } from './client-address.ts';
import type { RequestLine, RequestLog } from './ports.ts';

/** Gives the request its id, returns it to the caller, and logs one line when the answer is out. Out: the id. */
export function startRequest(
  request: Request,
  response: Response,
  { newId, log, clientAddress }: { newId: () => string; log: Pick<RequestLog, 'request'>; clientAddress: ClientAddress },
): string {
  const began = performance.now();
  const { method, url, headers } = request;
  const [given] = [headers['x-request-id']].flat();
  const requestId = requestIdOf(given, newId);
  response.locals[ARRIVED] = began;
  // Gone with the connection by the time that the line is written.
  const address = clientAddress(request);
  response.setHeader('x-request-id', requestId);
  response.once('close', () => {
    const milliseconds = Math.round((performance.now() - began) * 100) / 100;
    const { route, user, more, trace } = toldOf(response);
    const { statusCode: status } = response;
    log.request({ requestId, ...trace, ...route, method, path: pathOf(url), address, ...user, status, ...more, milliseconds });
  });
  return requestId;
}

/** The id that `startRequest` gave. */
export function requestIdOfResponse(response: ServerResponse): string {
  return String(response.getHeader('x-request-id') ?? '');
}

/** The path of the call that the request reached, for its line in the log. */
export function noteRoute(response: Response, path: string): void {
  response.locals[ROUTE] = path;
}

/** By what its trace is found, for its line in the log. */
export function noteTrace(response: Response, ids: TraceIds): void {
  response.locals[TRACE] = ids;
}

/** When the request came, by `performance.now()`. */
export function arrivalOf(response: Response): number {
  const { [ARRIVED]: began }: Readonly<Record<string, unknown>> = response.locals;
  return typeof began === 'number' ? began : performance.now();
}

/** Who makes the request, for its line in the log. */
export function noteCaller(response: Response, caller: Caller): void {
  if (caller.kind === 'user') noteUser(response, caller.email);
}

/** Whom the request signed in, and what it did that its address does not say. */
export function noteOutcome(response: Response, { user, event }: Pick<Outcome, 'user' | 'event'>): void {
  if (user !== undefined) noteUser(response, user);
  if (event !== undefined) response.locals[EVENT] = event;
}

/**
 * Passes on a few lines a second; the next line that is passed on says how many were left out before it
 * (`unlogged`). For requests that cost their sender nothing: the log must not grow by them without a bound.
 */
export function throttleLines(write: (line: RequestLine) => void): (line: RequestLine) => void {
  let second = 0;
  let written = 0;
  let unlogged = 0;
  return (line) => {
    const present = Math.floor(Date.now() / 1000);
    if (present !== second) [second, written] = [present, 0];
    if (written >= LINES_PER_SECOND) return void (unlogged += 1);
    written += 1;
    write(unlogged === 0 ? line : { ...line, unlogged });
    unlogged = 0;
  };
}

function noteUser(response: Response, user: string): void {
  response.locals[USER] = user.slice(0, LONGEST_USER);
}

/**
 * The id of a request (docs/contract.md 2.9): taken from the caller where it is a plain word (it is logged and returned as it
 * is), else made.
 */
function requestIdOf(header: string | undefined, make: () => string): string {
  return header !== undefined && /^[\w.:-]{1,128}$/.test(header) ? header : make();
}

interface Told {
  readonly route: { route?: string };
  readonly user: { user?: string };
  readonly more: { code?: string; event?: string };
  readonly trace: TraceIds | undefined;
}

function toldOf(response: Response): Told {
  const { [ROUTE]: route, [USER]: user, [EVENT]: event, [TRACE]: trace }: Readonly<Record<string, unknown>> = response.locals;
  const code = response.getHeader('x-error-code');
  return {
    route: typeof route === 'string' ? { route } : {},
    user: typeof user === 'string' ? { user } : {},
    more: { ...(typeof code === 'string' && { code }), ...(typeof event === 'string' && { event }) },
    // Safe: `noteTrace` alone sets it.
    trace: trace as TraceIds | undefined,
  };
}

const ROUTE = 'route';
const USER = 'user';
const EVENT = 'event';
const TRACE = 'trace';
const ARRIVED = 'arrived';
const LONGEST_USER = 200;

function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}

/** Of requests that are refused unread, and of those that are too many, each. */
const LINES_PER_SECOND = 20;
