import type { Endpoint } from '@repoless/contract/endpoint.ts';
import { ERRORS } from '@repoless/contract/errors.ts';
import type { Request, Response } from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Outcome } from '../domain/context.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { type Facts, NO_TRACING, serverFacts, type TraceIds, type Tracing } from '../tracing/tracing.ts';
import type { Caller } from '../sessions/identity.ts';

export interface RequestLog {
  request(line: RequestLine): void;
  failure(requestId: string, error: unknown): void;
}

export interface RequestLine extends Partial<TraceIds> {
  readonly requestId: string;
  /** The path of the call, as in the table, e.g. `/config/{org}.json`. */
  readonly route?: string | undefined;
  readonly method: string;
  /** Without the query, which may contain codes. */
  readonly path: string;
  /** The client: the address of the connection, or what a trusted proxy says. */
  readonly address: string;
  readonly host?: string;
  /** The caller, or the person signed in by the request: e-mail address, technical account or `api-key:<id>`. */
  readonly user?: string | undefined;
  readonly status: number;
  readonly code?: string | undefined;
  /** What it did that its path does not say. */
  readonly event?: string | undefined;
  readonly milliseconds?: number;
  /** For a request that cannot be parsed: the message of the HTTP parser. */
  readonly reason?: string;
  /** Lines of the same kind omitted before this one. */
  readonly unlogged?: number;
}

/** Gives the request its id, returns it to the caller, and logs one line when the answer was sent. */
export function startRequest(
  request: Request,
  response: Response,
  {
    newId,
    log,
    clientAddress,
  }: { newId: () => string; log: Pick<RequestLog, 'request'>; clientAddress: (request: IncomingMessage) => string },
): void {
  const arrived = performance.now();
  const { method, url, headers } = request;
  const [id] = [headers['x-request-id']].flat();
  const requestId = requestIdOf(id, newId);
  const notes = notesOf(response);
  notes.arrived = arrived;
  // No longer available when the line is written.
  const address = clientAddress(request);
  response.setHeader('x-request-id', requestId);
  response.once('close', () => {
    const milliseconds = Math.round((performance.now() - arrived) * 100) / 100;
    const { route, user, event, trace } = notes;
    const { statusCode: status } = response;
    const code = errorCodeOf(response);
    log.request({ requestId, ...trace, route, method, path: url.split('?', 1)[0] ?? '', address, user, status, code, event, milliseconds });
  });
}

/** What becomes known about a request, for its line in the log. */
interface Notes {
  /** By `performance.now()`. */
  arrived?: number;
  route?: string;
  user?: string;
  event?: string;
  trace?: TraceIds;
}

function notesOf({ locals }: Response): Notes {
  return locals;
}

function errorCodeOf(response: ServerResponse): string | undefined {
  const code = response.getHeader('x-error-code');
  return typeof code === 'string' ? code : undefined;
}

export function requestIdOfResponse(response: ServerResponse): string {
  return String(response.getHeader('x-request-id') ?? '');
}

export function noteRoute(response: Response, path: string): void {
  notesOf(response).route = path;
}

export function noteCaller(response: Response, caller: Caller): void {
  if (caller.kind === 'user') noteUser(response, caller.email);
}

/** Who was signed in by the request, and what it did that its address does not say. */
export function noteOutcome(response: Response, { user, event }: Pick<Outcome, 'user' | 'event'>): void {
  if (user !== undefined) noteUser(response, user);
  if (event !== undefined) notesOf(response).event = event;
}

/** Writes several lines per second, with the number omitted before: requests that cost their sender nothing must not fill the log. */
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
  notesOf(response).user = user.slice(0, LONGEST_USER);
}

/** The caller's id if it is a plain word, because it is logged and returned unchanged; otherwise a new one (docs/contract.md 2.9). */
function requestIdOf(header: string | undefined, make: () => string): string {
  return header !== undefined && /^[\w.:-]{1,128}$/.test(header) ? header : make();
}

const LONGEST_USER = 200;

/** For requests that are refused unread, and for those over the limit, each. */
const LINES_PER_SECOND = 20;

interface TracedRequest {
  readonly row: Endpoint;
  readonly params: Readonly<Record<string, unknown>>;
  /** An authenticated request continues the caller's trace; any other starts a new one. */
  readonly isKnown: boolean;
}

export interface RequestTraces {
  /** The rest of a request within its trace, which ends when the answer was sent. */
  within<T>(request: Request, response: Response, traced: TracedRequest, work: () => Promise<T>): Promise<T>;
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
      const { arrived: began = performance.now() } = notesOf(response);
      const trace = tracing.arrived({ name: `${method} ${row.path}`, facts, began, traceparent, isKnown });
      if (trace === undefined) return work();
      notesOf(response).trace = trace.ids;
      response.once('close', () => trace.end(answerFacts(response)));
      return trace.run(work);
    },
    operation(row, work) {
      return tracing.part({ name: ids.get(row) ?? row.path, kind: 'internal', facts: {}, answered }, work);
    },
  };
}

/** Names of organizations and sites are in every address, and traces are found by them. */
function placeFacts({ org, site }: Readonly<Record<string, unknown>>): Facts {
  return { ...(typeof org === 'string' && { 'repoless.org': org }), ...(typeof site === 'string' && { 'repoless.site': site }) };
}

function answerFacts(response: Response): Facts {
  const { statusCode } = response;
  const code = errorCodeOf(response);
  const failed = statusCode >= 500 && { 'error.type': code ?? String(statusCode) };
  return { 'http.response.status_code': statusCode, ...(code !== undefined && { 'repoless.error_code': code }), ...failed };
}

/** A refusal counts as an answer. */
function answered(error: unknown): Facts | undefined {
  return error instanceof Refusal && ERRORS[error.code].status < 500 ? { 'repoless.error_code': error.code } : undefined;
}
