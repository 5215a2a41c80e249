import type { Endpoint } from '@repoless/contract/endpoint.ts';
import { ERRORS } from '@repoless/contract/errors.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { Request, Response } from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';
import pino, { type DestinationStream } from 'pino';
import { type Facts, NO_TRACING, serverFacts, type TraceIds, type Tracing } from './tracing/tracing.ts';

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

export interface Log extends RequestLog {
  /** `ids`: the span that the line belongs to. */
  info(message: string, ids?: TraceIds): void;
  error(message: string, ids?: TraceIds): void;
  failure(requestId: string, error: unknown, ids?: TraceIds): void;
}

/**
 * One JSON line for each event, on standard output, with the name of its process if a program has several. Nothing that is logged should
 * contain a secret in the first place; what does by accident is sealed by its name, or because it looks like a token.
 */
export function createLog(level: string, destination?: DestinationStream, process?: string): Log {
  const options = { level, base: process === undefined ? null : { process }, timestamp: pino.stdTimeFunctions.isoTime };
  const sealed = { ...options, redact: { paths: SEALED, censor: '[sealed]' } };
  const stream = destination ?? pino.destination(1);
  const logger = pino(sealed, stream);
  // A request's line has only the fields of its type, and searching for others costs more than the rest of the line.
  const lines = pino(options, stream);
  return {
    info: (message, ids) => logger.info({ ...ids }, message),
    error: (message, ids) => logger.error({ ...ids }, sealTokens(message)),
    request({ requestId, trace_id, span_id, route, method, host, path: rawPath, address, user, status, code, event, ...rest }) {
      const { milliseconds, reason, unlogged } = rest;
      const line = { requestId, trace_id, span_id, route, method, host, path: sealTokens(rawPath), address, user, status, code, event };
      lines.info(Object.assign(line, { milliseconds, reason, unlogged }), 'request');
    },
    failure: (requestId, error, ids) => logger.error({ requestId, ...ids, ...describe(error) }, 'failure'),
  };
}

const NAMES = [
  'authorization',
  'cookie',
  '["set-cookie"]',
  '["x-auth-token"]',
  '["x-content-source-authorization"]',
  'token',
  'secret',
  'value',
];
const SEALED = NAMES.flatMap((name) => (name.startsWith('[') ? [name, `*${name}`, `*.*${name}`] : [name, `*.${name}`, `*.*.${name}`]));
/** Reads every character once: anyone may send a path full of partial matches. */
const TOKEN = /\beyJ[\w-]+(?:\.[\w-]*)*|\b(?:bearer|token)\s+\S+/gi;

/** The text without what looks like a token. */
export function sealTokens(text: string): string {
  return text.replaceAll(TOKEN, '[sealed]');
}

/** Its name, message, code, stack and cause; no other property, because it may contain a request. */
function describe(error: unknown, depth = 0): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: sealTokens(String(error)) };
  return {
    error: `${error.name}: ${sealTokens(error.message)}`,
    ...('code' in error && typeof error.code === 'string' && { code: error.code }),
    ...(error.stack !== undefined && { stack: sealTokens(error.stack) }),
    ...(error.cause !== undefined && depth < 3 && { cause: describe(error.cause, depth + 1) }),
  };
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
  const { method, url, headers } = request;
  const [id] = [headers['x-request-id']].flat();
  const requestId = requestIdOf(id, newId);
  // The address is no longer available when the line is written.
  const notes = Object.assign(notesOf(response), { arrived: performance.now(), requestId, address: clientAddress(request) });
  response.setHeader('x-request-id', requestId);
  response.once('close', () => {
    const { route, address, event, trace } = notes;
    const user = notes.user?.slice(0, LONGEST_USER);
    const milliseconds = Math.round((performance.now() - notes.arrived) * 100) / 100;
    const { statusCode: status } = response;
    const code = errorCodeOf(response);
    log.request({ requestId, ...trace, route, method, path: url.split('?', 1)[0] ?? '', address, user, status, code, event, milliseconds });
  });
}

/** What becomes known about a request, for its line in the log. */
interface Notes {
  /** By `performance.now()`. */
  arrived: number;
  requestId: string;
  /** The client's. */
  address: string;
  /** The path of the call, as in the table. */
  route?: string;
  /** The caller, or the person signed in by the request. */
  user?: string | undefined;
  /** What it did that its address does not say. */
  event?: string | undefined;
  trace?: TraceIds;
}

/** The cast is safe: `startRequest` sets the members that are always there. */
export function notesOf({ locals }: Response): Notes {
  return locals as Notes;
}

function errorCodeOf(response: ServerResponse): string | undefined {
  const code = response.getHeader('x-error-code');
  return typeof code === 'string' ? code : undefined;
}

/** Writes several lines per second, with the number omitted before: requests that cost their sender nothing must not fill the log. */
export function throttleLines(write: (line: RequestLine) => void): (line: RequestLine) => void {
  let second = 0;
  let written = 0;
  let unlogged = 0;
  return (line) => {
    const current = Math.floor(Date.now() / 1000);
    if (current !== second) [second, written] = [current, 0];
    if (written >= LINES_PER_SECOND) return void (unlogged += 1);
    written += 1;
    write(unlogged === 0 ? line : { ...line, unlogged });
    unlogged = 0;
  };
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
      const call = { 'http.request.method': method, 'http.route': row.path, 'repoless.request_id': notesOf(response).requestId };
      const facts = { ...own, ...call, ...placeFacts(params) };
      const { arrived: began } = notesOf(response);
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
