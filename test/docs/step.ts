/** What an example says besides what its row, PARAMETER_EXAMPLES and BODY_EXAMPLES say already. */
export interface ExampleOptions {
  /** What the example shows, where the summary of the call does not say it all: a failure names it. */
  readonly title?: string;
  /** Over PARAMETER_EXAMPLES; `$NAME` is a variable of the shell. */
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: string;
  /** Over BODY_EXAMPLES; `null` sends none. An object is sent as JSON, a text as it stands. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The variable that holds the token; `null` sends none. Left out: `TOKEN`, where the call needs one. */
  readonly token?: string | null;
  /** The status that is to be answered. Left out: any that the row has as a success. */
  readonly status?: number;
  /** Variables for the examples after it, by their place in the answer: `jobs.0.name`, or `header etag`. */
  readonly keep?: Readonly<Record<string, string>>;
  /** Asked again until the body holds this, for what takes its time. */
  readonly until?: string;
}

export interface Example extends ExampleOptions {
  readonly id: string;
}

/** What happens between two examples and is not shown. Out: variables for the examples after it. */
export type Preparation = (variables: Readonly<Record<string, string>>) => Promise<Readonly<Record<string, string>> | void>;

export type Step = Example | Preparation;

/** An example of a call, by the identifier of its row. */
export function example(id: string, options: ExampleOptions = {}): Example {
  return { id, ...options };
}
