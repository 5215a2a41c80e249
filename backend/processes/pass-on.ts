import { Agent, request as httpRequest } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface PassOn {
  /** Lets the service answer a request, with its headers, its body and its answer as they come. */
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
      const added = [...lengthOf(request), 'connection', 'keep-alive', addressHeader, request.socket.remoteAddress ?? ''];
      const headers = [...passedOn(request.rawHeaders, addressHeader), ...added];
      const outgoing = httpRequest({ agent, socketPath, method: request.method, path: request.url, headers });
      outgoing.once('response', (incoming) => {
        // Who left meanwhile is told nothing.
        if (response.destroyed) return void incoming.destroy();
        answer(response, incoming);
      });
      outgoing.on('error', () => {
        if (response.headersSent) response.destroy();
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

/** RFC 9110, 7.6.1. `100-continue` was met when the request was taken. */
const OF_ONE_CONNECTION = new Set(['connection', 'keep-alive', 'proxy-connection', 'te', 'transfer-encoding', 'upgrade', 'expect']);
const WITHOUT_BODY = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);
const FREE = 64;
/** Milliseconds; shorter than the service keeps a connection without a request. */
const IDLE = 30_000;
