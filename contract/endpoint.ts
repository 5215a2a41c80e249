import { z } from 'zod';
import type { Permission } from './access.ts';
import type { ErrorCode } from './errors.ts';

export const NO_PARAMS = z.object({});
export const NO_QUERY = z.object({});
/** A boolean in a query: only the two values that the OpenAPI document names. */
export const FLAG = z.stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive' }).meta({ enum: ['true', 'false'] });
/** A whole number in an address: decimal digits only, so `0x10`, `1e3`, `+5` and an empty text are refused. */
export const integer = (min: number, max: number, message?: string) =>
  z.preprocess(
    (text) => (typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : text),
    z.number(message).int(message).min(min, message).max(max, message),
  );
/** The same as `?dryRun=true`, safe behind proxies that drop queries. */
export const DRY_RUN_HEADER = 'x-dry-run';
/** `?dryRun=true`: validates and authorizes fully, answers what would be stored and the difference, changes nothing. */
export const WRITE_QUERY = z.object({ dryRun: FLAG.optional() });

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
export type MediaType =
  | 'application/json'
  | 'text/plain'
  | 'text/yaml'
  | 'text/x-yaml'
  | 'application/yaml'
  | 'application/x-yaml'
  | 'text/html'
  | 'application/x-www-form-urlencoded'
  | 'application/octet-stream'
  | `application/x-git-${'upload' | 'receive'}-pack-${'advertisement' | 'result'}`
  | 'text/event-stream';

export interface RequestBody {
  readonly media: readonly MediaType[];
  readonly schema: z.ZodType;
  readonly optional?: boolean;
  /** Maximum bytes, if more than public calls may send. */
  readonly limit?: number;
  /** Unknown fields of a form are ignored, as OAuth requires. */
  readonly ignoresOtherFields?: true;
  /** No form is accepted instead of JSON. */
  readonly form?: false;
  /** The operation gets the raw bytes, to check a signature before parsing. */
  readonly raw?: true;
}

/** The accepted media types of a body. Where JSON is accepted, so are forms, which clients of the public API send. */
export function acceptedMedia(body: RequestBody): readonly MediaType[] {
  const takesForm = body.raw !== true && body.form !== false && body.media.includes('application/json');
  return takesForm && !body.media.includes(FORM) ? [...body.media, FORM] : body.media;
}
export const FORM = 'application/x-www-form-urlencoded';

export interface Answer {
  readonly description: string;
  readonly media?: readonly MediaType[];
  /** Absent: no body, or one whose form is not ours (pages, proxied bytes). */
  readonly schema?: z.ZodType;
}

interface Row {
  readonly method: Method;
  /** `{name}` stands for one segment (or part of one), `{name*}` for the rest of the path. */
  readonly path: `/${string}`;
  readonly params: z.ZodObject;
  readonly query: z.ZodObject;
  readonly body?: RequestBody;
  readonly permission: Permission;
  /** Open to anyone; the operation itself checks a session or a program's credentials. */
  readonly credentials?: 'session' | 'program' | 'repository' | 'webhook';
  readonly unlimited?: true;
  readonly answers: Readonly<Record<number, Answer>>;
  /** In addition to those that follow from the rest of the row (see errorsOf). */
  readonly errors: readonly ErrorCode[];
  readonly tag:
    | 'Sites'
    | 'Checks'
    | 'Profiles'
    | 'Rollouts'
    | 'Assistants'
    | 'Organizations'
    | 'History'
    | 'Sign-in'
    | 'Secrets'
    | 'API keys'
    | 'Code'
    | 'Events'
    | 'Authoring proxy'
    | 'Service'
    | 'External repositories'
    | 'Webhooks'
    | 'Repository content';
  readonly summary: string;
  /** The number of one of the ten calls (docs/contract.md 1.1). */
  readonly call?: number;
  /** Reports side effects in `x-warning` (a dry run in `warnings`). */
  readonly warns?: true;
  /** Forwards the answers of another program, whatever their status and form, with `x-relayed: true`. */
  readonly proxies?: true;
}

