import { Agent, request as httpRequest } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface PassOn {
  /** Lets the service answer a request, with its headers, its body and its answer as they come; it is the service that says whether a body may come. */
  pass(request: IncomingMessage, response: ServerResponse): void;
  close(): void;
}

interface PassOnOptions {
  /** Where the service takes requests of its own processes. */
  readonly socketPath: string;
  /** The header that says where a request comes from; no client's own is passed on. */
  readonly addressHeader: string;
  /** Answers a request that the service did not take. */
  refuse(request: IncomingMessage, response: ServerResponse): void;
}

/** Passes on requests over connections that are kept. What is said of one connection alone is not passed on, in either direction. */
export function createPassOn({ socketPath, addressHeader, refuse }: PassOnOptions): PassOn {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: FREE, timeout: IDLE });
  return {
    pass(request, response) {
      // Node would put what it adds behind the address, which is to be the last.
      const expects = isAwaited(request);
      const added = [
        ...lengthOf(request),
        ...(expects ? ['expect', '100-continue'] : []),
        'connection',
        'keep-alive',
        addressHeader,
        request.socket.remoteAddress ?? '',
      ];
      const headers = [...passedOn(request.rawHeaders, addressHeader), ...added];
      const outgoing = httpRequest({ agent, socketPath, method: request.method, path: request.url, headers });
      if (expects) outgoing.once('continue', () => response.writeContinue());
      let [reached, answered] = [false, false];
      outgoing.once('socket', (socket) => {
        if (socket.connecting) socket.once('connect', () => (reached = true));
        else reached = true;
      });
      // What is answered before it came whole is read to its end all the same, as for an answer of this process, and goes nowhere.
      const enough = () => {
        if (request.complete && outgoing.writableFinished) return;
        request.unpipe(outgoing);
        request.resume();
        outgoing.destroy();
      };
      outgoing.once('response', (incoming) => {
        answered = true;
        // Who left meanwhile is told nothing.
        if (response.destroyed) return void incoming.destroy();
        incoming.once('end', enough);
        answer(response, incoming);
      });
      outgoing.on('error', () => {
        // The answer goes on, or ends with an error of its own.
        if (answered) enough();
        // Whether something was changed is not known, and nothing shall be said of it.
        else if (reached && !SAFE.has(request.method ?? '')) response.destroy();
        else if (!response.destroyed) refuse(request, response);
      });
      response.once('close', () => {
        if (!response.writableFinished) outgoing.destroy();
      });
      request.pipe(outgoing);
    },
    close: () => agent.destroy(),
  };
}

function answer(response: ServerResponse, incoming: IncomingMessage): void {
  const { statusCode = 500, statusMessage = '', headers } = incoming;
  if (headers.connection === 'close') response.shouldKeepAlive = false;
  response.writeHead(statusCode, statusMessage, passedOn(incoming.rawHeaders));
  // An answer that goes on for long begins before its first piece.
  if (headers['content-length'] === undefined) response.flushHeaders();
  incoming.once('error', () => response.destroy());
  incoming.pipe(response);
}

function passedOn(rawHeaders: readonly string[], without?: string): string[] {
  const headers: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    const lower = name.toLowerCase();
    if (!OF_ONE_CONNECTION.has(lower) && lower !== without) headers.push(name, rawHeaders[index + 1] ?? '');
  }
  return headers;
}

/** A body of unknown length is sent on in pieces, as it came; without one, Node would announce pieces for some methods. */
function lengthOf({ headers, method = '' }: IncomingMessage): string[] {
  if (headers['transfer-encoding'] !== undefined) return ['transfer-encoding', 'chunked'];
  return headers['content-length'] === undefined && !WITHOUT_BODY.has(method) ? ['content-length', '0'] : [];
}

/** Whether its sender waits to be told that its body may come (RFC 9110, 10.1.1). */
function isAwaited({ headers, httpVersion }: IncomingMessage): boolean {
  return httpVersion === '1.1' && headers.expect !== undefined;
}

/** RFC 9110, 7.6.1; `expect` is sent anew. */
const OF_ONE_CONNECTION = new Set(['connection', 'keep-alive', 'proxy-connection', 'te', 'transfer-encoding', 'upgrade', 'expect']);
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);
const WITHOUT_BODY = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);
const FREE = 64;
/** Milliseconds; shorter than the service keeps a connection without a request. */
const IDLE = 30_000;
