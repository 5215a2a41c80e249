import { DRY_RUN_HEADER, type Endpoint, isWrite } from '@repoless/contract/endpoint.ts';
import { allEndpoints } from '@repoless/contract/endpoints.ts';
import { ERRORS, type Problem } from '@repoless/contract/errors.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { problemOf, valueSentence } from '@repoless/contract/value-problems.ts';
import { refusalMembers } from '@repoless/contract/value-rules.ts';
import { printAddress } from '@repoless/core/api/client.ts';
import { parseJson } from '@repoless/core/api/exchange.ts';
import type { z } from 'zod';
import type { BridgeOptions, Outcome, Preconditions, RunningChecks } from './call.ts';
import { readCredential } from './credential.ts';
import { OPERATIONS } from './operations.ts';
import { notOffered } from './refusals.ts';
import type { RunningRollouts } from './rollout-document.ts';

export interface BridgeRequest {
  readonly method: string;
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface BridgeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Answers one call of the contract by calling the hosted service with the caller's own token. Never throws. */
export type Bridge = (request: BridgeRequest) => Promise<BridgeAnswer>;

/** Milliseconds for which values that are the same for every call of a caller are cached. */
const REMEMBERED = 30_000;

export function createBridge(options: BridgeOptions): Bridge {
  const answer = createAnswers(options);
  return async (request) => {
    try {
      return printed(await answered(answer, request));
    } catch (error) {
      return refusedAnswer(error instanceof Refusal ? error : new Refusal('INTERNAL', 'Unexpected error in the bridge.', { cause: error }));
    }
  };
}

/** A call of the contract whose parameters, query and body have already been parsed by its row. */
export interface ParsedCall extends Preconditions {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly token: string | undefined;
}

/** Answers a row of the contract, given its identifier and the call, from the hosted service. Throws refusals. */
export type Answers = (id: string, row: Endpoint, call: ParsedCall) => Promise<Outcome>;

export function createAnswers(options: BridgeOptions): Answers {
  const memory: Memory = new Map();
  const rollouts: RunningRollouts = options.rollouts ?? new Map();
  const checks: RunningChecks = new Map();
  return async (id, row, parsed) => {
    const operation = OPERATIONS[id];
    if (operation === undefined) throw notOffered(id, row, options.service);
    const { params, query, token, headers, ...rest } = parsed;
    const isDryRun = query['dryRun'] === true || headers[DRY_RUN_HEADER] === 'true';
    if (isDryRun && query['dryRun'] === undefined && !isWrite(row))
      throw new Refusal('QUERY_INVALID', 'This call does not accept "dryRun". Omit it.');
    // The write may change what is cached.
    if (row.method !== 'GET' && !isDryRun) memory.clear();
    return await operation({
      ...rest,
      method: row.method,
      address: printAddress(row.path, params),
      params: Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)])),
      query,
      isDryRun,
      credential: token === undefined || token === '' ? undefined : readCredential(token),
      options,
      rollouts,
      checks,
      cached: (key, reading) => remember(memory, `${token ?? ''} ${key}`, options.now().getTime(), reading),
    });
  };
}

type Memory = Map<string, { readonly until: number; readonly value: Promise<unknown> }>;

async function answered(answer: Answers, request: BridgeRequest): Promise<Outcome> {
  const url = new URL(request.path, 'http://bridge.invalid');
  const found = route(request.method, url.pathname);
  if (found === undefined) throw new Refusal('ROUTE_NOT_FOUND', `There is no ${request.method} ${url.pathname}.`);
  const { id, row, params } = found;
  const { headers } = request;
  const query = parsed(row.query, Object.fromEntries(url.searchParams), 'QUERY_INVALID', 'The query') as ParsedCall['query'];
  // A call without dry runs would really be made.
  if (url.searchParams.has('dryRun') && query['dryRun'] === undefined)
    throw new Refusal('QUERY_INVALID', 'This call does not accept "dryRun". Omit it.');
  return await answer(id, row, {
    params: parsed(row.params, params, 'NAME_INVALID', 'The address') as ParsedCall['params'],
    query,
    body: OPERATIONS[id] === undefined ? undefined : bodyOf(row, request),
    headers,
    token: headers['x-auth-token'] ?? headers['authorization']?.replace(/^(?:token|bearer)\s+/i, ''),
    ...(headers['if-match'] === undefined ? {} : { ifMatch: headers['if-match'] }),
    ...(headers['if-none-match'] === undefined ? {} : { ifNoneMatch: headers['if-none-match'] }),
  });
}

