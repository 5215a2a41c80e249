import type { Endpoint } from '@repoless/contract/endpoint.ts';
import type { BodyOf, QueryOf } from '@repoless/contract/endpoints.ts';
import type { DryRun } from '@repoless/contract/endpoint-parts.ts';
import type { z } from 'zod';
import type { Failure } from '../situation/call.ts';
import { exchange, type Exchanged, openStream, parseJson, refusal } from './exchange.ts';

export interface ClientOptions {
  /** Scheme and host of the configuration service, without a trailing slash. */
  readonly service: string;
  /** The token of the service; undefined if no one is signed in. */
  readonly token: () => Promise<string | undefined>;
  /**
   * Called with a token that was not accepted. A new token makes the client repeat the call, which is safe: it was refused
   * before anything was done. A failure becomes the failure of the call; undefined leaves the refusal unchanged.
   */
  readonly renew?: (refused: string | undefined) => Promise<string | Failure | undefined>;
  readonly fetch?: typeof fetch;
  readonly trace?: Trace;
}

/** The input of a call. Query values are typed, not serialized. Dry runs are excluded. */
export interface CallInput<E extends Endpoint> {
  readonly params: z.input<E['params']>;
  readonly query?: Omit<Partial<QueryOf<E>>, 'dryRun'>;
  readonly body?: BodyOf<E>;
  readonly headers?: Readonly<Record<string, string>>;
}

export type ClientAnswer<T> =
  | { readonly ok: true; readonly status: number; readonly value: T; readonly headers: Headers }
  | { readonly ok: false; readonly failure: Failure };

type Success = 200 | 201 | 202 | 204;
/** The successful answer of a call, except dry runs; a string if the table has no schema. */
export type ValueOf<E extends Endpoint> = Exclude<
  {
    [S in keyof E['answers'] & Success]: E['answers'][S] extends { schema: infer Z extends z.ZodType } ? z.output<Z> : string;
  }[keyof E['answers'] & Success],
  DryRun
>;

export interface ServiceRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Client {
  readonly service: string;
  /** Makes a call of the table and parses its answer. Never throws. */
  call<E extends Endpoint>(row: E, input: CallInput<E>): Promise<ClientAnswer<ValueOf<E>>>;
  request(request: ServiceRequest): Promise<Exchanged>;
  /** Starts a request whose answer is streamed, with the token. `body` is absent if the answer is not an event stream. */
  open(request: ServiceRequest, signal: AbortSignal): Promise<Opened>;
}

export type Opened =
  | { readonly ok: true; readonly body: ReadableStream<Uint8Array<ArrayBuffer>> | undefined }
  | { readonly ok: false; readonly failure: Failure };

export function createClient(options: ClientOptions): Client {
  const service = options.service.replace(/\/$/, '');
  const trace = options.trace ?? createTrace();
  const fetcher = options.fetch ?? ((input, init) => fetch(input, init));
  const init = (request: ServiceRequest, token: string | undefined): RequestInit => ({
    method: request.method,
    headers: {
      accept: 'application/json',
      traceparent: trace.header(),
      ...request.headers,
      ...(token === undefined ? {} : { 'x-auth-token': token }),
    },
    ...(request.body === undefined ? {} : { body: request.body }),
    cache: 'no-store',
  });
  const once = (request: ServiceRequest, token: string | undefined) => exchange(fetcher, `${service}${request.path}`, init(request, token));
  /** A refused token is renewed once, if that is possible. */
  const withToken = async <A>(
    send: (token: string | undefined) => Promise<A>,
    isRefused: (answer: A) => boolean,
  ): Promise<A | { readonly ok: false; readonly failure: Failure }> => {
    const token = await options.token();
    const answer = await send(token);
    if (!isRefused(answer) || options.renew === undefined) return answer;
    const renewed = await options.renew(token);
    if (renewed === undefined) return answer;
    return typeof renewed === 'string' ? send(renewed) : { ok: false, failure: renewed };
  };
  const request = (call: ServiceRequest) => withToken((token) => once(call, token), isTokenRefused);
  const openOnce = (call: ServiceRequest, token: string | undefined, signal: AbortSignal) =>
    openStream(fetcher, `${service}${call.path}`, { ...init(call, token), signal });
  const open = (call: ServiceRequest, signal: AbortSignal): Promise<Opened> =>
    withToken(
      (token) => openOnce(call, token, signal),
      (opened) => !opened.ok && opened.failure.status === 401,
    );
  return { service, request, open, call: async (row, input) => answered(row, await request(requestOf(row, input))) };
}

