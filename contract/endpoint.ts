import { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import type { Permission } from './permissions.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
export type MediaType =
  'application/json' | 'text/plain' | 'text/html' | 'application/x-www-form-urlencoded' | 'application/octet-stream' | 'text/event-stream';

export interface RequestBody {
  readonly media: readonly MediaType[];
  readonly schema: z.ZodType;
  /** The call may come without a body. */
  readonly optional?: boolean;
  /** The verb gets the bytes as they came, for a signature is checked before they are read. */
  readonly raw?: true;
}

/** What a body may be sent as: a form too where JSON is taken, as clients of the public API do. */
export function acceptedMedia(body: RequestBody): readonly MediaType[] {
  const takesForm = body.raw !== true && body.media.includes('application/json');
  return takesForm && !body.media.includes(FORM) ? [...body.media, FORM] : body.media;
}
const FORM = 'application/x-www-form-urlencoded';

export interface Answer {
  readonly description: string;
  readonly media?: readonly MediaType[];
  /** Absent: no body, or one whose form is not ours (pages, relayed bytes). */
  readonly schema?: z.ZodType;
}

/**
 * One call of the service. Everything that meets a call is derived from this row: mounting, permission, parsing,
 * the client, the OpenAPI document and the tests.
 */
export interface Endpoint {
  readonly method: Method;
  /** `{name}` stands for one segment (or part of one), `{name*}` for the rest of the path. */
  readonly path: `/${string}`;
  readonly params: z.ZodObject;
  readonly query: z.ZodObject;
  readonly body?: RequestBody;
  readonly permission: Permission;
  readonly answers: Readonly<Record<number, Answer>>;
  /** Beside those that follow from the rest of the row (see errorsOf). */
  readonly errors: readonly ErrorCode[];
  readonly tag:
    | 'Sites'
    | 'Profiles'
    | 'Organizations'
    | 'History'
    | 'Sign-in'
    | 'Secrets'
    | 'API keys'
    | 'Code'
    | 'Authoring relay'
    | 'Service'
    | 'External repositories'
    | 'Webhooks'
    | 'Repository content';
  readonly summary: string;
  /** `call 2` of the design, where it is one of its numbered calls. */
  readonly rule?: string;
  /** Takes `if-match` and `if-none-match` and answers an `etag`. */
  readonly preconditions?: true;
  /** Passes on the answers of another program, whatever their status and form, with `x-relayed: true`. */
  readonly relays?: true;
}

/** Errors that any call may answer. */
export const COMMON_ERRORS = [
  'ROUTE_NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'NAME_INVALID',
  'QUERY_INVALID',
  'INTERNAL',
  'SHUTTING_DOWN',
  'STORAGE_UNAVAILABLE',
] as const satisfies readonly ErrorCode[];

/** Errors of every call that stores something. */
export const WRITE_ERRORS = [
  'BODY_UNPARSABLE',
  'BODY_INVALID',
  'BODY_TOO_LARGE',
  'CONTENT_TYPE_UNSUPPORTED',
  'PRECONDITION_FAILED',
  'STORAGE_FULL',
] as const satisfies readonly ErrorCode[];

/** Errors of the door of every call that is not open to anyone, and of every call that takes a body. */
const CALLER_ERRORS = ['NOT_AUTHENTICATED', 'NOT_AUTHORIZED', 'RATE_LIMITED'] as const satisfies readonly ErrorCode[];
const BODY_ERRORS = [
  'BODY_UNPARSABLE',
  'BODY_INVALID',
  'BODY_TOO_LARGE',
  'CONTENT_TYPE_UNSUPPORTED',
] as const satisfies readonly ErrorCode[];

/** Everything that a call may refuse with: what its row names, and what stands between a request and its verb. */
export function errorsOf(row: Endpoint): ErrorCode[] {
  return [
    ...new Set<ErrorCode>([
      ...row.errors,
      ...COMMON_ERRORS,
      ...(row.permission === 'public' ? [] : CALLER_ERRORS),
      ...(row.body === undefined ? [] : BODY_ERRORS),
      ...(row.preconditions === true ? (['PRECONDITION_FAILED'] as const) : []),
    ]),
  ];
}

/** Keeps the row's own types while checking its form. */
export function endpoint<const E extends Endpoint>(row: E): E {
  return row;
}

export const NO_PARAMS = z.object({});
export const NO_QUERY = z.object({});
/** `?dryRun=true`: validate and authorise fully, answer what would be stored and a difference, change nothing. */
export const WRITE_QUERY = z.object({ dryRun: z.stringbool().optional() });
