import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { closeSync, openSync, writeSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';

// Also loaded into the programs under test, as plain JavaScript, so it may import only Node's own modules.

/** An answer as it was sent, and its request. */
export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly host: string;
  /** The port that received the request. */
  readonly port: number;
  readonly status: number;
  /** The header lines as sent. */
  readonly head: string;
  /** The body if it is JSON; also that of a `HEAD`, which is not sent. */
  readonly body?: string;
  /** Whether the complete answer was sent. */
  readonly whole: boolean;
}

/** The first line of a program's record. */
export interface RecordedProgram {
  readonly program: string;
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * Reports every answer of this process's HTTP servers, through Node's own diagnostics channel rather than by wrapping the servers.
 * `isOurs` selects requests by port and host. Returns a function that stops it.
 */
export function recordAnswers(isOurs: (port: number, host: string) => boolean, onExchange: (exchange: Exchange) => void): () => void {
  const started = (message: unknown) => {
    const { request, response } = asStarted(message);
    if (isOurs(request.socket.localPort ?? 0, request.headers.host ?? '')) follow(request, response, onExchange);
  };
  subscribe(CHANNEL, started);
  return () => void unsubscribe(CHANNEL, started);
}

/** In one of our programs (recognized by its file): writes each answer to a file, one line each, and immediately, for the program may be killed. */
export function recordProgram(folder: string): void {
  const [, part] = /backend\/dist\/((?:build-management\/)?main)\.js$/.exec(process.argv[1] ?? '') ?? [];
  if (part === undefined) return;
  const file = openSync(join(folder, `${process.pid}-${Date.now()}.jsonl`), 'a');
  const line = (value: unknown) => writeSync(file, `${JSON.stringify(value)}\n`);
  const named = ['PUBLIC_ADDRESS', 'PREVIEW_DOMAIN', 'LIVE_DOMAIN', 'HOST_PROTOCOL'];
  const settings = Object.fromEntries(named.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
  line({ program: `backend/${part}`, settings });
  recordAnswers(() => true, line);
  process.once('exit', () => closeSync(file));
}

const CHANNEL = 'http.server.request.start';

/** The cast is safe: it is what Node documents for this channel. */
function asStarted(message: unknown): { readonly request: IncomingMessage; readonly response: ServerResponse } {
  return message as { request: IncomingMessage; response: ServerResponse };
}

function follow(request: IncomingMessage, response: ServerResponse, onExchange: (exchange: Exchange) => void): void {
  const { method = '', url = '', headers, socket } = request;
  const port = socket.localPort ?? 0;
  const pieces: Buffer[] = [];
  const { write, end } = response;
  const recording =
    (send: typeof write | typeof end) =>
    (...given: unknown[]): unknown => {
      const [piece, encoding] = given;
      if (typeof piece === 'string') pieces.push(Buffer.from(piece, encodingOf(encoding)));
      // In jsdom's realm a Buffer is not a Uint8Array.
      else if (ArrayBuffer.isView(piece)) pieces.push(Buffer.from(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)));
      return Reflect.apply(send, response, given);
    };
  Object.assign(response, { write: recording(write), end: recording(end) });
  // Our extra listener must not trigger the warning about too many listeners.
  response.setMaxListeners(response.getMaxListeners() + 1);
  response.once('close', () => {
    const head = sentHeader(response);
    if (head === undefined) return;
    const isJson = /^content-type: *application\/(?:[\w.-]+\+)?json\b/im.test(head);
    onExchange({
      method,
      url,
      host: headers.host ?? '',
      port,
      status: response.statusCode,
      head,
      ...(isJson && { body: Buffer.concat(pieces).toString('utf8') }),
      whole: response.writableFinished,
    });
  });
}

function encodingOf(given: unknown): BufferEncoding {
  return typeof given === 'string' && Buffer.isEncoding(given) ? given : 'utf8';
}

/** Node's internal copy of the sent lines; `getHeaders()` lacks those passed to `writeHead` as a list. */
function sentHeader(response: ServerResponse): string | undefined {
  const header: unknown = Reflect.get(response, '_header');
  return typeof header === 'string' ? header : undefined;
}
