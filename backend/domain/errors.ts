import type { ERROR_DATA, ERROR_REASONS } from '@repoless/contract/error-data.ts';
import { type ErrorCode, type FieldError, jsonPointer } from '@repoless/contract/errors.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { z } from 'zod';
import { oncePerDocument } from './documents.ts';

type Issue = z.core.$ZodIssue;

/** The value as the schema reads it, or a Refusal with a pointer and a sentence for each invalid field. */
export function checkAgainst<S extends z.ZodType>(schema: S, value: unknown, code: ErrorCode, what: string): z.output<S> {
  const parsed = compiled(schema).safeParse(value, { error: sentence });
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const errors = fieldErrors(issues);
  const count = issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1), 0);
  throw new Refusal(code, summary(what, errors, count), { errors });
}

const made = oncePerDocument((schema: z.ZodType) => z.compile(schema));

/**
 * The same schema as one function, made at its first use, for a third of the cost. What that does not take is checked by the schema
 * itself, which says what is wrong. The cast is safe: zod makes of a schema one of its own type.
 */
export function compiled<S extends z.ZodType>(schema: S): S {
  return made(schema) as S;
}

/** What is wrong with a value, in the same words; none where nothing is. */
export function problemsOf(schema: z.ZodType, value: unknown, above: readonly PropertyKey[] = []): FieldError[] {
  const { error } = schema.safeParse(value, { error: sentence });
  return error === undefined ? [] : fieldErrors(error.issues, above);
}

/** The first of them, for a body of thousands of mistakes is answered like others. */
function fieldErrors(issues: readonly Issue[], above: readonly PropertyKey[] = []): FieldError[] {
  const told = issues.slice(0, LIMITS.toldErrors).flatMap((issue) => errorsOf(issue, [...above, ...issue.path]));
  return told.slice(0, LIMITS.toldErrors);
}

function errorsOf(issue: Issue, path: readonly PropertyKey[]): FieldError[] {
  const here = jsonPointer(path);
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys
        .slice(0, LIMITS.toldErrors)
        .map((key) => ({ pointer: jsonPointer([...path, key]), detail: `Unknown property "${key}". Remove it.` }));
    case 'invalid_union':
      return closestBranch(issue, path) ?? [{ pointer: here, detail: issue.message }];
    case 'invalid_key':
      return [{ pointer: here, detail: `The name "${String(path.at(-1))}" is not allowed here. ${issue.issues[0]?.message ?? ''}`.trim() }];
    default:
      return [{ pointer: here, detail: issue.message }];
  }
}

/** Of a union the branch that got furthest says what is wrong; undefined where none got beyond the value itself. */
function closestBranch(issue: z.core.$ZodIssueInvalidUnion, path: readonly PropertyKey[]): FieldError[] | undefined {
  const depth = (branch: readonly Issue[]) =>
    Math.max(0, ...branch.map((one) => one.path.length + (one.code === 'unrecognized_keys' ? 0.5 : 0)));
  const [closest] = issue.errors.toSorted((a, b) => depth(b) - depth(a));
  return closest !== undefined && depth(closest) > 0 ? fieldErrors(closest, path) : undefined;
}

/** Sentences where the schema has none of its own. */
function sentence(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? `This is required; write ${noun(issue.expected)}.` : `Write ${noun(issue.expected)} here.`;
    case 'custom':
      return issue.input === undefined ? 'This is required; write a value of JSON.' : undefined;
    case 'invalid_value':
      return `Write ${oneOf(issue.values)} here.`;
    case 'invalid_union':
      return issue.discriminator === undefined ? formSentence(issue) : kindSentence(issue.discriminator, issue);
    case 'too_big':
      return `This is too large; the limit is ${String(issue.maximum)}.`;
    case 'too_small':
      return `This is too small; write at least ${String(issue.minimum)}.`;
    default:
      return undefined;
  }
}

