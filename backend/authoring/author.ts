import { Refusal } from '@repoless/contract/refusal.ts';
import { allowedAuthor } from '@repoless/contract/authoring.ts';

/** A request to an author. Everything in it has been checked; `path` is encoded and includes the query. */
export interface AuthorRequest {
  readonly method: 'GET' | 'POST';
  /** Scheme, host and port. */
  readonly origin: string;
  readonly path: string;
  /** A path with a trailing slash that `path` must start with: nothing else is requested with the credential in the headers. */
  readonly below: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Called with the number of bytes of the response before they are held; refuses if there is no memory for them. */
  readonly hold?: (bytes: number) => void;
  /** Milliseconds, if fewer remain than usual. */
  readonly timeout?: number;
  /** Aborted if the requester disconnects. */
  readonly signal?: AbortSignal;
}

export interface AuthorAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

/**
 * The authoring systems, as needed by the authoring proxy. Sends a single request and follows no redirect. Rejects with Refusal
 * AUTHOR_UNREACHABLE, AUTHOR_TIMEOUT or AUTHOR_ANSWER_REFUSED.
 */
export interface Authors {
  send(request: AuthorRequest): Promise<AuthorAnswer>;
}

/**
 * The origin of an author. Takes host and port from the address of the call, and the settings' allow list. Refuses with AUTHOR_NOT_ALLOWED.
 */
export function authorOrigin(host: string, allowed: readonly string[]): string {
  const origin = allowedAuthor(host, allowed);
  if (origin !== undefined) return origin;
  throw new Refusal(
    'AUTHOR_NOT_ALLOWED',
    `The authoring host ${host} is not on this service's allow list. Ask the operator of the service to add it to AUTHOR_HOSTS.`,
    { data: { host } },
  );
}
