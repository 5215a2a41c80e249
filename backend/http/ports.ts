import type { Permission } from '@repoless/contract/access.ts';
import type { EndpointId, Endpoints } from '@repoless/contract/endpoints.ts';
import type { Caller } from '../domain/caller.ts';
import type { Context, Permitted } from '../domain/context.ts';
import type { Operation } from '../domain/operation.ts';
import type { TraceIds } from '../tracing/tracing.ts';
import type { HttpOperation } from './answer.ts';

export type RequestHeaders = Readonly<Record<string, string | undefined>>;

/** The caller; a broken or expired token counts as none. */
export type Authenticate = (headers: RequestHeaders) => Promise<Caller>;

/** Throws the Refusal NOT_AUTHENTICATED or NOT_AUTHORIZED. `params` are those of the path. Out: what was read for that. */
export type Authorize = (
  context: Context,
  permission: Permission,
  params: { readonly org?: string; readonly site?: string },
) => Promise<Permitted>;

export type TableOperations = { readonly [Id in EndpointId]: Operation<Endpoints[Id]> | HttpOperation<Endpoints[Id]> };

/** One line of the log, and what an unknown error said. Neither holds a secret. */
export interface RequestLog {
  request(line: RequestLine): void;
  failure(requestId: string, error: unknown): void;
}

export interface RequestLine extends Partial<TraceIds> {
  readonly requestId: string;
  /** The path of the call that it reached, as the table has it, e.g. `/config/{org}.json`. */
  readonly route?: string;
  readonly method: string;
  /** Without the query, which may carry codes. */
  readonly path: string;
  /** Where it came from: the address of the connection, or what a trusted proxy says. */
  readonly address: string;
  /** Of a preview or live host: its name. */
  readonly host?: string;
  /** Who made it, or was signed in by it: e-mail address, technical account or `api-key:<id>`. */
  readonly user?: string;
  readonly status: number;
  /** Why it was refused. */
  readonly code?: string;
  /** What it did that its path does not say. */
  readonly event?: string;
  readonly milliseconds?: number;
  /** Of a request that cannot be read: what the parser of HTTP says. */
  readonly reason?: string;
  /** Lines of the same kind that were left out before this one. */
  readonly unlogged?: number;
}
