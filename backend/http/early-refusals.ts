import { ERRORS } from '@repoless/contract/errors.ts';
import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { Refusal } from '@repoless/contract/refusal.ts';
import { answerError, headerSafe, NO_STORE, problemOf } from './answer.ts';
import { connectionAddress } from './caller.ts';
import { type AllowsOrigin, answerCors, PROBES } from './every-answer.ts';
import { type RequestLine, type RequestLog, throttleLines } from './request-log.ts';

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
 * how late the present one is, because a turn handles all requests that have arrived. Health calls are never refused (docs/contract.md
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

function setCommonHeaders(response: ServerResponse, requestId: string): void {
  response.setHeader('x-request-id', requestId);
  response.setHeader('cache-control', NO_STORE);
  response.setHeader('x-content-type-options', 'nosniff');
}

/** Milliseconds between two measurements. */
const EACH = 50;

/**
 * The problem with a request before it is processed: no host or several, an absolute address instead of a path, or a fragment, which
 * clients never send. Two programs could interpret it as two different requests.
 */
export function malformed({ url = '', method, rawHeaders }: IncomingMessage): Refusal | undefined {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) if (rawHeaders[index]?.toLowerCase() === 'host') hosts += 1;
  if (hosts !== 1) return refused(hosts === 0 ? 'The request names no host.' : 'The request has several headers "Host". Send one.');
  if (url.includes('#')) return refused('The request line has a "#". Write it as %23 if it is part of the path, otherwise omit it.');
  if (url.startsWith('/') || (url === '*' && method === 'OPTIONS')) return undefined;
  return refused('The request line does not begin its path with "/". Send only the path there, and the host in the header "Host".');
}

/** Writes the line of a request that is refused here, which contains only method and path. */
type WriteLine = (line: RequestLine) => void;

/** Refuses a request that Node has parsed, in the format of all errors. */
export function refuseMalformed(request: IncomingMessage, response: ServerResponse, refusal: Refusal, write: WriteLine): void {
  const requestId = randomUUID();
  const { method = '', url = '' } = request;
  const { code } = refusal;
  // An absolute address may contain a password.
  const path = url.startsWith('/') ? (url.split('?', 1)[0] ?? '').slice(0, LONGEST_PATH) : '';
  write({ requestId, method, path, address: connectionAddress(request), status: ERRORS[code].status, code });
  setCommonHeaders(response, requestId);
  response.setHeader('connection', 'close');
  answerError(request, response, refusal, { requestId, log: { failure: () => undefined } });
}
/** Answers what Node itself refuses in the format of all errors. */
export function answerUnreadable(server: Server, write: WriteLine): void {
  const open = new WeakMap<Duplex, Set<ServerResponse>>();
  const refuseUnread = (socket: Duplex, refusal: Refusal, reason?: string): void => {
    const requestId = randomUUID();
    const { code } = refusal;
    const line = { requestId, method: '', path: '', address: addressOf(socket), status: ERRORS[code].status, code };
    write(reason === undefined ? line : { ...line, reason });
    socket.end(printed(refusal, requestId));
  };
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const responses = open.get(socket) ?? new Set();
    open.set(socket, responses.add(response));
    response.once('close', () => responses.delete(response));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable || isBeingAnswered([...(open.get(socket) ?? [])])) socket.destroy();
    else refuseUnread(socket, unreadable(error), error.code);
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const sentence = 'The only supported expectation is "100-continue". Omit the header "Expect".';
    refuseMalformed(request, response, new Refusal('EXPECTATION_REFUSED', sentence), write);
  });
  server.on('connect', (_request: IncomingMessage, socket: Duplex) =>
    refuseUnread(socket, new Refusal('METHOD_NOT_ALLOWED', 'method not allowed')),
  );
}

/** A second answer would be taken for that of another request. After a request that was completely answered there is none yet. */
function isBeingAnswered(responses: readonly ServerResponse[]): boolean {
  const [latest, ...others] = responses.filter(({ writableFinished, req }) => !(writableFinished && req.complete));
  return others.length > 0 || latest?.headersSent === true;
}

function unreadable({ code }: NodeJS.ErrnoException): Refusal {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Refusal('HEADERS_TOO_LARGE', 'The headers of the request, or its address, are too large. Send fewer or shorter ones.');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new Refusal('BODY_TOO_LARGE', 'The chunk extensions of the request are too large. Omit them.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Refusal('REQUEST_TIMED_OUT', 'The request did not arrive completely in time. Send it again.');
    default:
      return refused('The request is not valid HTTP/1.1. Check its request line, its headers and its length.');
  }
}

function refused(sentence: string): Refusal {
  return new Refusal('REQUEST_MALFORMED', sentence);
}

/** A complete answer for a connection whose request was not parsed. */
function printed(refusal: Refusal, requestId: string): string {
  const { status } = ERRORS[refusal.code];
  const body = JSON.stringify(problemOf(refusal, requestId), null, 2);
  const headers = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'connection: close',
    `cache-control: ${NO_STORE}`,
    'x-content-type-options: nosniff',
    'content-type: application/problem+json',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    `x-error: ${headerSafe(refusal.message)}`,
    `x-error-code: ${refusal.code}`,
  ];
  return `${headers.join('\r\n')}\r\n\r\n${body}`;
}

function addressOf(socket: Duplex): string {
  return ('remoteAddress' in socket && typeof socket.remoteAddress === 'string' && socket.remoteAddress) || '';
}

const LONGEST_PATH = 200;
