import type { Endpoint } from '@repoless/contract/endpoint.ts';
import { ERRORS } from '@repoless/contract/errors.ts';
import type { Request, Response } from 'express';
import type { ServerResponse } from 'node:http';
import type { Caller, Outcome } from '../domain/context.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { type Facts, NO_TRACING, type TraceIds, type Tracing } from '../tracing/tracing.ts';
import type { ClientAddress } from './caller.ts';

/** Writes lines of the log, and unexpected errors. Neither contains a secret. */
export interface RequestLog {
  request(line: RequestLine): void;
  failure(requestId: string, error: unknown): void;
}

export interface RequestLine extends Partial<TraceIds> {
  readonly requestId: string;
  /** The path of the call, as in the table, e.g. `/config/{org}.json`. */
  readonly route?: string;
  readonly method: string;
  /** Without the query, which may contain codes. */
  readonly path: string;
  /** The client: the address of the connection, or what a trusted proxy says. */
  readonly address: string;
  /** The name of a preview or live host. */
  readonly host?: string;
  /** The caller, or the person signed in by the request: e-mail address, technical account or `api-key:<id>`. */
  readonly user?: string;
  readonly status: number;
  /** Why it was refused. */
  readonly code?: string;
  /** What it did that its path does not say. */
  readonly event?: string;
  readonly milliseconds?: number;
  /** For a request that cannot be parsed: the message of the HTTP parser. */
  readonly reason?: string;
  /** Lines of the same kind omitted before this one. */
  readonly unlogged?: number;
}

/** Gives the request its id, returns it to the caller, and logs one line when the answer was sent. Returns the id. */
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
  // No longer available when the line is written.
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

/** The id from `startRequest`. */
export function requestIdOfResponse(response: ServerResponse): string {
  return String(response.getHeader('x-request-id') ?? '');
}

/** The path of the call, for the request's line in the log. */
export function noteRoute(response: Response, path: string): void {
  response.locals[ROUTE] = path;
}

/** The identifiers of the trace, for the request's line in the log. */
function noteTrace(response: Response, ids: TraceIds): void {
  response.locals[TRACE] = ids;
}

/** When the request arrived, by `performance.now()`. */
function arrivalOf(response: Response): number {
  const { [ARRIVED]: began }: Readonly<Record<string, unknown>> = response.locals;
  return typeof began === 'number' ? began : performance.now();
}

/** The caller, for the request's line in the log. */
export function noteCaller(response: Response, caller: Caller): void {
  if (caller.kind === 'user') noteUser(response, caller.email);
}

/** Who was signed in by the request, and what it did that its address does not say. */
export function noteOutcome(response: Response, { user, event }: Pick<Outcome, 'user' | 'event'>): void {
  if (user !== undefined) noteUser(response, user);
  if (event !== undefined) response.locals[EVENT] = event;
}

/**
 * Passes on several lines per second; the next line says how many were omitted before it (`unlogged`). For requests that cost their sender
 * nothing: they must not make the log grow without limit.
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
 * The id of a request (docs/contract.md 2.9): the caller's if it is a plain word, because it is logged and returned unchanged; otherwise
 * generated.
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
    // Safe: only `noteTrace` sets it.
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

/** For requests that are refused unread, and for those over the limit, each. */
const LINES_PER_SECOND = 20;

interface TracedRequest {
  readonly row: Endpoint;
  readonly params: Readonly<Record<string, unknown>>;
  /** An authenticated request continues the caller's trace; any other starts a new one. */
  readonly isKnown: boolean;
}

/** The traces of a program's requests. */
export interface RequestTraces {
  /** The rest of a request within its trace, which ends when the answer was sent. */
  within<T>(request: Request, response: Response, traced: TracedRequest, work: () => Promise<T>): Promise<T>;
  /** The operation of a call, as part of its request. */
  operation<T>(row: Endpoint, work: () => Promise<T>): Promise<T>;
}

/**
 * Requests are named by method and path of the call, as in the table, and operations by id. Of what callers write, only names of
 * organizations and sites and the request id are included: no path, query or header. `address`: the program's address.
 */
export function requestTraces(tracing: Tracing, address: string, rows: readonly [id: string, row: Endpoint][]): RequestTraces {
  if (tracing === NO_TRACING) return { within: (_request, _response, _traced, work) => work(), operation: (_, work) => work() };
  const own = serverFacts(address);
  const ids = new Map(rows.map(([id, row]) => [row, id]));
  return {
    within(request, response, { row, params, isKnown }, work) {
      const { method } = request;
      const [traceparent] = [request.headers['traceparent']].flat();
      const call = { 'http.request.method': method, 'http.route': row.path, 'repoless.request_id': requestIdOfResponse(response) };
      const facts = { ...own, ...call, ...placeFacts(params) };
      const trace = tracing.arrived({ name: `${method} ${row.path}`, facts, began: arrivalOf(response), traceparent, isKnown });
      if (trace === undefined) return work();
      noteTrace(response, trace.ids);
      response.once('close', () => trace.end(answerFacts(response)));
      return trace.run(work);
    },
    operation(row, work) {
      return tracing.part({ name: ids.get(row) ?? row.path, kind: 'internal', facts: {}, answered }, work);
    },
  };
}

function serverFacts(address: string): Facts {
  const { hostname, port, protocol } = new URL(address);
  const scheme = protocol.slice(0, -1);
  return { 'url.scheme': scheme, 'server.address': hostname, 'server.port': Number(port || (scheme === 'https' ? 443 : 80)) };
}

/** Names of organizations and sites are in every address, and traces are found by them. */
function placeFacts({ org, site }: Readonly<Record<string, unknown>>): Facts {
  return { ...(typeof org === 'string' && { 'repoless.org': org }), ...(typeof site === 'string' && { 'repoless.site': site }) };
}

function answerFacts(response: Response): Facts {
  const { statusCode } = response;
  const code = response.getHeader('x-error-code');
  const refused = typeof code === 'string' && { 'repoless.error_code': code };
  const failed = statusCode >= 500 && { 'error.type': typeof code === 'string' ? code : String(statusCode) };
  return { 'http.response.status_code': statusCode, ...refused, ...failed };
}

/** A refusal counts as an answer. */
function answered(error: unknown): Facts | undefined {
  return error instanceof Refusal && ERRORS[error.code].status < 500 ? { 'repoless.error_code': error.code } : undefined;
}
