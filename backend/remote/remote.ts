import { leadsElsewhere, pathOf } from '@repoless/contract/addresses.ts';
import { isIP } from 'node:net';
import type { Agent, request } from 'undici';
import { Refusal } from '@repoless/contract/refusal.ts';
import { NO_TRACING, type Part, type Tracing } from '../tracing/tracing.ts';
import {
  guardedLookup,
  type InternalAddresses,
  InternalAddressRefused,
  isInternalAddress,
  refusal,
  type Resolve,
} from './guarded-lookup.ts';

export interface RemoteSettings {
  /** Whether connections to this machine and to private networks are made. */
  readonly internalAddresses: InternalAddresses;
  /** Milliseconds for the whole exchange. */
  readonly timeout: number;
  /** Bytes of an answer's body. */
  readonly sizeLimit: number;
  /** By which of the slots names are resolved (`createLookups`). */
  readonly resolve: Resolve;
  readonly tracing?: Tracing;
}

export interface RemoteRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  /** Below which address a credential in the headers is good, with a final slash: it is shown nowhere else. */
  readonly below?: string;
  /** It goes on with the trace that is under way: a system of the operator's, or one that they chose. No other is told its ids. */
  readonly goesOn?: true;
  readonly body?: string | Uint8Array;
  readonly timeout?: number;
  /** Whoever asks may leave earlier. */
  readonly signal?: AbortSignal;
  readonly sizeLimit?: number;
  /** Called with the number of bytes before they are kept, for announced bodies once for all; throws if they do not fit. */
  readonly hold?: (bytes: number) => void;
}

export interface RemoteAnswer {
  readonly status: number;
  /** Lower-cased; of a header that came several times the first, `set-cookie` not at all. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

/** Why a remote did not respond; the cause, e.g. a certificate that is not trusted, is for the log alone. The message names the host alone, never the path, the query or a header. */
export class RemoteFailure extends Error {
  override readonly name = 'RemoteFailure';
  readonly reason: 'internal' | 'elsewhere' | 'timeout' | 'too-large' | 'unreachable';

  constructor(reason: RemoteFailure['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

export interface Remote {
  /** One request; redirects are answers like others. Rejects with RemoteFailure, or with the Refusal of `hold`. */
  send(request: RemoteRequest): Promise<RemoteAnswer>;
  close(): Promise<void>;
}

const USER_AGENT = 'repoless';

/** The one way out of the service: bounded in time and size, and never to internal addresses unless the settings allow it. */
export function createRemote(settings: RemoteSettings): Remote {
  const { internalAddresses, tracing = NO_TRACING } = settings;
  let opened: Promise<{ readonly agent: Agent; readonly request: typeof request }> | undefined;

  /** Loaded by the first request: a service is ready before it asks anybody. */
  async function open() {
    const { Agent, request } = await import('undici');
    return { agent: new Agent({ connect: { lookup: guardedLookup(internalAddresses, settings.resolve) } }), request };
  }

  async function send(asked: RemoteRequest): Promise<RemoteAnswer> {
    const { host, hostname } = new URL(asked.url);
    if (asked.below !== undefined) refuseElsewhere(asked.url, asked.below);
    const literal = hostname.replace(/^\[|\]$/g, '');
    // A literal address is connected to without a look-up.
    if (internalAddresses === 'refuse' && isIP(literal) !== 0 && isInternalAddress(literal)) throw refusal(hostname);
    const { agent, request } = await (opened ??= open());
    const late = deadline(asked.timeout ?? settings.timeout, asked.signal);
    try {
      const answer = await request(asked.url, {
        dispatcher: agent,
        method: asked.method,
        headers: { 'user-agent': USER_AGENT, 'accept-encoding': 'identity', ...asked.headers, ...(asked.goesOn && tracing.passedOn()) },
        body: asked.body ?? null,
        signal: late.signal,
      });
      const headers = flattened(answer.headers);
      const body = await readBounded(answer.body, headers['content-length'], asked.sizeLimit ?? settings.sizeLimit, asked.hold, host);
      return { status: answer.statusCode, headers, body };
    } finally {
      late.end();
    }
  }

  return {
    async send(asked) {
      requirePlace(asked.headers ?? {}, asked.below);
      return await tracing.part(partOf(asked), async () => {
        try {
          return await send(asked);
        } catch (error) {
          throw error instanceof Refusal ? error : failure(error, new URL(asked.url).host);
        }
      });
    },
    async close() {
      await (await opened)?.agent.close();
    },
  };
}

/** What a trace says of it: where it went, and neither path nor query. */
function partOf({ method, url }: RemoteRequest): Part<RemoteAnswer> {
  const { hostname, port, protocol } = new URL(url);
  const scheme = protocol.slice(0, -1);
  const usual = scheme === 'https' ? 443 : 80;
  return {
    name: method,
    kind: 'client',
    facts: { 'http.request.method': method, 'server.address': hostname, 'server.port': Number(port || usual), 'url.scheme': scheme },
    told: ({ status }) => ({ 'http.response.status_code': status, ...(status >= 400 && { 'error.type': String(status) }) }),
  };
}

/** A timer of our own holds it: Node.js lets go of an `AbortSignal.timeout` that only a combined signal knows of. `other` ends it earlier. */
function deadline(milliseconds: number, other: AbortSignal | undefined): { readonly signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new DOMException('The time is over.', 'TimeoutError')), milliseconds);
  timer.unref();
  const left = () => controller.abort(other?.reason);
  if (other?.aborted === true) left();
  else other?.addEventListener('abort', left, { once: true });
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer);
      other?.removeEventListener('abort', left);
    },
  };
}

