import type { ERROR_DATA, ERROR_REASONS } from './error-data.ts';
import type { ErrorCode, FieldError } from './errors.ts';
import { defined } from './json.ts';

/**
 * A refusal: a stable code of the contract, one clear sentence, and data that a client can use. It
 * never contains an HTTP status (see the contract's table) or a secret.
 */
export class Refusal<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: ErrorCode;
  /** More detail for the problem document; the message is the single sentence of `x-error`. */
  readonly detail: string | undefined;
  readonly errors: readonly FieldError[] | undefined;
  readonly data: Readonly<Record<string, string>> | undefined;
  /** Seconds after which to retry. */
  readonly retryAfter: number | undefined;

  constructor(code: C, sentence: string, ...[extra = {}]: ExtraOf<C>) {
    super(sentence, extra.cause === undefined ? undefined : { cause: extra.cause });
    this.name = 'Refusal';
    this.code = code;
    this.detail = extra.detail;
    this.errors = extra.errors;
    this.data = extra.data;
    this.retryAfter = extra.retryAfter;
  }

  /** The same refusal, with these changes. */
  with({
    code = this.code,
    sentence = this.message,
    ...changes
  }: Extra & { readonly code?: ErrorCode; readonly sentence?: string }): Refusal {
    const { detail, errors, data, retryAfter } = this;
    return new Refusal(code, sentence, { ...defined({ detail, errors, data, retryAfter }), ...changes });
  }
}

/** An invalid value in the body. Takes its location as a JSON pointer, and a sentence. */
export function bodyInvalid(pointer: string, detail: string): Refusal {
  return new Refusal('BODY_INVALID', detail, { errors: [{ pointer, detail }] });
}

/**
 * Throws PRECONDITION_FAILED if `if-match` does not match the current etag, or if `if-none-match` does
 * (docs/contract.md 2.6). Takes the headers as received and the etag of the stored document (undefined if there is
 * none).
 */
export function checkPreconditions(input: { readonly ifMatch?: string; readonly ifNoneMatch?: string }, current: string | undefined): void {
  if (input.ifMatch !== undefined && !matches(input.ifMatch, current)) {
    const sentence =
      current === undefined
        ? 'Nothing is stored, so "if-match" cannot match. Read it again.'
        : 'The configuration changed since you read it; read it again and repeat your change.';
    throw new Refusal('PRECONDITION_FAILED', sentence, current === undefined ? {} : { data: { etag: current } });
  }
  if (input.ifNoneMatch !== undefined && matches(input.ifNoneMatch.replaceAll('W/', ''), current)) {
    throw new Refusal('PRECONDITION_FAILED', 'It already exists, but "if-none-match" requires that it does not.');
  }
}

/** Takes the sites that name the profile in `extends`, at least one. */
export function profileInUse(profile: string, sites: readonly string[]): Refusal {
  const shown = sites.slice(0, SHOWN_SITES).join(', ');
  const more = sites.length > SHOWN_SITES ? ` and ${sites.length - SHOWN_SITES} more` : '';
  return new Refusal(
    'PROFILE_IN_USE',
    `These sites extend the profile "${profile}": ${shown}${more}. Make them extend another one first.`,
    {
      data: { sites: shown, count: String(sites.length) },
    },
  );
}
const SHOWN_SITES = 10;

/** Whether `if-match` names a state by its etag rather than by `*`. */
export function namesEtag(ifMatch: string, etag: string): boolean {
  return items(ifMatch).includes(etag);
}

function matches(header: string, current: string | undefined): boolean {
  if (current === undefined) return false;
  return items(header).some((item) => item === '*' || item === current);
}

export function items(header: string): string[] {
  return header.split(',').map((item) => item.trim());
}

interface Extra {
  readonly detail?: string;
  readonly errors?: readonly FieldError[];
  readonly data?: Readonly<Record<string, string>>;
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

/** Required data of a code is enforced at compile time. Any code is accepted for a refusal that repeats another one. */
type ExtraOf<C extends ErrorCode> = [ErrorCode] extends [C]
  ? [extra?: Extra]
  : [RequiredData<C>] extends [never]
    ? [extra?: Extra]
    : [extra: Extra & { readonly data: { readonly [N in RequiredData<C>]: N extends 'reason' ? ReasonOf<C> : string } }];

type RequiredData<C> = C extends keyof typeof ERROR_DATA ? Exclude<(typeof ERROR_DATA)[C][number], `${string}?`> : never;
type ReasonOf<C> = C extends keyof typeof ERROR_REASONS ? (typeof ERROR_REASONS)[C][number] : never;
