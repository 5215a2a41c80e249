import { Agent, request } from 'node:http';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { Readable } from 'node:stream';

export interface OwnService {
  readonly host: string;
  readonly port: number;
  /** Whether an address belongs to the service, or to its preview and live hosts. */
  isOwn(address: URL): boolean;
  traceHeaders(): Readonly<Record<string, string>>;
  /** The response of any other address; undefined if it may not be requested. */
  fetchOther(address: URL, method: string, signal: AbortSignal): Promise<Response> | undefined;
}

export interface OwnFetch {
  until(end: AbortSignal): typeof fetch;
  close(): void;
}

/**
 * Requests to this node, over a connection like any other: token, permission, limits, rate and audit trail apply as to every call. Nothing
 * else is reachable, whatever address a tool is made to request, and no redirect is followed (docs/contract.md 10.2).
 */
export function ownFetch(service: OwnService): OwnFetch {
  const agent = new Agent({ keepAlive: true, timeout: IDLE, maxSockets: MAX_CONNECTIONS });
  return {
    until: (end) => async (input, init) => {
      const address = new URL(input instanceof Request ? input.url : input);
      const method = init?.method ?? 'GET';
      const signal = AbortSignal.any([end, ...(init?.signal ? [init.signal] : [])]);
      if (!service.isOwn(address)) return (await service.fetchOther(address, method, signal)) ?? refused(address);
      const headers = { ...Object.fromEntries(new Headers(init?.headers)), ...service.traceHeaders(), host: address.host };
      const body = typeof init?.body === 'string' ? init.body : undefined;
      return send({ ...reached(service), agent, method, path: `${address.pathname}${address.search}`, headers, signal }, body);
    },
    close: () => agent.destroy(),
  };
}

/** Milliseconds for which an unused connection is kept: the service keeps its end for longer. */
const IDLE = 1000;
const MAX_CONNECTIONS = 64;

function refused({ protocol, host }: URL): never {
  throw new TypeError(`Requests to ${protocol}//${host} are not allowed from here.`);
}

/** A wildcard listening address cannot be connected to. */
function reached({ host, port }: OwnService): { host: string; port: number } {
  if (host === '0.0.0.0') return { host: '127.0.0.1', port };
  return { host: host === '::' ? '::1' : host, port };
}

type Sent = RequestOptions & { readonly signal: AbortSignal };

function send(options: Sent, body: string | undefined): Promise<Response> {
  return new Promise((resolve, reject) => {
    const { signal } = options;
    const sent = request(options, (answer) => resolve(responseOf(answer, options.method ?? 'GET')));
    sent.on('error', (error) => reject(signal.aborted && signal.reason instanceof Error ? signal.reason : error));
    sent.end(body);
  });
}

function responseOf(answer: IncomingMessage, method: string): Response {
  const { statusCode: status = 502, rawHeaders } = answer;
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  if (method !== 'HEAD' && ![204, 205, 304].includes(status)) return new Response(webStream(answer), { status, headers });
  answer.resume();
  return new Response(null, { status, headers });
}

// Safe: Node's web streams are those that Response accepts; its types declare them a second time.
function webStream(answer: IncomingMessage): ReadableStream<Uint8Array> {
  return Readable.toWeb(answer) as ReadableStream<Uint8Array>;
}
