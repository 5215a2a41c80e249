import { refusalMembers } from '@repoless/contract/value-rules.ts';
import type { DryRun } from '@repoless/contract/endpoint-parts.ts';
import type { Endpoint } from '@repoless/contract/endpoint.ts';
import { ERRORS, type Problem } from '@repoless/contract/errors.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PrintedAnswer } from '../domain/answer-budget.ts';
import type { Context, Input, Outcome, Result } from '../domain/context.ts';
import { memoizePerDocument } from '../domain/documents.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { RequestLog } from '../log.ts';

export interface Reply extends Omit<Outcome, 'result' | 'prediction'> {
  readonly status: number;
}

/** A call about HTTP itself: signing in, what another program answered, the state of the service. */
export type HttpOperation<E extends Endpoint, C = Context> = (context: C, input: Input<E>) => Promise<Reply>;

/** On everything but the preview and live hosts (docs/contract.md 2.1). */
export const NO_STORE = 'no-store, private, must-revalidate';

/** Sends what an operation returned. A read whose `etag` the caller has is 304; one whose `if-match` does not match is 412. */
export function answer(request: IncomingMessage, response: ServerResponse, outcome: Outcome | Reply): void {
  const reply = replyOf(outcome);
  if (reply.printed !== undefined) follow(response, reply.printed);
  for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, typeof value === 'string' ? value : [...value]);
  if (reply.etag !== undefined) response.setHeader('etag', reply.etag);
  if (isUnchanged(request, reply)) {
    response.removeHeader('content-type');
    return void response.writeHead(304).end();
  }
  if (reply.stream !== undefined) return void sendStream(request, response, reply.status, reply.stream);
  if (reply.printed !== undefined) return void sendPrinted(request, response, reply.status, reply.printed);
  if (reply.body === undefined) return void response.writeHead(reply.status).end();
  const bytes = bytesOf(response, reply.body);
  response.setHeader('content-length', bytes.length);
  response.writeHead(reply.status).end(bytes, 'latin1');
}

/** The domain's answer with its status; a reply is unchanged. */
export function replyOf(outcome: Outcome | Reply): Reply {
  if ('status' in outcome) return outcome;
  const { result, prediction, ...rest } = outcome;
  const status = STATUSES[result];
  if (prediction === undefined) return { status, ...rest };
  const { diff, warnings, consequences } = prediction;
  const body: DryRun = {
    dryRun: true,
    status: STATUSES[prediction.result],
    result: prediction.body,
    diff,
    ...(warnings && { warnings: [...warnings] }),
    ...(consequences && { consequences: [...consequences] }),
  };
  return { status, ...rest, body };
}

/** Whether a list of etags, or `*`, names this one. */
function etagMatches(header: string, etag: string): boolean {
  const plain = (text: string) => text.trim().replace(/^W\//, '');
  return header.trim() === '*' || header.split(',').some((one) => plain(one) === plain(etag));
}

function isUnchanged(request: IncomingMessage, { status, etag }: Reply): boolean {
  if (status !== 200 || (request.method !== 'GET' && request.method !== 'HEAD')) return false;
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = request.headers;
  if (etag === undefined) {
    if (ifMatch === undefined || ifMatch.trim() === '*') return false;
    throw new Refusal('PRECONDITION_FAILED', 'This resource has no etag, so "if-match" cannot match. Omit "if-match".');
  }
  if (ifMatch !== undefined && !etagMatches(ifMatch, etag))
    throw new Refusal('PRECONDITION_FAILED', `The configuration has changed (etag ${etag}). Read it again.`);
  return ifNoneMatch !== undefined && etagMatches(ifNoneMatch, etag);
}

function bytesOf(response: ServerResponse, body: unknown): Uint8Array | string {
  if (body instanceof Uint8Array) return typed(response, 'application/octet-stream', body);
  if (typeof body === 'string') return typed(response, 'text/plain; charset=utf-8', Buffer.from(body));
  return typed(response, 'application/json', jsonOf(body));
}

/** A cached document is frozen, and can be sent repeatedly. */
function jsonOf(body: unknown): Uint8Array | string {
  return typeof body === 'object' && body !== null && Object.isFrozen(body)
    ? jsonOfStored(body)
    : asciiOrBytes(JSON.stringify(body, null, 2));
}

const jsonOfStored = memoizePerDocument((body: object) => asciiOrBytes(JSON.stringify(body, null, 2)));

/** Node sends a text together with the headers, whereas bytes need a second write; its length equals its bytes only in ASCII. */
function asciiOrBytes(text: string): Uint8Array | string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text);
}

function typed<T extends Uint8Array | string>(response: ServerResponse, media: string, bytes: T): T {
  if (!response.hasHeader('content-type')) response.setHeader('content-type', media);
  return bytes;
}

