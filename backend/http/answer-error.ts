import type { IncomingMessage, ServerResponse } from 'node:http';
import { ERRORS } from '@repoless/contract/errors.ts';
import type { Problem } from '@repoless/contract/errors.ts';
import { Refusal } from '../domain/errors.ts';
import { requestHeaders } from './parse-input.ts';
import type { RequestLog } from './ports.ts';

/**
 * The only place that knows errors as HTTP: the status of the contract, `x-error`, `x-error-code` and a problem document
 * (RFC 9457, docs/contract.md 2.2). What is no refusal is logged under its request id, and answered with that id and nothing else.
 */
export function answerError(
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  { requestId, log }: { requestId: string; log: Pick<RequestLog, 'failure'> },
): void {
  if (isGone(request)) return void response.destroy();
  const refusal = asRefusal(error, requestId, log);
  if (response.headersSent) return void response.destroy();
  const { status } = ERRORS[refusal.code];
  if (status === 401) response.setHeader('www-authenticate', challenge(request));
  if (refusal.retryAfter !== undefined) response.setHeader('retry-after', String(Math.ceil(refusal.retryAfter)));
  // What is understood instead (RFC 9110, 12.5.3).
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
  const { code, detail, message, errors, data } = refusal;
  return {
    type: `urn:repoless:error:${code.toLowerCase()}`,
    title: ERRORS[code].title,
    status: ERRORS[code].status,
    detail: detail ?? message,
    code,
    requestId,
    ...(errors !== undefined && { errors: [...errors] }),
    ...(data !== undefined && { data: { ...data } }),
  };
}

/** The caller left before its request was complete: nothing to answer or report. */
function isGone(request: IncomingMessage): boolean {
  return request.destroyed && !request.complete;
}

/** A header holds one line of printable ASCII; the body has the sentence as it is. */
export function headerSafe(sentence: string): string {
  return sentence
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .slice(0, 1000)
    .trim();
}

function asRefusal(error: unknown, requestId: string, log: Pick<RequestLog, 'failure'>): Refusal {
  if (error instanceof Refusal) {
    // Who is too many is told so; the line of each request says it too.
    if (ERRORS[error.code].status >= 500 && error.code !== 'OVERLOADED') log.failure(requestId, error.cause ?? error);
    return error;
  }
  if (error instanceof URIError)
    return new Refusal('NAME_INVALID', 'The path has a "%" that is not part of an encoded character. Write "%25" for it.');
  log.failure(requestId, error);
  return new Refusal('INTERNAL', `Something unexpected happened. Report it with the request id ${requestId}.`);
}

/** Bearer, which no browser answers with a window of its own (RFC 6750). */
function challenge(request: IncomingMessage): string {
  const headers = requestHeaders(request);
  const presented = headers['x-auth-token'] !== undefined || headers['authorization'] !== undefined;
  return presented ? 'Bearer realm="repoless", error="invalid_token"' : 'Bearer realm="repoless"';
}