/** Of forms that one property tells apart: it is missing, or is none of theirs. */
function kindSentence(name: string, { input, options = [] }: { readonly input?: unknown; readonly options?: readonly unknown[] }): string {
  const isThere = typeof input === 'object' && input !== null && Object.hasOwn(input, name);
  return isThere ? `Write ${oneOf(options)} here.` : `This is required; write ${oneOf(options)}.`;
}

/** Of forms that are told apart by their type alone: those that there are. */
function formSentence({ input, errors = [] }: { readonly input?: unknown; readonly errors?: readonly (readonly Issue[])[] }): string {
  const types = errors.map(([first]) => (first?.code === 'invalid_type' && first.path.length === 0 ? noun(first.expected) : undefined));
  if (types.length === 0 || types.includes(undefined)) return 'This matches none of the allowed forms.';
  const forms = [...new Set(types)].join(' or ');
  return input === undefined ? `This is required; write ${forms}.` : `Write ${forms} here.`;
}

function oneOf(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(' or ');
}

function noun(expected: string): string {
  return /^[aeiou]/.test(expected) ? `an ${expected}` : expected === 'record' ? 'an object' : `a ${expected}`;
}

function summary(what: string, errors: readonly FieldError[], count: number): string {
  const [first] = errors;
  if (first === undefined) return `${what} is not valid.`;
  const place = first.pointer === '' ? '' : ` at ${first.pointer}`;
  const all = Math.max(count, errors.length);
  const more = all > 1 ? ` (${all - 1} more)` : '';
  return `${what} is not valid${place}: ${first.detail}${more}`;
}

/**
 * A refusal of the domain: a stable code of the contract, one clear sentence, and data that a client may act on.
 * It never carries an HTTP status (the contract's table has it) and never a secret.
 */
export class Refusal<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: ErrorCode;
  /** What else the problem document says; the message is the one sentence of `x-error`. */
  readonly detail: string | undefined;
  readonly errors: readonly FieldError[] | undefined;
  readonly data: Readonly<Record<string, string>> | undefined;
  /** Seconds after which a further attempt makes sense. */
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
}

/**
 * Refuses with PRECONDITION_FAILED where `if-match` does not fit the present etag, or `if-none-match` does.
 * In: the headers as they came and the etag of what is stored (undefined: nothing is). Rule: docs/contract.md 2.6.
 */
export function checkPreconditions(input: { readonly ifMatch?: string; readonly ifNoneMatch?: string }, present: string | undefined): void {
  if (input.ifMatch !== undefined && !matches(input.ifMatch, present)) {
    const sentence =
      present === undefined
        ? 'Nothing is stored, so "if-match" cannot match. Read it again.'
        : 'The configuration changed since you read it; read it again and repeat your change.';
    throw new Refusal('PRECONDITION_FAILED', sentence, present === undefined ? {} : { data: { etag: present } });
  }
  if (input.ifNoneMatch !== undefined && matches(input.ifNoneMatch.replaceAll('W/', ''), present)) {
    throw new Refusal('PRECONDITION_FAILED', 'It already exists, but "if-none-match" requires that it does not.');
  }
}

/** Whether `if-match` says which state is meant: by its etag, not by `*`. */
export function namesEtag(ifMatch: string | undefined, etag: string): boolean {
  return items(ifMatch ?? '').includes(etag);
}

function matches(header: string, present: string | undefined): boolean {
  if (present === undefined) return false;
  return items(header).some((item) => item === '*' || item === present);
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

/** Where the contract names data of a code, it does not compile without. Any code at all: the refusal is another one, said anew. */
type ExtraOf<C extends ErrorCode> = [ErrorCode] extends [C]
  ? [extra?: Extra]
  : [RequiredData<C>] extends [never]
    ? [extra?: Extra]
    : [extra: Extra & { readonly data: { readonly [N in RequiredData<C>]: N extends 'reason' ? ReasonOf<C> : string } }];

type RequiredData<C> = C extends keyof typeof ERROR_DATA ? Exclude<(typeof ERROR_DATA)[C][number], `${string}?`> : never;
type ReasonOf<C> = C extends keyof typeof ERROR_REASONS ? (typeof ERROR_REASONS)[C][number] : never;
