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
}

/** What a verb answers. `etag` with its quotes; `headers` lower-cased; no `body` means an empty answer. */
export interface Outcome {
  readonly status: number;
  readonly body?: unknown;
  readonly etag?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A use case behind one row of the table. Refuses by throwing a `Refusal`. */
export type Verb<E extends Endpoint> = (context: Context, input: Input<E>) => Promise<Outcome>;
