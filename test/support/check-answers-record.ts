import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { closeSync, openSync, writeSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';

// Loaded into programs that are tested as well, as plain JavaScript: it may import nothing but Node's own modules.

/** An answer as it went out, and what it answers. */
export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly host: string;
  /** The port on which the request came. */
  readonly port: number;
  readonly status: number;
  /** The lines of the header as they were sent. */
  readonly head: string;
  /** What was given to be sent, where it is JSON; of a `HEAD` too, which then is not sent. */
  readonly body?: string;
  /** The answer was sent to its end. */
  readonly whole: boolean;
}

/** What a program writes first into its record. */
export interface RecordedProgram {
  readonly program: string;
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * Hears of every answer that the HTTP servers of this process send, without being part of them: Node itself tells of each
 * request. In: whether a request to a port and host is of interest. Out: how to end it.
 */
export function recordAnswers(isOurs: (port: number, host: string) => boolean, heard: (exchange: Exchange) => void): () => void {
  const begun = (message: unknown) => {
    const { request, response } = asStarted(message);
    if (isOurs(request.socket.localPort ?? 0, request.headers.host ?? '')) follow(request, response, heard);
  };
  subscribe(CHANNEL, begun);
  return () => void unsubscribe(CHANNEL, begun);
}

/** In a program of ours (known by its file): writes each answer as a line into a file of the folder, at once, for it may be killed. */
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

function follow(request: IncomingMessage, response: ServerResponse, heard: (exchange: Exchange) => void): void {
  const { method = '', url = '', headers, socket } = request;
  const port = socket.localPort ?? 0;
  const pieces: Buffer[] = [];
  const { write, end } = response;
  const kept =
    (send: typeof write | typeof end) =>
    (...given: unknown[]): unknown => {
      const [piece, encoding] = given;
      if (typeof piece === 'string') pieces.push(Buffer.from(piece, encodingOf(encoding)));
      // A Buffer is no Uint8Array of the realm that jsdom makes.
      else if (ArrayBuffer.isView(piece)) pieces.push(Buffer.from(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)));
      return Reflect.apply(send, response, given);
    };
  Object.assign(response, { write: kept(write), end: kept(end) });
  // One listener more than the program's own shall not be one too many.
  response.setMaxListeners(response.getMaxListeners() + 1);
  response.once('close', () => {
    const head = sentHeader(response);
    if (head === undefined) return;
    const isJson = /^content-type: *application\/(?:[\w.-]+\+)?json\b/im.test(head);
    heard({
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

/** Node keeps the lines that it sent under this name; `getHeaders()` has not those that were given to `writeHead` as a list. */
function sentHeader(response: ServerResponse): string | undefined {
  const header: unknown = Reflect.get(response, '_header');
  return typeof header === 'string' ? header : undefined;
}
