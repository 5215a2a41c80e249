import { z } from 'zod';
import type { Permission } from './access.ts';
import type { ErrorCode } from './errors.ts';

export const NO_PARAMS = z.object({});
export const NO_QUERY = z.object({});
/** Yes or no in a query. Other words are refused: the OpenAPI document names these two. */
export const FLAG = z.stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive' }).meta({ enum: ['true', 'false'] });
/** Says the same as `?dryRun=true`, of which a proxy that drops queries would make a write. */
export const DRY_RUN_HEADER = 'x-dry-run';
/** `?dryRun=true`: validate and authorise fully, answer what would be stored and a difference, change nothing. */
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
  /** The call may come without a body. */
  readonly optional?: boolean;
  /** Bytes, where that is more than a call may have that anybody makes. */
  readonly limit?: number;
  /** Fields of a form that the schema does not have are ignored, as OAuth has it; JSON is none of OAuth's. */
  readonly ignoresOtherFields?: true;
  /** JSON is taken as nothing but JSON. */
  readonly form?: false;
  /** The operation gets the bytes as they came, for a signature is checked before they are read. */
  readonly raw?: true;
}

/** What a body may be sent as: a form too where JSON is taken, as clients of the public API do. */
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

/** What every call of the service has, whatever it does. */
interface Row {
  readonly method: Method;
  /** `{name}` stands for one segment (or part of one), `{name*}` for the rest of the path. */
  readonly path: `/${string}`;
  readonly params: z.ZodObject;
  readonly query: z.ZodObject;
  readonly body?: RequestBody;
  readonly permission: Permission;
  /** Open to anyone; its operation checks the caller itself: a session, or what only a program can show. */
  readonly credentials?: 'session' | 'program' | 'repository' | 'webhook';
  /** Is never refused for how often it is called. */
  readonly unlimited?: true;
  readonly answers: Readonly<Record<number, Answer>>;
  /** Beside those that follow from the rest of the row (see errorsOf). */
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
  /** Its number, where it is one of the ten calls (docs/contract.md 1.1). */
  readonly call?: number;
  /** Says in `x-warning` (a dry run in `warnings`) what it does beside what was asked. */
  readonly warns?: true;
  /** Passes on the answers of another program, whatever their status and form, with `x-relayed: true`. */
  readonly proxies?: true;
}

export interface ReadRow extends Row {
  readonly method: 'GET';
  /** Takes `if-match` and `if-none-match` and answers an `etag`. */
  readonly preconditions?: true;
  readonly outside?: undefined;
}

/**
 * A call that stores something. It can be tried by `?dryRun=true`, which is answered by 200, and it honours `if-match` and
 * `if-none-match`: a row without either does not compile.
 */
export interface WriteRow extends Row {
  readonly method: Exclude<Method, 'GET'>;
  readonly query: z.ZodObject<(typeof WRITE_QUERY)['shape']>;
  readonly answers: Readonly<Record<number, Answer>> & { readonly 200: Answer };
  readonly preconditions: true;
  readonly outside?: undefined;
}

/** A call that changes no configuration. What would make it a trial, or conditional, is refused rather than ignored. */
export interface OutsideRow extends Row {
  readonly method: Exclude<Method, 'GET'>;
  /** What it is about instead. */
  readonly outside: 'sign-in' | 'webhook' | 'proxy' | 'build management' | 'check' | 'events' | 'rollouts' | 'assistants';
  readonly preconditions?: undefined;
}

/**
 * One call of the service. Everything that meets a call is derived from this row: mounting, permission, parsing,
 * the client, the OpenAPI document and the tests.
 */
export type Endpoint = ReadRow | WriteRow | OutsideRow;

/** Whether a call stores configuration, so that it can be tried and be made conditional. */
export function isWrite(row: Endpoint): row is WriteRow {
  return row.method !== 'GET' && row.outside === undefined;
}

/** Errors that any call may answer. */
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

/** Errors of every call that stores what its body holds. */
export const WRITE_ERRORS = [
  'BODY_UNPARSABLE',
  'BODY_INVALID',
  'BODY_TOO_LARGE',
  'CONTENT_TYPE_UNSUPPORTED',
  'CONTENT_ENCODING_UNSUPPORTED',
  'PRECONDITION_FAILED',
  'STORAGE_FULL',
] as const satisfies readonly ErrorCode[];

/** Errors of the request pipeline of every call that is not open to anyone, and of every call that takes a body. */
const CALLER_ERRORS = ['NOT_AUTHENTICATED', 'NOT_AUTHORIZED'] as const satisfies readonly ErrorCode[];
const BODY_ERRORS = [
  'BODY_UNPARSABLE',
  'BODY_INVALID',
  'BODY_TOO_LARGE',
  'CONTENT_TYPE_UNSUPPORTED',
  'CONTENT_ENCODING_UNSUPPORTED',
] as const satisfies readonly ErrorCode[];

/** Every code that a call may refuse with: those of its row, and those of the steps before its operation. */
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

/** Keeps the row's own types while checking its form. */
export function endpoint<const E extends Endpoint>(row: E): E {
  return row;
}
