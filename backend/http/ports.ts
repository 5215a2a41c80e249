import type { Caller } from '#backend/domain/caller.ts';
import type { Context } from '#backend/domain/context.ts';
import type { Verb } from '#backend/domain/verb.ts';
import type { EndpointId, Endpoints } from '#contract/endpoints.ts';
import type { Permission } from '#contract/permissions.ts';

export type RequestHeaders = Readonly<Record<string, string | undefined>>;

/** Who makes a call; a broken or expired token counts as none. */
export type Authenticate = (headers: RequestHeaders) => Promise<Caller>;

/** Throws the Refusal NOT_AUTHENTICATED or NOT_AUTHORIZED. `params` are those of the path. */
export type Authorize = (
  context: Context,
  permission: Permission,
  params: { readonly org?: string; readonly site?: string },
) => Promise<void>;

export type TableVerbs = { readonly [Id in EndpointId]: Verb<Endpoints[Id]> };

/** One line of the log, and what an unknown error said. Neither holds a secret. */
export interface RequestLog {
  request(line: RequestLine): void;
  failure(requestId: string, error: unknown): void;
}

export interface RequestLine {
  readonly requestId: string;
  readonly method: string;
  /** Without the query, which may carry codes. */
  readonly path: string;
  readonly status: number;
  readonly milliseconds: number;
}
