import { DRY_RUN_HEADER } from '@repoless/contract/endpoint.ts';
import type { Endpoint } from '@repoless/contract/endpoint.ts';
import type { Context } from '../domain/context.ts';
import { Refusal } from '../domain/errors.ts';
import type { Input, Outcome } from '../domain/operation.ts';
import type { Reply } from './answer.ts';
import { parseBody, refuseBody } from './parse-body.ts';
import { parseParams, parseQuery, refuseIgnored } from './parse-input.ts';
import type { RequestHeaders } from './ports.ts';
import { mediaType } from './request-body.ts';
import type { RawBody } from './request-body.ts';

/** A request before its operation: nothing but the path is parsed yet. */
export interface IncomingCall {
  readonly params: Readonly<Record<string, unknown>>;
  readonly url: string;
  readonly headers: RequestHeaders;
  readonly body: RawBody | undefined;
}

/** A row of the table together with its operation; `C` is what the operations of a program are given to work with. */
export interface Call<C = Context> {
  readonly row: Endpoint;
  readonly params: (found: Readonly<Record<string, string>>) => Readonly<Record<string, unknown>>;
  /** Parses the rest by the row, and calls the operation. */
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

/** The address as it was meant: `x-dry-run` says the same as `?dryRun=true`. Where a call knows no dry run it is refused. */
function dryRunUrl({ method, query }: Endpoint, url: string, headers: RequestHeaders): string {
  const header = headers[DRY_RUN_HEADER];
  if (header === undefined || method === 'GET') return url;
  if (header !== 'true') throw new Refusal('QUERY_INVALID', `The header ${DRY_RUN_HEADER} is "${header}"; write true, or omit it.`);
  if (!('dryRun' in query.shape))
    throw new Refusal('QUERY_INVALID', `This call does not support dry runs: omit the header ${DRY_RUN_HEADER}.`);
  const start = url.indexOf('?');
  const asked = new URLSearchParams(start < 0 ? '' : url.slice(start + 1));
  asked.set('dryRun', 'true');
  return `${start < 0 ? url : url.slice(0, start)}?${asked.toString()}`;
}

/** The cast is safe: each of the three is what the row's own schema answered, which is how `Input` derives its types. */
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

/** The order of defence: a signature is checked before anything else of the call is read. The cast is safe as above. */
function signedInput<E extends Endpoint>(row: E, { params, url, headers, body }: IncomingCall): Input<E> {
  const rest = () => {
    if (row.body !== undefined && body !== undefined) mediaType(headers['content-type'], row.body);
    refuseIgnored(row, url, headers);
    return parseQuery(row.query, dryRunUrl(row, url, headers));
  };
  return { params, headers, raw: body?.bytes ?? new Uint8Array(), rest } as unknown as Input<E>;
}
