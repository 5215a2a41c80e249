/** A request to an author. Everything in it has been checked; `path` is printed for an address, query included. */
export interface AuthorRequest {
  readonly method: 'GET' | 'POST';
  /** Scheme, host and port. */
  readonly origin: string;
  readonly path: string;
  /** The path, with a final slash, below which `path` must lie: nothing else is asked with the credential of the headers. */
  readonly below: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Told of the bytes of the answer before they are kept; refuses where there is no room for them. */
  readonly hold?: (bytes: number) => void;
  /** Milliseconds, where there are fewer left than usual. */
  readonly timeout?: number;
  /** Whoever asks may leave earlier. */
  readonly signal?: AbortSignal;
}

export interface AuthorAnswer {
  readonly status: number;
  /** Lower-cased. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

/**
 * The authoring systems, as far as the authoring proxy needs them. One request, no redirect followed. Rejects with Refusal
 * AUTHOR_UNREACHABLE, AUTHOR_TIMEOUT or AUTHOR_ANSWER_REFUSED.
 */
export interface Authors {
  send(request: AuthorRequest): Promise<AuthorAnswer>;
}
