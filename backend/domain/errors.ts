import type { ErrorCode, FieldError } from '@repoless/contract/errors.ts';

/**
 * A refusal of the domain: a stable code of the contract, one clear sentence, and data that a client may act on.
 * It never carries an HTTP status (the contract's table has it) and never a secret.
 */
export class Refusal extends Error {
  readonly code: ErrorCode;
  /** What else the problem document says; the message is the one sentence of `x-error`. */
  readonly detail: string | undefined;
  readonly errors: readonly FieldError[] | undefined;
  readonly data: Readonly<Record<string, string>> | undefined;
  /** Seconds after which a further attempt makes sense. */
  readonly retryAfter: number | undefined;

  constructor(
    code: ErrorCode,
    sentence: string,
    extra: {
      detail?: string;
      errors?: readonly FieldError[];
      data?: Readonly<Record<string, string>>;
      retryAfter?: number;
      cause?: unknown;
    } = {},
  ) {
    super(sentence, extra.cause === undefined ? undefined : { cause: extra.cause });
    this.name = 'Refusal';
    this.code = code;
    this.detail = extra.detail;
    this.errors = extra.errors;
    this.data = extra.data;
    this.retryAfter = extra.retryAfter;
  }
}
