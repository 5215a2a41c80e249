/** What an example adds to its row, PARAMETER_EXAMPLES and BODY_EXAMPLES. */
export interface ExampleOptions {
  /** What the example shows beyond the summary of the call; named in failures. */
  readonly title?: string;
  /** Override PARAMETER_EXAMPLES; `$NAME` is a shell variable. */
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: string;
  /** Overrides BODY_EXAMPLES; `null` sends none. Objects are sent as JSON, strings unchanged. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The variable with the token; `null` sends none. Default: `TOKEN`, if the call needs one. */
  readonly token?: string | null;
  /** The expected status. Default: any success status of the row. */
  readonly status?: number;
  /** Variables for later examples, with their paths in the answer: `jobs.0.name`, or `header etag`. */
  readonly keep?: Readonly<Record<string, string>>;
  /** Repeats the call until the body contains this, for work that takes time. */
  readonly until?: string;
}

export interface Example extends ExampleOptions {
  readonly id: string;
}

/** A step between two examples that is not shown. Returns variables for later examples. */
export type Preparation = (variables: Readonly<Record<string, string>>) => Promise<Readonly<Record<string, string>> | void>;

export type Step = Example | Preparation;

/** An example of a call, by the identifier of its row. */
export function example(id: string, options: ExampleOptions = {}): Example {
  return { id, ...options };
}