/** A 401 of the service itself; one of the authoring system behind the authoring proxy is not about this token. */
function isTokenRefused(answer: Exchanged): boolean {
  return answer.ok && answer.received.status === 401 && answer.received.headers.get('x-relayed') === null;
}

function requestOf<E extends Endpoint>(row: E, input: CallInput<E>): ServiceRequest {
  const path = printAddress(row.path, input.params, input.query);
  if (input.body === undefined) return { method: row.method, path, ...(input.headers === undefined ? {} : { headers: input.headers }) };
  const media = row.body?.media[0] ?? 'application/json';
  const body = typeof input.body === 'string' ? input.body : JSON.stringify(input.body);
  const type = typeof input.body === 'string' || row.body?.media.includes('application/json') !== true ? media : 'application/json';
  return { method: row.method, path, headers: { ...input.headers, 'content-type': type }, body };
}

function answered<E extends Endpoint>(row: E, answer: Exchanged): ClientAnswer<ValueOf<E>> {
  if (!answer.ok) return answer;
  const { received } = answer;
  const { status, headers, text } = received;
  if (status < 200 || status > 299) return { ok: false, failure: refusal(received) };
  const schema = row.answers[status]?.schema;
  if (schema === undefined) return { ok: true, status, headers, value: asValue<E>(text) };
  const parsed = schema.safeParse(parseJson(text) ?? text);
  if (parsed.success) return { ok: true, status, headers, value: asValue<E>(parsed.data) };
  const [issue] = parsed.error.issues;
  const about = `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`;
  return { ok: false, failure: { kind: 'unexpected', status, finding: { kind: 'unread', from: 'service', about } } };
}

// Safe: the value was parsed by the schema of this row and status; the type is lost in the lookup.
function asValue<E extends Endpoint>(value: unknown): ValueOf<E> {
  return value as ValueOf<E>;
}

/**
 * Builds an address from a path of the table, e.g. `/config/{org}.json`, with parameters by name (`{path*}` keeps its slashes) and a query
 * by name (undefined values are omitted). Returns path and query, encoded.
 */
export function printAddress(template: string, params: unknown, query?: unknown): string {
  const values = new Map(entries(params));
  const path = template.replaceAll(/\{([a-z]+)(\*?)\}/gi, (_whole, name: string, rest: string) => {
    const value = values.get(name) ?? '';
    if (rest === '') return encodeURIComponent(value);
    return value.split('/').map(encodeURIComponent).join('/').replace(/^\//, '');
  });
  const search = new URLSearchParams(entries(query)).toString();
  return search === '' ? path : `${path}?${search}`;
}

/** Adds `name=value` to the query of a path. */
export function withQuery(path: string, name: string, value: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`;
}

function entries(values: unknown): [string, string][] {
  if (typeof values !== 'object' || values === null) return [];
  return Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] satisfies [string, string]]));
}

/** IDs by which the service's traces connect related calls (W3C Trace Context). */
interface Trace {
  /** `traceparent` of the next call. */
  header(): string;
  /** Connects calls until the returned function is called; otherwise, each call is a separate trace. */
  inOneTrace(): () => void;
}

/** Nothing is recorded here: the service may record its part under these IDs. */
export function createTrace(): Trace {
  let shared: string | undefined;
  return {
    header: () => `00-${shared ?? randomHex(16)}-${randomHex(8)}-01`,
    inOneTrace() {
      const own = randomHex(16);
      shared = own;
      return () => {
        if (shared === own) shared = undefined;
      };
    },
  };
}

function randomHex(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