/** Does not cache a failed read. The cast is safe: a key is used for one kind of value. */
async function remember<T>(memory: Memory, key: string, now: number, reading: () => Promise<T>): Promise<T> {
  const known = memory.get(key);
  if (known !== undefined && known.until > now) return (await known.value) as T;
  const value = reading();
  // All have the same lifetime, so the first ones expire first.
  memory.delete(key);
  memory.set(key, { until: now + REMEMBERED, value });
  for (const [other, { until }] of memory) {
    if (until > now) break;
    memory.delete(other);
  }
  return await value.catch((error: unknown) => {
    memory.delete(key);
    throw error;
  });
}

function bodyOf(row: Endpoint, { body, headers }: BridgeRequest): unknown {
  const expected = row.body;
  if (expected === undefined || body === undefined || body === '') {
    if (expected === undefined || expected.optional === true) return undefined;
    throw new Refusal('BODY_MISSING', 'This call needs a body.');
  }
  const isJson = /\bjson\b/i.test(headers['content-type'] ?? 'application/json');
  const value: unknown = isJson ? parseJson(body) : body;
  if (value === undefined) throw new Refusal('BODY_UNPARSABLE', 'The body is not JSON.');
  return parsed(expected.schema, value, 'BODY_INVALID', 'The body');
}

function parsed(schema: z.ZodType, value: unknown, code: 'BODY_INVALID' | 'QUERY_INVALID' | 'NAME_INVALID', what: string): unknown {
  const result = schema.safeParse(value, { error: valueSentence });
  if (result.success) return result.data;
  const { sentence, errors } = problemOf(result.error.issues, what);
  throw new Refusal(code, code === 'NAME_INVALID' ? (errors[0]?.detail ?? sentence) : sentence, { errors });
}

interface Route {
  readonly id: string;
  readonly row: Endpoint;
  readonly pattern: RegExp;
  readonly names: readonly string[];
}

/** The calls of the contract in its order: the first match wins. */
const ROUTES: readonly Route[] = allEndpoints().map(([id, row]) => {
  const names: string[] = [];
  const pattern = row.path
    .replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/\{(\w+)(\\\*)?\}/g, (_whole, name: string, rest?: string) => {
      names.push(name);
      return rest === undefined ? '([^/]+)' : '(.*)';
    });
  return { id, row, pattern: new RegExp(`^${pattern}$`), names };
});

function route(
  method: string,
  path: string,
): { readonly id: string; readonly row: Endpoint; readonly params: Readonly<Record<string, string>> } | undefined {
  const found = ROUTES.find(({ row, pattern }) => row.method === method && pattern.test(path));
  if (found === undefined) return undefined;
  const values = found.pattern.exec(path)?.slice(1) ?? [];
  return {
    id: found.id,
    row: found.row,
    params: Object.fromEntries(found.names.map((name, index) => [name, decoded(values[index] ?? '')])),
  };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new Refusal('NAME_INVALID', 'An escape in the path is not valid text.');
  }
}

/** The headers of an answer, including its warnings. */
export function headersOf({ headers, warnings = [] }: Outcome): Record<string, string> {
  return {
    ...(warnings.length === 0 ? {} : { 'x-warning': warnings.map((one) => one.replaceAll(/[^ -~]/g, ' ')).join('; ') }),
    ...headers,
  };
}

function printed(outcome: Outcome): BridgeAnswer {
  const { status, body, etag } = outcome;
  const isText = typeof body === 'string';
  return {
    status,
    headers: {
      ...(body === undefined ? {} : { 'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json' }),
      ...(etag === undefined ? {} : { etag }),
      'cache-control': 'no-store, private, must-revalidate',
      ...headersOf(outcome),
    },
    text: body === undefined ? '' : isText ? body : JSON.stringify(body),
  };
}

/** A refusal as an HTTP answer. */
export function refusedAnswer(refusal: Refusal): BridgeAnswer {
  const { status, title } = ERRORS[refusal.code];
  const body: Problem = { type: `/errors#${refusal.code}`, title, status, ...refusalMembers(refusal) };
  return {
    status,
    headers: {
      'content-type': 'application/problem+json',
      'x-error': refusal.message.replaceAll(/[^ -~]/g, ' '),
      'x-error-code': refusal.code,
      ...(refusal.retryAfter === undefined ? {} : { 'retry-after': String(refusal.retryAfter) }),
    },
    text: JSON.stringify(body),
  };
}
