import { once } from 'node:events';
import { type Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';

export interface TestRequest {
  readonly method?: string;
  /** The host to connect to, if not that of the address. */
  readonly host?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Strings are sent unchanged, everything else as JSON. */
  readonly body?: unknown;
  /** Sends the body in chunks, so that its length is not announced. */
  readonly chunked?: boolean;
  /** Reuses connections; without it each request opens its own. */
  readonly agent?: Agent;
}

export interface TestAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The error code and the sentence of a refusal, from its headers. */
  readonly code: string | undefined;
  readonly error: string | undefined;
  readonly text: string;
  json(): unknown;
}

/** Sends one request to a program on this machine, with any method, Host and headers; no library adds or hides any. */
export function ask(address: string, path: string, options: TestRequest = {}): Promise<TestAnswer> {
  const url = new URL(address);
  const { method = 'GET', host = url.host, body, chunked = false, agent = false } = options;
  const sent = body === undefined || typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  const json = body !== undefined && sent !== body ? { 'content-type': 'application/json' } : {};
  const length = sent === undefined || chunked ? {} : { 'content-length': String(Buffer.byteLength(sent)) };
  const headers = { host, ...json, ...length, ...options.headers };
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname: '127.0.0.1', port: url.port, path, method, headers, agent }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve(answerOf(incoming.statusCode ?? 0, flat(incoming.headers), text));
      });
    });
    outgoing.on('error', reject);
    if (sent !== undefined) outgoing.write(sent);
    outgoing.end();
  });
}

export function answerOf(status: number, headers: TestAnswer['headers'], text: string): TestAnswer {
  return { status, headers, code: headers['x-error-code'], error: headers['x-error'], text, json: () => JSON.parse(text) as unknown };
}

/** Sends raw bytes, and reads only the first line of the answer. */
export async function askSlowly(port: number, bytes: string): Promise<{ readonly socket: Socket; readonly status: number }> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  socket.write(bytes);
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  socket.pause();
  return { socket, status: Number(chunk.toString('latin1', 9, 12)) };
}

/** Opens a stream of events, and discards them. */
export async function openEventStream(
  address: string,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly clientRequest: ClientRequest; readonly answer: IncomingMessage }> {
  const { port, host } = new URL(address);
  const sent = { host, accept: 'text/event-stream', ...headers };
  const clientRequest = request({ hostname: '127.0.0.1', port, path, agent: false, headers: sent });
  clientRequest.on('error', () => undefined).end();
  const [answer] = (await once(clientRequest, 'response')) as [IncomingMessage];
  answer.on('error', () => undefined).resume();
  return { clientRequest, answer };
}

function flat(headers: NodeJS.Dict<string | string[]>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]));
}