/** What is announced has its place from the first piece on: nothing more is read of what does not fit, and no piece is kept beside the whole. */
async function readBounded(
  body: AsyncIterable<Uint8Array>,
  length: string | undefined,
  limit: number,
  hold: RemoteRequest['hold'],
  host: string,
): Promise<Uint8Array> {
  const announced = /^\d{1,15}$/.test(length ?? '') ? Number(length) : undefined;
  const pieces: Uint8Array[] = [];
  let whole: Uint8Array | undefined;
  let size = 0;
  for await (const piece of body) {
    const before = size;
    size += piece.byteLength;
    if (Math.max(size, announced ?? 0) > limit) throw new RemoteFailure('too-large', `The answer of ${host} is too large.`);
    if (announced === undefined || before === 0) hold?.(announced ?? piece.byteLength);
    if (announced === undefined || (before === 0 && piece.byteLength === announced)) pieces.push(piece);
    else (whole ??= Buffer.allocUnsafeSlow(announced)).set(piece, before);
  }
  if (whole !== undefined) return whole.subarray(0, size);
  const [only] = pieces;
  return only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces);
}

function flattened(headers: Record<string, string | string[] | undefined>): Record<string, string | undefined> {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), Array.isArray(value) ? value[0] : value] as const);
  return Object.fromEntries(entries.filter(([name]) => name !== 'set-cookie'));
}

/** The error in a form that may be shown. */
export function failure(error: unknown, host: string): RemoteFailure {
  if (error instanceof RemoteFailure) return error;
  if (chain(error).some((cause) => cause instanceof InternalAddressRefused)) {
    return new RemoteFailure('internal', `${host} is an internal address, and the settings of the service refuse those.`);
  }
  if (chain(error).some(isTimeout)) return new RemoteFailure('timeout', `${host} did not respond in time.`);
  return new RemoteFailure('unreachable', `${host} does not respond.`, { cause: error });
}

function chain(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let cause = error; cause instanceof Error && causes.length < 5; cause = cause.cause) causes.push(cause);
  return causes;
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && TIMEOUTS.has(error.name);
}

const TIMEOUTS: ReadonlySet<string> = new Set(['TimeoutError', 'ConnectTimeoutError', 'HeadersTimeoutError', 'BodyTimeoutError']);

/** A request that shows a credential says where that is good. Throws where the program forgot to: it must not leave. */
function requirePlace(headers: Readonly<Record<string, string>>, below: string | undefined): void {
  if (below === undefined && Object.keys(headers).some((name) => CREDENTIALS.includes(name.toLowerCase())))
    throw new Error('A request with a credential has to say below which address it may lie.');
}

/**
 * The last check of where a request goes. Takes its address, and the one with a final slash that it must lie below. Compares the address as it
 * will be requested, and as lenient programs could read it.
 */
function refuseElsewhere(address: string, below: string): void {
  const [asked, allowed] = [new URL(address), new URL(below)];
  const isBelow = asked.origin === allowed.origin && allowed.pathname.endsWith('/') && asked.pathname.startsWith(allowed.pathname);
  const isPlain = allowed.search === '' && allowed.hash === '' && asked.username === '' && asked.password === '';
  if (!isBelow || !isPlain || leadsElsewhere(pathOf(address)))
    throw new RemoteFailure('elsewhere', `The address resolves to another path of ${asked.host}, so it is not requested.`);
}

const CREDENTIALS = ['authorization', 'proxy-authorization', 'x-auth-token', 'cookie', 'fastly-key'];

/** What openid-client and jose ask of a fetch. */
interface FetchOptions {
  readonly method: string;
  readonly headers: Headers | Record<string, string>;
  readonly body?: unknown;
}

/** The guarded way out in the form of `fetch`, for libraries that speak to identity providers. Redirects are not followed. */
export function remoteFetch(remote: Remote): (url: string, options: FetchOptions) => Promise<Response> {
  return async (url, options) => {
    const body = options.body;
    const answer = await remote.send({
      url,
      method: options.method === 'POST' ? 'POST' : 'GET',
      below: `${new URL(url).origin}/`,
      goesOn: true,
      headers: Object.fromEntries(new Headers(options.headers)),
      ...(body instanceof URLSearchParams || typeof body === 'string' ? { body: body.toString() } : {}),
    });
    const headers = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, value]],
    );
    const bodiless = [101, 204, 205, 304].includes(answer.status);
    return new Response(bodiless ? null : Buffer.from(answer.body), { status: answer.status, headers });
  };
}

/** What the host of an address leads to, for programs that connect by themselves. Rejects with RemoteFailure. */
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
