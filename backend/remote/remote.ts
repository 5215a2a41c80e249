import { codeSentence } from '@repoless/contract/code-sentences.ts';
import { mayLeaveFolder, pathOf } from '@repoless/contract/addresses.ts';
import { isIP } from 'node:net';
import type { Agent, request } from 'undici';
import { Refusal } from '@repoless/contract/refusal.ts';
import { NO_TRACING, type Part, serverFacts, type Tracing } from '../tracing/tracing.ts';
import {
  guardedLookup,
  type InternalAddresses,
  InternalAddressRefused,
  isInternalAddress,
  refusal,
  type Resolve,
} from './guarded-lookup.ts';

interface RemoteSettings {
  readonly internalAddresses: InternalAddresses;
  /** Milliseconds for the whole exchange. */
  readonly timeout: number;
  /** Maximum bytes of a response's body. */
  readonly sizeLimit: number;
  /** The resolver, with its slots (`createLookups`). */
  readonly resolve: Resolve;
  readonly tracing?: Tracing;
}

export interface RemoteRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  /** The base address that a credential in the headers is for, with a trailing slash: it is sent nowhere else. */
  readonly base?: string;
  /** Continues the current trace: for the operator's own or chosen systems. No other system gets its ids. */
  readonly continuesTrace?: true;
  readonly body?: string | Uint8Array;
  readonly timeout?: number;
  readonly signal?: AbortSignal;
  readonly sizeLimit?: number;
  /** Called with the number of bytes before they are buffered, once for an announced body; throws if they do not fit. */
  readonly reserve?: (bytes: number) => void;
}

export interface RemoteAnswer {
  readonly status: number;
  /** Names in lower case; of a repeated header the first value; without `set-cookie`. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

/** The message contains only the host, never the path, the query or a header; the cause is for the log only. */
export class RemoteFailure extends Error {
  override readonly name = 'RemoteFailure';
  readonly reason: 'internal' | 'elsewhere' | 'timeout' | 'too-large' | 'unreachable';

  constructor(reason: RemoteFailure['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

export interface Remote {
  /** One request; redirects are not followed. Rejects with RemoteFailure, or with the Refusal of `reserve`. */
  send(request: RemoteRequest): Promise<RemoteAnswer>;
  close(): Promise<void>;
}

const USER_AGENT = 'repoless';

/** The only HTTP client of the service: limited in time and size; connects to internal addresses only if the settings allow it. */
export function createRemote(settings: RemoteSettings): Remote {
  const { internalAddresses, tracing = NO_TRACING } = settings;
  let opened: Promise<{ readonly agent: Agent; readonly request: typeof request }> | undefined;

  /** Loaded by the first request: a service is ready before it needs other systems. */
  async function open() {
    const { Agent, request } = await import('undici');
    return { agent: new Agent({ connect: { lookup: guardedLookup(internalAddresses, settings.resolve) } }), request };
  }

  async function send(call: RemoteRequest): Promise<RemoteAnswer> {
    const { host, hostname } = new URL(call.url);
    if (call.base !== undefined) refuseElsewhere(call.url, call.base);
    const literal = hostname.replace(/^\[|\]$/g, '');
    // An IP address needs no look-up.
    if (internalAddresses === 'refuse' && isIP(literal) !== 0 && isInternalAddress(literal)) throw refusal(hostname);
    const { agent, request } = await (opened ??= open());
    const timeout = deadline(call.timeout ?? settings.timeout, call.signal);
    try {
      const answer = await request(call.url, {
        dispatcher: agent,
        method: call.method,
        headers: {
          'user-agent': USER_AGENT,
          'accept-encoding': 'identity',
          ...call.headers,
          ...(call.continuesTrace && tracing.traceHeaders()),
        },
        body: call.body ?? null,
        signal: timeout.signal,
      });
      const headers = flattened(answer.headers);
      const body = await readLimited(answer.body, headers['content-length'], call.sizeLimit ?? settings.sizeLimit, call.reserve, host);
      return { status: answer.statusCode, headers, body };
    } finally {
      timeout.end();
    }
  }

  return {
    async send(request) {
      requireBase(request.headers ?? {}, request.base);
      return await tracing.part(partOf(request), async () => {
        try {
          return await send(request);
        } catch (error) {
          throw error instanceof Refusal ? error : failure(error, new URL(request.url).host);
        }
      });
    },
    async close() {
      await (await opened)?.agent.close();
    },
  };
}

function partOf({ method, url }: RemoteRequest): Part<RemoteAnswer> {
  return {
    name: method,
    kind: 'client',
    facts: { 'http.request.method': method, ...serverFacts(url) },
    factsOf: ({ status }) => ({ 'http.response.status_code': status, ...(status >= 400 && { 'error.type': String(status) }) }),
  };
}

/**
 * Uses a timer of our own, because Node.js garbage-collects an `AbortSignal.timeout` that only a combined signal refers to. `other` ends it
 * earlier.
 */
function deadline(milliseconds: number, other: AbortSignal | undefined): { readonly signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new DOMException('The request timed out.', 'TimeoutError')), milliseconds);
  timer.unref();
  const abort = () => controller.abort(other?.reason);
  if (other?.aborted === true) abort();
  else other?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer);
      other?.removeEventListener('abort', abort);
    },
  };
}

