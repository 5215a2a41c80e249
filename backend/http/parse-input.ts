import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import { jsonPointer } from '@repoless/contract/errors.ts';
import type { ErrorCode } from '@repoless/contract/errors.ts';
import { isWrite } from '@repoless/contract/endpoint.ts';
import type { Endpoint } from '@repoless/contract/endpoint.ts';
import { checkAgainst, compiled } from '../domain/field-errors.ts';
import { Refusal } from '../domain/errors.ts';
import { checkPreconditions } from '../domain/preconditions.ts';
import type { RequestHeaders } from './ports.ts';

/** The headers of a request, lower-cased; several values of one header are joined as HTTP allows. */
export function requestHeaders(request: Pick<IncomingMessage, 'headers'>): RequestHeaders {
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(request.headers)) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  return headers;
}

/**
 * The path of a row as Express 5 writes it: `{name}` becomes `:name`, `{name*}` the rest of the path.
 * In: `/config/{org}/sites/{site}.json`. Out: `/config/:org/sites/:site.json`.
 */
export function expressPath(path: string): string {
  return path.replaceAll(/\{(\w+)(\*?)\}/g, (_, name: string, rest: string) => (rest === '' ? `:${name}` : `*${name}`));
}

/** The parameters that Express found: the segments of a rest are put together again. */
export function joinParams(found: Readonly<Record<string, string | string[]>>): Record<string, string> {
  return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, typeof value === 'string' ? value : value.join('/')]));
}

/** The names in a path: the first that is wrong is refused with its own sentence (NAME_INVALID). */
export function parseParams<S extends z.ZodObject>(schema: S, found: Readonly<Record<string, string>>): z.output<S> {
  const parsed = compiled(schema).safeParse(found);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const code: ErrorCode = 'NAME_INVALID';
  const name = String(issue?.path[0] ?? 'name');
  throw new Refusal(
    code,
    issue?.code === 'custom' || issue?.code === 'invalid_format' ? issue.message : `The ${name} in the path is not valid.`,
  );
}

/** The query of a call; a parameter that comes twice is an array, which only the authoring proxy takes. */
export function parseQuery<S extends z.ZodObject>(schema: S, url: string): z.output<S> {
  const start = url.indexOf('?');
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(start < 0 ? '' : url.slice(start + 1))) {
    const before = values.get(name);
    if (before === undefined) values.set(name, [value]);
    else before.push(value);
  }
  const query = Object.fromEntries([...values].map(([name, all]) => [name, all.length === 1 ? all[0] : all]));
  refuseOddText(query, 'QUERY_INVALID', 'The query');
  return checkAgainst(schema, query, 'QUERY_INVALID', 'The query');
}

/**
 * Refuses what the contract names and this call does not support: a dry run, a restore, a precondition. Ignoring it would be a success that does
 * something else. Values that request nothing special are accepted, and so is anything on a read. Refuses with QUERY_INVALID or
 * PRECONDITION_FAILED.
 */
export function refuseIgnored(row: Endpoint, url: string, headers: RequestHeaders): void {
  if (row.method === 'GET') return;
  if (!isWrite(row)) checkPreconditions(preconditionsOf(headers), undefined);
  // The query of a proxied call is that of the other program.
  if (row.outside === 'proxy') return;
  const query = new URLSearchParams(url.split('?')[1]);
  for (const [name, isAsked] of Object.entries(NAMED)) {
    const value = query.get(name);
    if (value === null || name in row.query.shape || !isAsked(value)) continue;
    const sentence = `This call does not accept "${name}". Omit it.`;
    throw new Refusal('QUERY_INVALID', sentence, { errors: [{ pointer: `/${name}`, detail: sentence }] });
  }
}

/** In: the names and values of a query. */
function refuseOddText(texts: Readonly<Record<string, string | readonly string[] | undefined>>, code: ErrorCode, what: string): void {
  for (const [name, value] of Object.entries(texts)) {
    if (![name, ...[value ?? ''].flat()].some(isOdd)) continue;
    throw new Refusal(code, oddText(what), { errors: [{ pointer: jsonPointer([name.slice(0, SHOWN)]), detail: oddText('It') }] });
  }
}

function preconditionsOf({ 'if-match': ifMatch, 'if-none-match': ifNoneMatch }: RequestHeaders) {
  return { ...(ifMatch !== undefined && { ifMatch }), ...(ifNoneMatch !== undefined && { ifNoneMatch }) };
}

const isNo = (value: string): boolean => /^(?:false|0|no|off|n|disabled)$/i.test(value);

/** Queries that change what a write does, and the values that ask for that. Writes without `replace` replace whole. */
const NAMED: Readonly<Record<string, (value: string) => boolean>> = {
  dryRun: (value) => !isNo(value),
  migrate: (value) => !isNo(value),
  replace: isNo,
  restoreVersion: () => true,
  versionName: () => true,
};

/** Whether a text has a character that no text can be stored and sent with: U+0000, which PostgreSQL does not take, or half of a character, which no UTF-8 and no address has. */
export function isOdd(text: string): boolean {
  return ODD.test(text);
}

export function oddText(what: string): string {
  return `${what} has the character U+0000, or half of a character. Remove it.`;
}

/** With the flag `u`, halves of whole characters do not match. */
const ODD = /[\0\p{Surrogate}]/u;
const SHOWN = 100;
