import { Refusal } from '../../domain/errors.ts';

/** The parts of an SDK error that may be logged: the rest may contain a request with its signature. */
interface Facts {
  readonly name: string;
  readonly code: string | undefined;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
}

export function factsOf(error: unknown): Facts {
  const { name = '', code, $metadata } = error instanceof Error ? (error as Partial<SdkError>) : {};
  return { name, code, status: $metadata?.httpStatusCode, requestId: $metadata?.requestId };
}

interface SdkError {
  readonly name: string;
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number; readonly requestId?: string };
}

/** An error that says what happened, for the log. */
export function told(error: unknown, what: string): Error {
  const { name, code, status, requestId } = factsOf(error);
  const parts = [
    name,
    code,
    status === undefined ? undefined : `status ${status}`,
    requestId === undefined ? undefined : `request ${requestId}`,
  ];
  return new Error(`The bucket did not answer ${what}: ${parts.filter((part) => part !== undefined && part !== '').join(', ')}.`);
}

/** For callers: only that the bucket is unavailable. */
export function unavailable(error: unknown, what: string, of = 'the code'): Refusal {
  const sentence = `The object storage of ${of} does not respond, or denies access. Try again in a moment.`;
  return new Refusal('STORAGE_UNAVAILABLE', sentence, { cause: told(error, what), retryAfter: 5 });
}

/** A HEAD response has no body, and therefore a different error name. */
export function isMissing(error: unknown): boolean {
  const { name, status } = factsOf(error);
  return status === 404 && (name === 'NoSuchKey' || name === 'NotFound');
}

/** Why a bucket can never work with these settings; undefined if the error may be temporary. */
export function whyNever(
  error: unknown,
  { place, what, setting }: { readonly place: string; readonly what: string; readonly setting: string },
): string | undefined {
  const { name, status } = factsOf(error);
  if (name === 'InvalidAccessKeyId' || name === 'SignatureDoesNotMatch' || status === 401)
    return `The object storage does not accept the credential for ${place}. Correct S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.`;
  if (name === 'NoSuchBucket') return `The bucket of ${place} does not exist. Create it, or correct ${setting}.`;
  if (name === 'CredentialsProviderError')
    return `There is no credential for ${place}. Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or give the machine a role.`;
  if (status === 403)
    return `The credential for ${place} does not allow ${what}. It needs to list the bucket, and to read, write and delete objects.`;
  if (status === 301 || name === 'AuthorizationHeaderMalformed') return `The bucket of ${place} is in another region. Correct S3_REGION.`;
  if (status !== undefined && status >= 400 && status < 500 && !PASSING.has(status))
    return `The object storage refuses ${what} in ${place} (${name}). Correct ${setting}, or the settings that begin with S3_.`;
  return undefined;
}

/** Time-outs, conflicts and throttling. */
const PASSING = new Set([408, 409, 412, 429]);