/** An announced body is allocated with the first piece; one that does not fit is not read. */
async function readLimited(
  body: AsyncIterable<Uint8Array>,
  length: string | undefined,
  limit: number,
  reserve: RemoteRequest['reserve'],
  host: string,
): Promise<Uint8Array> {
  const announced = /^\d{1,15}$/.test(length ?? '') ? Number(length) : undefined;
  const pieces: Uint8Array[] = [];
  let buffer: Uint8Array | undefined;
  let size = 0;
  for await (const piece of body) {
    const before = size;
    size += piece.byteLength;
    if (Math.max(size, announced ?? 0) > limit) throw new RemoteFailure('too-large', codeSentence('hostAnswerTooLarge', { host }));
    if (announced === undefined || before === 0) reserve?.(announced ?? piece.byteLength);
    if (announced === undefined || (before === 0 && piece.byteLength === announced)) pieces.push(piece);
    else (buffer ??= Buffer.allocUnsafeSlow(announced)).set(piece, before);
  }
  if (buffer !== undefined) return buffer.subarray(0, size);
  const [only] = pieces;
  return only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces);
}

function flattened(headers: Record<string, string | string[] | undefined>): Record<string, string | undefined> {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), Array.isArray(value) ? value[0] : value] as const);
  return Object.fromEntries(entries.filter(([name]) => name !== 'set-cookie'));
}

export function failure(error: unknown, host: string): RemoteFailure {
  if (error instanceof RemoteFailure) return error;
  if (chain(error).some((cause) => cause instanceof InternalAddressRefused)) {
    return new RemoteFailure('internal', codeSentence('hostInternal', { host }));
  }
  if (chain(error).some(({ name }) => TIMEOUTS.has(name))) return new RemoteFailure('timeout', codeSentence('hostSlow.any', { host }));
  return new RemoteFailure('unreachable', codeSentence('hostUnresponsive', { host }), { cause: error });
}

export function chain(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let cause = error; cause instanceof Error && causes.length < 5; { cause } = cause) causes.push(cause);
  return causes;
}

const TIMEOUTS: ReadonlySet<string> = new Set(['TimeoutError', 'ConnectTimeoutError', 'HeadersTimeoutError', 'BodyTimeoutError']);

/** A request with a credential must name the base address that it is for. Throws if the program forgot it: it must not be sent. */
function requireBase(headers: Readonly<Record<string, string>>, base: string | undefined): void {
  if (base === undefined && Object.keys(headers).some((name) => CREDENTIALS.includes(name.toLowerCase())))
    throw new Error('A request with a credential must name its base address.');
}

/**
 * The last check of where a request goes. Takes its address, and the base with a trailing slash that it must start with. Compares the
 * address as it will be requested, and as lenient programs could read it.
 */
function refuseElsewhere(address: string, base: string): void {
  const [requested, allowed] = [new URL(address), new URL(base)];
  const isBelow = requested.origin === allowed.origin && allowed.pathname.endsWith('/') && requested.pathname.startsWith(allowed.pathname);
  const isPlain = allowed.search === '' && allowed.hash === '' && requested.username === '' && requested.password === '';
  if (!isBelow || !isPlain || mayLeaveFolder(pathOf(address)))
    throw new RemoteFailure('elsewhere', `The address resolves to another path of ${requested.host}, so it is not requested.`);
}

const CREDENTIALS = ['authorization', 'proxy-authorization', 'x-auth-token', 'cookie', 'fastly-key'];

/** The options that openid-client and jose pass to a fetch. */
interface FetchOptions {
  readonly method: string;
  readonly headers: Headers | Record<string, string>;
  readonly body?: unknown;
}

/** The guarded client in the form of `fetch`, for libraries that call identity providers. Redirects are not followed. */
export function remoteFetch(remote: Remote): (url: string, options: FetchOptions) => Promise<Response> {
  return async (url, options) => {
    const { body } = options;
    const answer = await remote.send({
      url,
      method: options.method === 'POST' ? 'POST' : 'GET',
      base: `${new URL(url).origin}/`,
      continuesTrace: true,
      headers: Object.fromEntries(new Headers(options.headers)),
      ...(body instanceof URLSearchParams || typeof body === 'string' ? { body: body.toString() } : {}),
    });
    return responseOf(answer);
  };
}

/** An answer in the form of `fetch`. */
export function responseOf({ status, headers, body }: RemoteAnswer, isHead = false): Response {
  const entries = Object.entries(headers).flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]));
  const isEmpty = isHead || [101, 204, 205, 304].includes(status);
  return new Response(isEmpty ? null : new Uint8Array(body), { status, headers: entries });
}

/** For the hosted service and the hosts of its sites, which the operator configures: they may be internal, as a stand-in is. */
export async function hostedAgent(resolve: Resolve): Promise<Agent> {
  const { Agent } = await import('undici');
  return new Agent({ connect: { timeout: 10_000, lookup: guardedLookup('allow', resolve) } });
}

/** The addresses of a URL's host, for programs that connect themselves. Rejects with RemoteFailure. */
export async function resolveHost(url: string, internal: InternalAddresses, lookup: Resolve): Promise<string[]> {
  const { hostname, host } = new URL(url);
  const literal = hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal) !== 0) {
    if (internal === 'refuse' && isInternalAddress(literal)) throw failure(refusal(hostname), host);
    return [literal];
  }
  return await new Promise((resolve, reject) => {
    guardedLookup(internal, lookup)(hostname, { all: true }, (error, addresses) => {
      if (error !== null) reject(failure(error, host));
      else resolve(typeof addresses === 'string' ? [addresses] : addresses.map(({ address }) => address));
    });
  });
}
