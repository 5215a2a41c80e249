import type { BodyOf, ParamsOf, QueryOf } from '@repoless/contract/endpoints.ts';
import type { Endpoint } from '@repoless/contract/endpoint.ts';
import type { Patch } from '@repoless/contract/endpoint-parts.ts';
import type { PrintedAnswer } from './answer-budget.ts';
import type { Context } from './context.ts';

/** A call, parsed by its row of the table. */
export interface Input<E extends Endpoint> {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  /** The headers as they came: `*`, or etags separated by commas. */
  readonly ifMatch?: string;
  readonly ifNoneMatch?: string;
  /** All request headers, lower-cased; for sign-in and the authoring proxy alone. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The body as it came, for calls that pass it on. */
  readonly raw?: Uint8Array;
  /**
   * Of a call whose body is signed: to be called once the signature was checked. Reads the rest of the call as its row says,
   * and refuses where it does not fit. Nothing but path and bytes is looked at before, and `query` is not there.
   */
  readonly rest?: () => QueryOf<E>;
}

/** What became of a call. HTTP makes a status of it. */
export type Result = 'done' | 'created' | 'accepted' | 'removed';

/** What a write that was only tried would come to. */
export interface Trial {
  readonly result: Result;
  /** What it would answer. */
  readonly body: unknown;
  readonly diff: Patch;
  readonly warnings?: readonly string[];
}

/**
 * What an operation answers. `etag` with its quotes; `headers` lower-cased (several values of one header as an array); no `body` means an empty answer. A text or bytes
 * are sent as they are, with the content type that `headers` gives; everything else is sent as JSON.
 */
export interface Outcome {
  readonly result: Result;
  readonly body?: unknown;
  /** Instead of a body: the call was a dry run. */
  readonly trial?: Trial;
  /** Instead of a body: pieces that are sent as they come, until they end or the caller leaves. */
  readonly stream?: AsyncIterable<string>;
  /** Instead of a body: an answer that may be large; JSON unless `headers` say otherwise. */
  readonly printed?: PrintedAnswer;
  readonly etag?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Whom the call signed in; for the log alone. */
  readonly user?: string;
  /** What it did that its address does not say; for the log alone. */
  readonly event?: 'sessions-ended' | `mcp ${string}`;
}

/** A use case behind one row of the table. Refuses by throwing a `Refusal`. */
export type Operation<E extends Endpoint> = (context: Context, input: Input<E>) => Promise<Outcome>;
