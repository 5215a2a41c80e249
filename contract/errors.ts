import { z } from 'zod';

export const ERRORS = {
  BODY_UNPARSABLE: { status: 400, title: 'The request body cannot be parsed' },
  BODY_INVALID: { status: 400, title: 'The request body is not valid' },
  BODY_MISSING: { status: 400, title: 'The request body is missing' },
  QUERY_INVALID: { status: 400, title: 'A query parameter is not valid' },
  NAME_INVALID: { status: 400, title: 'A name in the path is not valid' },
  HOST_LABEL_TOO_LONG: { status: 400, title: 'The host name would be too long' },
  PROPERTY_UNKNOWN: { status: 400, title: 'A site does not have such a part' },
  CONTENT_ADDRESS_MISMATCH: { status: 400, title: 'The content address belongs to another site' },
  SECRET_NOT_ALLOWED: { status: 400, title: 'The secret of this repository is held by another site' },
  INVALID_SIGNATURE: { status: 400, title: 'The signature is missing or wrong' },
  REQUEST_MALFORMED: { status: 400, title: 'The request is not valid HTTP' },
  DEVICE_PENDING: { status: 400, title: 'The device authorization is not finished' },
  NOT_AUTHENTICATED: { status: 401, title: 'Not authenticated' },
  TOKEN_REFUSED: { status: 401, title: 'The token is not accepted' },
  API_KEY_REFUSED: { status: 401, title: 'The API key is not accepted' },
  REPOSITORY_SECRET_REFUSED: { status: 401, title: 'The secret of the repository is not accepted' },
  NOT_AUTHORIZED: { status: 403, title: 'Not authorized' },
  CLAIM_NOT_PROVEN: { status: 403, title: 'Control of the organization is not proven' },
  AUTHOR_NOT_ALLOWED: { status: 403, title: 'This authoring host is not on the allow list' },
  AUTHOR_PATH_NOT_ALLOWED: { status: 403, title: 'This authoring path is not allowed' },
  QUOTA_REACHED: { status: 403, title: 'The organization has reached its limit' },
  EXTERNAL_LIMIT_REACHED: { status: 403, title: 'The organization has reached its limit of external repositories' },
  ROUTE_NOT_FOUND: { status: 404, title: 'No such address' },
  CONFIG_TYPE_INVALID: { status: 404, title: 'No such configuration type' },
  ORG_NOT_FOUND: { status: 404, title: 'No such organization, or no role in it' },
  SITE_NOT_FOUND: { status: 404, title: 'No such site' },
  PART_NOT_FOUND: { status: 404, title: 'The site does not have this part' },
  PROFILE_NOT_FOUND: { status: 404, title: 'No such profile' },
  USER_NOT_FOUND: { status: 404, title: 'The organization has no such user' },
  GROUP_NOT_FOUND: { status: 404, title: 'No such group' },
  SITE_TOKEN_NOT_FOUND: { status: 404, title: 'No such site token' },
  API_KEY_NOT_FOUND: { status: 404, title: 'No such API key' },
  SUBSCRIPTION_NOT_FOUND: { status: 404, title: 'No such subscription' },
  ROLLOUT_NOT_FOUND: { status: 404, title: 'No such rollout' },
  SECRET_NOT_FOUND: { status: 404, title: 'The site has no such secret' },
  JOB_NOT_FOUND: { status: 404, title: 'No such job' },
  REPOSITORY_UNKNOWN: { status: 404, title: 'No site uses this repository' },
  EXTERNAL_REPOSITORY_NOT_FOUND: { status: 404, title: 'No such external repository' },
  WEBHOOK_NOT_FOUND: { status: 404, title: 'No such webhook address' },
  DELIVERY_NOT_FOUND: { status: 404, title: 'No such delivery' },
  COMMIT_NOT_KEPT: { status: 404, title: 'The files of this commit are not stored' },
  BRANCH_NOT_FOUND: { status: 404, title: 'The repository has no such branch or commit' },
  CODE_NOT_SYNCHRONIZED: { status: 404, title: 'The code of the branch is not synchronized' },
  FILE_NOT_FOUND: { status: 404, title: 'The repository has no such file' },
  VERSION_NOT_FOUND: { status: 404, title: 'No such version' },
  CONFIG_NOT_FOUND: { status: 404, title: 'The site has no public configuration' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'Method not allowed' },
  REQUEST_TIMED_OUT: { status: 408, title: 'The request did not arrive in time' },
  BRANCH_BUSY: { status: 409, title: 'Another branch with this host name is synchronized' },
  BRANCH_PROTECTED: { status: 409, title: 'This branch is never removed' },
  REPOSITORY_TAKEN: { status: 409, title: 'The repository is already onboarded' },
  WEBHOOK_ROTATED: { status: 409, title: 'The credentials of the webhook were renewed less than a day ago' },
  CONTENT_ROOT_TAKEN: { status: 409, title: 'Another site has this content root' },
  SITE_EXISTS: { status: 409, title: 'The organization already has this site' },
  USER_EXISTS: { status: 409, title: 'The organization already has this user' },
  SECRET_IN_USE: { status: 409, title: 'Other sites use the secret that this site holds' },
  PROFILE_IN_USE: { status: 409, title: 'Sites extend this profile' },
  SUBSCRIPTION_REFUSED: { status: 409, title: 'This subscription is not possible here' },
  ROLLOUT_REFUSED: { status: 409, title: 'The state of the rollout does not allow this' },
  VERSION_IS_CURRENT: { status: 409, title: 'This version is the current one' },
  VERSION_REFUSED: { status: 409, title: 'The current rules refuse this version' },
  WOULD_LOCK_OUT: { status: 409, title: 'You would lose admin access to this site' },
  ORG_ALREADY_CLAIMED: { status: 409, title: 'The organization is already claimed' },
  PRECONDITION_FAILED: { status: 412, title: 'The configuration changed in the meantime' },
  STORAGE_QUOTA_REACHED: { status: 413, title: 'The organization has reached its storage limit' },
  BODY_TOO_LARGE: { status: 413, title: 'The request body is too large' },
  FILE_TOO_LARGE: { status: 413, title: 'The file is too large to be served' },
  CONTENT_TYPE_UNSUPPORTED: { status: 415, title: 'The content type is not supported' },
  CONTENT_ENCODING_UNSUPPORTED: { status: 415, title: 'The content encoding is not supported' },
  RANGE_INVALID: { status: 416, title: 'The file does not have this range' },
  EXPECTATION_REFUSED: { status: 417, title: 'The expectation is not met' },
  REPOSITORY_NOT_READY: { status: 422, title: 'The repository is not READY' },
  MIGRATION_NOT_POSSIBLE: { status: 422, title: 'The repository contains nothing to migrate' },
  CODE_SOURCE_NOT_FOUND: { status: 422, title: 'There is no such repository' },
  CODE_SOURCE_REFUSED: { status: 422, title: 'The repository is not readable' },
  ORG_UNKNOWN_ON_CODE_HOST: { status: 422, title: 'The code host has no such organization' },
  RATE_LIMITED: { status: 429, title: 'Too many requests' },
  HEADERS_TOO_LARGE: { status: 431, title: 'The headers are too large' },
  INTERNAL: { status: 500, title: 'Unexpected error' },
  STORAGE_DAMAGED: { status: 500, title: 'The storage is damaged' },
  NOT_OFFERED: { status: 501, title: 'This call of the public service is not offered here' },
  CONTENT_SOURCE_NOT_SERVED: { status: 501, title: 'This content source is not served here' },
  AUTHOR_UNREACHABLE: { status: 502, title: 'The authoring system does not respond' },
  AUTHOR_ANSWER_REFUSED: { status: 502, title: 'The response of the authoring system cannot be forwarded' },
  CONTENT_UNREACHABLE: { status: 502, title: 'The content source does not respond as expected' },
  CODE_HOST_UNREACHABLE: { status: 502, title: 'The code host does not respond' },
  BUILD_MANAGEMENT_UNREACHABLE: { status: 502, title: 'Build management does not respond' },
  REPOSITORY_UNREACHABLE: { status: 502, title: 'The git vendor does not respond as expected' },
  SERVICE_UNREACHABLE: { status: 502, title: 'The configuration service does not respond' },
  HOSTED_REFUSED: { status: 409, title: 'The hosted service refuses this' },
  HOSTED_UNREACHABLE: { status: 502, title: 'The hosted service does not respond' },
  OUTCOME_UNKNOWN: { status: 502, title: 'Whether the change was stored is unknown' },
  IDENTITY_PROVIDER_UNREACHABLE: { status: 503, title: 'The identity provider does not respond' },
  OVERLOADED: { status: 503, title: 'Too many requests at once' },
  SHUTTING_DOWN: { status: 503, title: 'The service is stopping' },
  STORAGE_UNAVAILABLE: { status: 503, title: 'The storage does not respond' },
  AUTHOR_TIMEOUT: { status: 504, title: 'The authoring system is too slow' },
  STORAGE_FULL: { status: 507, title: 'The storage is full' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof ERRORS;
export const ErrorCode = z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]);

/**
 * One invalid field: a JSON pointer into the body (RFC 6901) and a sentence. `rule` and `data` say the same for programs (contract/value-rules.ts).
 */
export const FieldError = z.object({
  pointer: z.string(),
  detail: z.string(),
  rule: z.string().optional(),
  data: z.record(z.string(), z.string()).optional(),
});
export type FieldError = z.infer<typeof FieldError>;

/** Problem document (RFC 9457): the body of every error answer, `application/problem+json`. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  code: ErrorCode,
  requestId: z.string().optional(),
  errors: z.array(FieldError).optional(),
  data: z
    .record(z.string(), z.string())
    .optional()
    .meta({ description: 'the values that `detail` mentions, by name; the list of error codes has the names for each code' }),
});
export type Problem = z.infer<typeof Problem>;

/** JSON pointer (RFC 6901) of a path of keys. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The keys of a JSON pointer: `/headers/~1**` leads to `headers`, and there to `/**`. */
export function pointerSegments(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}
