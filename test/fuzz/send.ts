import { Agent, request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Exchange } from '../support/check-answers-record.ts';
import type { FuzzedRequest } from './requests.ts';

/** The checked parts of an answer. */
export interface Answered {
  readonly kind: 'answered';
  readonly status: number;
  readonly code: string | undefined;
  /** The text of an answer that is JSON. */
  readonly body: string | undefined;
  /** Absent if the request was not valid HTTP. */
  readonly exchange?: Exchange;
}

/** How a request ended. `closed`: the connection was closed without an answer; `hung`: there was no answer in time. */
export type Ending = Answered | { readonly kind: 'closed' | 'hung' };

export interface Sender {
  send(fuzzed: FuzzedRequest): Promise<Ending>;
  sendRaw(bytes: Buffer): Promise<Ending>;
  close(): void;
}

/** `port` is the program's; `timeout` is in milliseconds, after which a request counts as hung. */
export function createSender(port: number, timeout: number): Sender {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  return {
    send: (fuzzed) =>
      new Promise((resolve) => {
        const { method, path, headers, body } = fuzzed;
        const length: Record<string, string> = body === undefined ? {} : { 'content-length': String(body.length) };
        const outgoing = request({ host: '127.0.0.1', port, method, path, headers: { ...headers, ...length }, agent }, (incoming) => {
          const pieces: Buffer[] = [];
          const isJson = method !== 'HEAD' && JSON_MEDIA.test(incoming.headers['content-type'] ?? '');
          const end = () => (
            clearTimeout(timer),
            resolve(answered(fuzzed, incoming, isJson ? Buffer.concat(pieces).toString() : undefined))
          );
          incoming.on('error', end).on('close', end);
          if (isJson) incoming.on('data', (piece: Buffer) => pieces.push(piece));
          else incoming.resume();
          // A stream of events lasts for minutes.
          if (incoming.headers['content-type']?.startsWith('text/event-stream') === true) incoming.destroy();
        });
        const timer = setTimeout(() => (resolve({ kind: 'hung' }), outgoing.destroy()), timeout);
        outgoing.on('error', () => (clearTimeout(timer), resolve({ kind: 'closed' })));
        outgoing.on('upgrade', (_, socket) => socket.destroy());
        outgoing.end(body);
      }),
    sendRaw: (bytes) =>
      new Promise((resolve) => {
        const socket = connect(port, '127.0.0.1');
        let text = '';
        const end = (ending: Ending) => (clearTimeout(timer), socket.destroy(), resolve(ending));
        const timer = setTimeout(() => end(rawAnswer(text) ?? { kind: 'hung' }), timeout);
        socket.on('data', (chunk) => {
          text = `${text}${chunk.toString('latin1')}`.slice(0, 65_536);
          const answer = rawAnswer(text);
          if (answer !== undefined && (answer.body === undefined || isWhole(answer.body))) end(answer);
        });
        socket.on('error', () => end({ kind: 'closed' }));
        socket.on('close', () => end(rawAnswer(text) ?? { kind: 'closed' }));
        socket.end(bytes);
      }),
    close: () => agent.destroy(),
  };
}

function answered({ method, path, headers }: FuzzedRequest, incoming: IncomingMessage, body: string | undefined): Answered {
  const { statusCode: status = 0, rawHeaders, complete } = incoming;
  const lines = rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1] ?? ''}`] : []));
  const head = [`HTTP/1.1 ${status}`, ...lines].join('\r\n');
  const exchange = { method, url: path, host: headers['host'] ?? '', port: 0, status, head, whole: complete };
  const [code] = [incoming.headers['x-error-code']].flat();
  return { kind: 'answered', status, code, body, exchange: { ...exchange, ...(body !== undefined && { body }) } };
}

/** The first answer other than `100 Continue`, once its head has arrived. */
function rawAnswer(text: string): Answered | undefined {
  const rest = text.replace(/^(?:HTTP\/1\.1 1\d\d [^]*?\r\n\r\n)+/, '');
  const end = rest.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = rest.slice(0, end);
  const [, status] = /^HTTP\/1\.[01] (\d{3})/.exec(head) ?? [];
  const [, code] = /^x-error-code: *(\S+)/im.exec(head) ?? [];
  const [, length] = /^content-length: *(\d+)/im.exec(head) ?? [];
  const [, media = ''] = /^content-type: *(\S+)/im.exec(head) ?? [];
  const body = rest.slice(end + 4, end + 4 + Number(length ?? 0));
  return { kind: 'answered', status: Number(status ?? 0), code, body: media === 'application/problem+json' ? body : undefined };
}

function isWhole(body: string): boolean {
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}

const JSON_MEDIA = /^application\/(?:[\w.-]+\+)?json\b/i;