export interface ReadRow extends Row {
  readonly method: 'GET';
  /** Honours `if-match` and `if-none-match` and answers an `etag`. */
  readonly preconditions?: true;
  readonly outside?: undefined;
}

/**
 * A call that changes configuration. It takes `?dryRun=true`, answered with 200, and honours `if-match` and `if-none-match`: a row
 * without either does not compile.
 */
export interface WriteRow extends Row {
  readonly method: Exclude<Method, 'GET'>;
  readonly query: z.ZodObject<(typeof WRITE_QUERY)['shape']>;
  readonly answers: Readonly<Record<number, Answer>> & { readonly 200: Answer };
  readonly preconditions: true;
  readonly outside?: undefined;
}

/** A call that changes no configuration. Dry runs and preconditions are refused rather than ignored. */
export interface OutsideRow extends Row {
  readonly method: Exclude<Method, 'GET'>;
  /** What it changes instead. */
  readonly outside: 'sign-in' | 'webhook' | 'proxy' | 'build management' | 'check' | 'events' | 'rollouts' | 'assistants';
  readonly preconditions?: undefined;
}

/**
 * One call of the service. Everything that meets a call is derived from this row: mounting, permission, parsing,
 * the client, the OpenAPI document and the tests.
 */
export type Endpoint = ReadRow | WriteRow | OutsideRow;

/** Whether a call changes configuration, so that it takes dry runs and preconditions. */
export function isWrite(row: Endpoint): row is WriteRow {
  return row.method !== 'GET' && row.outside === undefined;
}

export const COMMON_ERRORS = [
  'ROUTE_NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'NAME_INVALID',
  'QUERY_INVALID',
  'BODY_INVALID',
  'PRECONDITION_FAILED',
  'REQUEST_MALFORMED',
  'EXPECTATION_REFUSED',
  'INTERNAL',
  'OVERLOADED',
  'STORAGE_DAMAGED',
  'SHUTTING_DOWN',
  'STORAGE_UNAVAILABLE',
] as const satisfies readonly ErrorCode[];

/** Errors that the request pipeline adds to calls with a body. */
export const BODY_ERRORS = [
  'BODY_UNPARSABLE',
  'BODY_INVALID',
  'BODY_TOO_LARGE',
  'CONTENT_TYPE_UNSUPPORTED',
  'CONTENT_ENCODING_UNSUPPORTED',
] as const satisfies readonly ErrorCode[];

export const WRITE_ERRORS = [...BODY_ERRORS, 'PRECONDITION_FAILED', 'STORAGE_FULL'] as const;

/** Errors that the request pipeline adds to calls that are not public. */
const CALLER_ERRORS = ['NOT_AUTHENTICATED', 'NOT_AUTHORIZED'] as const satisfies readonly ErrorCode[];

/** Every error code of a call: those of its row, and those of the steps before its operation. */
export function errorsOf(row: Endpoint): ErrorCode[] {
  return [
    ...new Set<ErrorCode>([
      ...row.errors,
      ...COMMON_ERRORS,
      ...(row.unlimited === true ? [] : (['RATE_LIMITED'] as const)),
      ...(row.permission === 'public' ? [] : CALLER_ERRORS),
      ...(row.body === undefined ? [] : BODY_ERRORS),
      ...(isWrite(row) ? (['STORAGE_FULL', 'QUOTA_REACHED', 'STORAGE_QUOTA_REACHED'] as const) : []),
    ]),
  ];
}

/** Checks the form of a row and preserves its own types. */
export function endpoint<const E extends Endpoint>(row: E): E {
  return row;
}

export function json<S extends z.ZodType>(schema: S, optional?: true) {
  return { media: ['application/json'], schema, ...(optional === true ? { optional } : {}) } as const;
}

export function answer<S extends z.ZodType>(description: string, schema: S) {
  return { description, media: ['application/json'], schema } as const;
}