/** Sends pieces as they come, no faster than the caller reads them, until they end or the caller disconnects. */
async function sendStream(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  pieces: AsyncIterable<string>,
): Promise<void> {
  // Asks proxies not to buffer the answer.
  response.setHeader('x-accel-buffering', 'no');
  response.writeHead(status);
  if (request.method === 'HEAD') return void response.end();
  response.flushHeaders();
  try {
    for await (const piece of pieces) {
      if (response.destroyed) return;
      if (!response.write(piece)) await drained(response);
    }
    response.end();
  } catch {
    // The answer has started: cutting it tells the caller to retry, and the next answer has the error.
    response.destroy();
  }
}

/** Releases the bytes of an answer when it was sent or its caller disconnected; slow readers are cut off. */
function follow(response: ServerResponse, { bytes, release }: PrintedAnswer): void {
  if (response.closed) return release();
  const timer = setTimeout(() => response.destroy(), LIMITS.pageSending * Math.max(1, bytes / LIMITS.pageSize));
  timer.unref();
  response.once('close', () => {
    clearTimeout(timer);
    release();
  });
}

/** Sends existing pieces, no faster than the caller reads them: at most one of them waits in the connection. */
async function sendPrinted(
  { method }: IncomingMessage,
  response: ServerResponse,
  status: number,
  { pieces, bytes }: PrintedAnswer,
): Promise<void> {
  if (!response.hasHeader('content-type')) response.setHeader('content-type', 'application/json');
  response.setHeader('content-length', bytes);
  response.writeHead(status);
  for (const piece of method === 'HEAD' ? [] : pieces) {
    if (response.destroyed) return;
    if (!response.write(piece)) await drained(response);
  }
  response.end();
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}

const STATUSES = { done: 200, created: 201, accepted: 202, removed: 204 } as const satisfies Record<Result, number>;

/**
 * The only place that maps errors to HTTP: the status of the contract, `x-error`, `x-error-code` and a problem document (RFC 9457,
 * docs/contract.md 2.2). An unexpected error is logged under its request id, and answered with only that id.
 */
export function answerError(
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  { requestId, log }: { requestId: string; log: Pick<RequestLog, 'failure'> },
): void {
  // The caller disconnected before the request was complete: nothing to answer or report.
  if (request.destroyed && !request.complete) return void response.destroy();
  const refusal = asRefusal(error, requestId, log);
  if (response.headersSent) return void response.destroy();
  const { status } = ERRORS[refusal.code];
  if (status === 401) response.setHeader('www-authenticate', challenge(request));
  if (refusal.retryAfter !== undefined) response.setHeader('retry-after', String(Math.ceil(refusal.retryAfter)));
  // What is accepted instead (RFC 9110, 12.5.3).
  if (refusal.code === 'CONTENT_ENCODING_UNSUPPORTED') response.setHeader('accept-encoding', 'identity');
  if (refusal.code === 'SHUTTING_DOWN') response.setHeader('connection', 'close');
  const bytes = Buffer.from(JSON.stringify(problemOf(refusal, requestId), null, 2));
  response.removeHeader('etag');
  response.setHeader('content-type', 'application/problem+json');
  response.setHeader('content-length', bytes.length);
  response.setHeader('x-error', headerSafe(refusal.message));
  response.setHeader('x-error-code', refusal.code);
  response.writeHead(status).end(bytes);
}

export function problemOf(refusal: Refusal, requestId: string): Problem {
  const { code } = refusal;
  const { title, status } = ERRORS[code];
  return { type: `urn:repoless:error:${code.toLowerCase()}`, title, status, requestId, ...refusalMembers(refusal) };
}

/** A header is one line of printable ASCII; the body has the original message. */
export function headerSafe(sentence: string): string {
  return sentence
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .slice(0, 1000)
    .trim();
}

function asRefusal(error: unknown, requestId: string, log: Pick<RequestLog, 'failure'>): Refusal {
  if (error instanceof Refusal) {
    // Not OVERLOADED: callers see it, and it is in the log line of each request.
    if (ERRORS[error.code].status >= 500 && error.code !== 'OVERLOADED') log.failure(requestId, error.cause ?? error);
    return error;
  }
  if (error instanceof URIError)
    return new Refusal('NAME_INVALID', 'The path has a "%" that is not part of an encoded character. Write "%25" for it.');
  log.failure(requestId, error);
  return new Refusal('INTERNAL', `Something unexpected happened. Report it with the request id ${requestId}.`);
}

/** Bearer, for which browsers show no sign-in dialog (RFC 6750). */
function challenge(request: IncomingMessage): string {
  const { 'x-auth-token': token, authorization } = request.headers;
  const presented = token !== undefined || authorization !== undefined;
  return presented ? 'Bearer realm="repoless", error="invalid_token"' : 'Bearer realm="repoless"';
}
