/** A request to an author. Everything in it has been checked; `path` is printed for an address, query included. */
export interface AuthorRequest {
  readonly method: 'GET' | 'POST';
  /** Scheme, host and port. */
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

export interface AuthorAnswer {
  readonly status: number;
  /** Lower-cased. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

/**
 * The authoring systems, as far as the relay needs them. One request, no redirect followed. Rejects with Refusal
 * AUTHOR_UNREACHABLE, AUTHOR_TIMEOUT or AUTHOR_ANSWER_REFUSED.
 */
export interface Authors {
  send(request: AuthorRequest): Promise<AuthorAnswer>;
}
