import { DRY_RUN_HEADER, type Endpoint, type RequestBody } from '@repoless/contract/endpoint.ts';
import { jsonPointer } from '@repoless/contract/errors.ts';
import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import type { Context, Input, Outcome } from '../domain/context.ts';
import { checkAgainst, compiled, frozen, memoizePerDocument } from '../domain/documents.ts';
import { Refusal, checkPreconditions } from '@repoless/contract/refusal.ts';
import { severalPerTick } from '../domain/fair-share.ts';
import type { Reply } from './answer.ts';
import { announcedBody, gone, isOdd, mediaType, oddText, parseBody, type RawBody, type ReadBody } from './request-body.ts';

export type RequestHeaders = Readonly<Record<string, string | undefined>>;

/** The headers of a request, names in lower case; several values of one header are joined as HTTP allows. */
export function requestHeaders(request: Pick<IncomingMessage, 'headers'>): RequestHeaders {
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(request.headers)) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  return headers;
}

/** In the syntax of Express 5: `{name}` becomes `:name`, `{name*}` (the rest of the path) `*name`. */
export function expressPath(path: string): string {
  return path.replaceAll(/\{(\w+)(\*?)\}/g, (_, name: string, rest: string) => (rest === '' ? `:${name}` : `*${name}`));
}

/** The parameters found by Express, with the segments of a rest joined again. */
export function joinParams(found: Readonly<Record<string, string | string[]>>): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [name, value] of Object.entries(found)) params[name] = typeof value === 'string' ? value : value.join('/');
  return params;
}

/** The names in a path: the first invalid one is refused with its own message (NAME_INVALID). */
export function parseParams<S extends z.ZodObject>(schema: S, found: Readonly<Record<string, string>>): z.output<S> {
  const parsed = compiled(schema).safeParse(found);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const name = String(issue?.path[0] ?? 'name');
  const message = issue?.code === 'custom' || issue?.code === 'invalid_format' ? issue.message : `The ${name} in the path is not valid.`;
  throw new Refusal('NAME_INVALID', message);
}

/** The query of a call; a repeated parameter is an array, which only the authoring proxy accepts. */
function parseQuery<S extends z.ZodObject>(schema: S, url: string): z.output<S> {
  // Safe: it was parsed by the same schema.
  if (!url.includes('?')) return emptyQuery(schema) as z.output<S>;
  const values = new Map<string, string[]>();
  for (const [name, value] of queryOf(url)) {
    const before = values.get(name);
    if (before === undefined) values.set(name, [value]);
    else before.push(value);
  }
  const query = Object.fromEntries([...values].map(([name, all]) => [name, all.length === 1 ? all[0] : all]));
  refuseOddText(query);
  return checkAgainst(schema, query, 'QUERY_INVALID', 'The query');
}

const emptyQuery = memoizePerDocument((schema: z.ZodObject) => frozen(checkAgainst(schema, {}, 'QUERY_INVALID', 'The query')));

function queryOf(url: string): URLSearchParams {
  const start = url.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : url.slice(start + 1));
}

/**
 * Refuses what the contract names and this call does not support: a dry run, a restore, a precondition. Ignoring it would be a success that does
 * something else. Values that request nothing special are accepted, and so is anything on a read. Refuses with QUERY_INVALID or
 * PRECONDITION_FAILED.
 */
function refuseIgnored(row: Endpoint, url: string, headers: RequestHeaders): void {
  if (row.method === 'GET') return;
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers;
  if (row.outside !== undefined)
    checkPreconditions({ ...(ifMatch !== undefined && { ifMatch }), ...(ifNoneMatch !== undefined && { ifNoneMatch }) }, undefined);
  // The query of a proxied call is meant for the other program.
  if (row.outside === 'proxy' || !url.includes('?')) return;
  const query = queryOf(url);
  for (const [name, isRequested] of Object.entries(NAMED)) {
    const value = query.get(name);
    if (value === null || name in row.query.shape || !isRequested(value)) continue;
    const sentence = `This call does not accept "${name}". Omit it.`;
    throw new Refusal('QUERY_INVALID', sentence, { errors: [{ pointer: `/${name}`, detail: sentence }] });
  }
}

/** Takes the names and values of a query. */
function refuseOddText(texts: Readonly<Record<string, string | readonly string[] | undefined>>): void {
  for (const [name, value] of Object.entries(texts)) {
    if (![name, ...[value ?? ''].flat()].some(isOdd)) continue;
    const errors = [{ pointer: jsonPointer([name.slice(0, SHOWN)]), detail: oddText('It') }];
    throw new Refusal('QUERY_INVALID', oddText('The query'), { errors });
  }
}

const SHOWN = 100;

const isNo = (value: string): boolean => /^(?:false|0|no|off|n|disabled)$/i.test(value);

/** Parameters that change what a write does, and the values that request it. Writes without `replace` replace completely. */
const NAMED: Readonly<Record<string, (value: string) => boolean>> = {
  dryRun: (value) => !isNo(value),
  migrate: (value) => !isNo(value),
  replace: isNo,
  restoreVersion: () => true,
  versionName: () => true,
};

