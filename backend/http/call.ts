import type { Endpoint } from '#contract/endpoint.ts';
import type { Context } from '#backend/domain/context.ts';
import type { Input, Outcome } from '#backend/domain/verb.ts';
import { parseBody } from './parse-body.ts';
import { parseParams, parseQuery } from './parse-input.ts';
import type { RequestHeaders } from './ports.ts';
import type { RawBody } from './request-body.ts';

/** A request as it stands at the door of a verb: nothing but the path is parsed yet. */
export interface Arrived {
  readonly params: Readonly<Record<string, unknown>>;
  readonly url: string;
  readonly headers: RequestHeaders;
  readonly body: RawBody | undefined;
}

/** A row of the table together with its verb; `C` is what the verbs of a program are given to work with. */
export interface Call<C = Context> {
  readonly row: Endpoint;
  readonly params: (found: Readonly<Record<string, string>>) => Readonly<Record<string, unknown>>;
  /** Parses the rest by the row, and calls the verb. */
  readonly run: (context: C, arrived: Arrived) => Promise<Outcome>;
}

export function bindCall<E extends Endpoint, C = Context>(row: E, verb: (context: C, input: Input<E>) => Promise<Outcome>): Call<C> {
  return {
    row,
    params: (found) => parseParams(row.params, found),
    run: (context, arrived) => verb(context, parsedInput(row, arrived)),
  };
}

/** The cast is safe: each of the three is what the row's own schema answered, which is how `Input` derives its types. */
function parsedInput<E extends Endpoint>(row: E, { params, url, headers, body }: Arrived): Input<E> {
  const query = parseQuery(row.query, url);
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
