import { ERRORS } from '@repoless/contract/errors.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { Express } from 'express';
import { randomUUID } from 'node:crypto';
import {
  createServer,
  IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as later } from 'node:timers/promises';
import { answerError, headerSafe, NO_STORE, problemOf } from './http/answer.ts';
import { connectionAddress } from './http/caller.ts';
import { setCommonHeaders } from './http/every-answer.ts';
import { type RequestLine, type RequestLog, throttleLines } from './log.ts';

type FastAnswer = (request: IncomingMessage, response: ServerResponse) => boolean;

export interface ServerHandle {
  readonly port: number;
  /** From now on answers requests, including earlier ones. The first of `fast` that returns true has answered; the rest answers others. */
  open(...fast: readonly FastAnswer[]): void;
  /** It must get no new requests: each connection's next one is its last. */
  leave(): void;
  isLeaving(): boolean;
  isStopping(): boolean;
  /**
   * Answers for `delay` milliseconds more, each request as the last of its connection. Then lets running requests end while new ones are
   * refused, and closes. What is unfinished after `grace` milliseconds is cut off.
   */
  stop(times: { readonly delay: number; readonly grace: number }): Promise<void>;
}

/** Idle connections are kept longer than common proxies keep theirs, so that the proxy closes them. */
const KEEP_ALIVE = 65_000;
const IDLE = 50;
const OPTIONS = { keepAliveTimeout: KEEP_ALIVE, headersTimeout: 15_000, requestTimeout: 30_000, requireHostHeader: false };

interface ListenOptions {
  /** Milliseconds until a request must be complete, if that is more than usual. */
  readonly requestTimeout?: number;
  /** Receives several lines per second of requests that cannot be parsed, or are ambiguous. */
  readonly log: Pick<RequestLog, 'request'>;
}

/** Serves an Express app on a port. Rejects with a message if it cannot be used. */
export function listen(
  app: Express,
  { host, port }: { readonly host: string; readonly port: number },
  options: ListenOptions,
): Promise<ServerHandle> {
  const open = (server: Server) =>
    new Promise<number>((resolve, reject) => {
      server.once('error', (cause) =>
        reject(new Error(`Port ${port} of ${host} cannot be used. Set PORT or HOST, or stop the program that uses it.`, { cause })),
      );
      // Safe: a server that listens on a port has this form of address.
      server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
    });
  return serve({ create: (options, listener) => createExpressServer(app, options, listener), rest: app }, open, options);
}

/** `create` makes the server, and `rest` answers what `fast` leaves; `open` accepts connections and returns the port. */
export async function serve(
  { create, rest }: { create(options: ServerOptions, listener: RequestListener): Server; readonly rest: RequestListener },
  open: (server: Server) => Promise<number>,
  { requestTimeout = OPTIONS.requestTimeout, log: requestLog }: ListenOptions,
): Promise<ServerHandle> {
  let fast: readonly FastAnswer[] | undefined;
  let [leaving, stopping] = [false, false];
  let running = 0;
  let lastEnded: () => void = () => undefined;

  const log = throttleLines(requestLog.request);
  const waiting: (() => void)[] = [];

  const take = (request: IncomingMessage, response: ServerResponse): void => {
    if (leaving) response.shouldKeepAlive = false;
    const refusal = malformed(request);
    if (refusal !== undefined) return refuseMalformed(request, response, refusal, log);
    if (fast === undefined) return void waiting.push(() => take(request, response));
    for (const answers of fast) if (answers(request, response)) return;
    running += 1;
    response.once('close', () => {
      running -= 1;
      if (!stopping) return;
      server.closeIdleConnections();
      if (running === 0) lastEnded();
    });
    rest(request, response);
  };
  const server = create({ ...OPTIONS, requestTimeout: Math.max(requestTimeout, OPTIONS.requestTimeout) }, take);
  answerUnreadable(server, log);
  const port = await open(server);

  return {
    port,
    open(...answers) {
      fast = answers;
      for (const answer of waiting.splice(0)) answer();
    },
    leave: () => void (leaving = true),
    isLeaving: () => leaving,
    isStopping: () => stopping,
    async stop({ delay, grace }) {
      leaving = true;
      if (fast !== undefined && delay > 0) await later(delay);
      stopping = true;
      if (fast === undefined) server.closeAllConnections();
      const cutOff = setTimeout(() => {
        lastEnded();
        server.closeAllConnections();
      }, grace);
      if (running > 0) await new Promise<void>((resolve) => (lastEnded = resolve));
      // Otherwise a connection whose request was answered in the meantime would wait for its next one.
      const idle = setInterval(() => server.closeIdleConnections(), IDLE);
      await new Promise<void>((resolve) => server.close(() => resolve()));
      clearInterval(idle);
      clearTimeout(cutOff);
    },
  };
}

/**
 * An HTTP server whose requests and responses are Express's from the start. Express sets their prototypes on each request, which makes
 * every later access slow; here it finds them set already. Call it once for an app, before the first request.
 *
 * `silence`: milliseconds after which a connection without traffic is ended, even while a request is answered: a client that does not read
 * keeps a file open, and bytes in memory.
 */
export function createExpressServer(
  app: Express,
  options: ServerOptions,
  listener: RequestListener,
  silence = Math.max(LIMITS.silence, options.requestTimeout ?? 0),
): Server {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  const server = createServer({ ...options, IncomingMessage: AppRequest, ServerResponse: AppResponse }, listener);
  server.timeout = silence;
  return server;
}

/**
 * The problem with a request before it is processed: no host or several, an absolute address instead of a path, or a fragment, which
 * clients never send. Two programs could interpret it as two different requests.
 */
function malformed({ url = '', method, rawHeaders }: IncomingMessage): Refusal | undefined {
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
function refuseMalformed(request: IncomingMessage, response: ServerResponse, refusal: Refusal, write: WriteLine): void {
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
function answerUnreadable(server: Server, write: WriteLine): void {
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