/** Reads what a request announces of its body, see `announcedBody`; for a call without a body, only whether there is one. */
export function bodyReader(request: IncomingMessage, expected: RequestBody | undefined, limit: number): ReadBody {
  return expected === undefined ? () => readUnwanted(request) : announcedBody(request, expected, limit);
}

/** A body sent to a call that takes none: undefined if there is none, otherwise only that there is one. */
async function readUnwanted(request: IncomingMessage): Promise<RawBody | undefined> {
  const isChunked = request.headers['transfer-encoding'] !== undefined;
  const isSent = isChunked ? await carriesBytes(request) : Number(request.headers['content-length'] ?? 0) > 0;
  return isSent ? { media: '', bytes: new Uint8Array() } : undefined;
}

function carriesBytes(request: IncomingMessage): Promise<boolean> {
  return new Promise((resolve, reject) => {
    if (request.destroyed) return reject(gone());
    request.on('data', () => resolve(true));
    request.on('end', () => resolve(false));
    request.on('error', reject);
  });
}

/** A call without a body refuses one, because its sender expects it to count. */
function refuseBody(raw: RawBody | undefined): void {
  if (raw === undefined) return;
  const sentence = 'This call takes no body. Omit it.';
  throw new Refusal('BODY_INVALID', sentence, { errors: [{ pointer: '', detail: sentence }] });
}

/** Large bodies that arrive together are parsed one per turn of the event loop, so that others wait for one of them at most. */
export function queueLargeBodies(): (bytes: number) => Promise<void> {
  const nextTick = severalPerTick(1);
  return async (bytes) => {
    if (bytes >= LARGE) await nextTick();
  };
}

/** Bytes; smaller bodies are parsed and processed within milliseconds. */
const LARGE = 16 * 1024;

/** A request before its operation: only the path is parsed. */
interface IncomingCall {
  readonly params: Readonly<Record<string, unknown>>;
  readonly url: string;
  readonly headers: RequestHeaders;
  readonly body: RawBody | undefined;
}

export interface Call<C = Context> {
  readonly row: Endpoint;
  readonly params: (found: Readonly<Record<string, string>>) => Readonly<Record<string, unknown>>;
  readonly run: (context: C, arrived: IncomingCall) => Promise<Outcome | Reply>;
}

export function bindCall<E extends Endpoint, C = Context>(
  row: E,
  operation: (context: C, input: Input<E>) => Promise<Outcome | Reply>,
): Call<C> {
  return {
    row,
    params: (found) => parseParams(row.params, found),
    run: (context, arrived) => operation(context, parsedInput(row, arrived)),
  };
}

/** The effective address: `x-dry-run` means the same as `?dryRun=true`. Refused if a call has no dry run. */
function dryRunUrl({ method, query }: Endpoint, url: string, headers: RequestHeaders): string {
  const header = headers[DRY_RUN_HEADER];
  if (header === undefined || method === 'GET') return url;
  if (header !== 'true') throw new Refusal('QUERY_INVALID', `The header ${DRY_RUN_HEADER} is "${header}"; write true, or omit it.`);
  if (!('dryRun' in query.shape))
    throw new Refusal('QUERY_INVALID', `This call does not support dry runs: omit the header ${DRY_RUN_HEADER}.`);
  const parameters = queryOf(url);
  parameters.set('dryRun', 'true');
  return `${url.split('?', 1)[0] ?? ''}?${parameters.toString()}`;
}

/** The cast is safe: each of the three was parsed by the row's own schema, from which `Input` derives its types. */
function parsedInput<E extends Endpoint>(row: E, arrived: IncomingCall): Input<E> {
  const { params, url, headers, body } = arrived;
  if (row.body?.raw === true) return signedInput(row, arrived);
  if (row.body === undefined) refuseBody(body);
  const query = parseQuery(row.query, dryRunUrl(row, url, headers));
  refuseIgnored(row, url, headers);
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers;
  const input = {
    params,
    query,
    body: row.body === undefined ? undefined : parseBody(body, row.body),
    headers,
    ...(ifMatch !== undefined && { ifMatch }),
    ...(ifNoneMatch !== undefined && { ifNoneMatch }),
    ...(body !== undefined && { raw: body.bytes }),
  };
  return input as unknown as Input<E>;
}

/** The order of defence: a signature is checked before the rest of the call is parsed. The cast is safe as above. */
function signedInput<E extends Endpoint>(row: E, { params, url, headers, body }: IncomingCall): Input<E> {
  const rest = () => {
    if (row.body !== undefined && body !== undefined) mediaType(headers['content-type'], row.body);
    refuseIgnored(row, url, headers);
    return parseQuery(row.query, dryRunUrl(row, url, headers));
  };
  return { params, headers, raw: body?.bytes ?? new Uint8Array(), rest } as unknown as Input<E>;
}
