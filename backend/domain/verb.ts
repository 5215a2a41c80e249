import type { BodyOf, ParamsOf, QueryOf } from '#contract/endpoints.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import type { Context } from './context.ts';

/** A call, parsed by its row of the table. */
export interface Input<E extends Endpoint> {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  /** The headers as they came: `*`, or etags separated by commas. */
  readonly ifMatch?: string;
  readonly ifNoneMatch?: string;
  /** All request headers, lower-cased; for sign-in and the relay alone. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The body as it came, for calls that pass it on. */
  readonly raw?: Uint8Array;
}

/**
 * What a verb answers. `etag` with its quotes; `headers` lower-cased (several values of one header as an array); no `body` means an empty answer. A text or bytes
 * are sent as they are, with the content type that `headers` gives; everything else is sent as JSON.
 */
export interface Outcome {
  readonly status: number;
  readonly body?: unknown;
  /** Instead of a body: pieces that are sent as they come, until they end or the caller leaves. */
  readonly stream?: AsyncIterable<string>;
  readonly etag?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

/** A use case behind one row of the table. Refuses by throwing a `Refusal`. */
export type Verb<E extends Endpoint> = (context: Context, input: Input<E>) => Promise<Outcome>;
