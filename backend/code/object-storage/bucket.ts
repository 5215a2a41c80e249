import type * as Sdk from '@aws-sdk/client-s3';
import type { SealedValue } from '@repoless/contract/secret.ts';
import { randomUUID } from 'node:crypto';
import { Refusal } from '@repoless/contract/refusal.ts';

export interface BucketOptions {
  readonly bucket: string;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
  readonly region: string;
  /** Scheme, host and port; defaults to AWS. */
  readonly endpoint?: string | undefined;
  /** The bucket is part of the path, not of the host. */
  readonly pathStyle: boolean;
  /** Defaults to what the SDK finds in the environment, a profile or the machine. */
  readonly credential?: { readonly accessKeyId: string; readonly secretAccessKey: SealedValue } | undefined;
}

/** A bucket of any S3-compatible server, with the SDK, which is loaded only when one is opened. */
export interface Bucket {
  readonly options: BucketOptions;
  readonly client: Sdk.S3Client;
  readonly sdk: Pick<
    typeof Sdk,
    'DeleteObjectCommand' | 'GetObjectCommand' | 'HeadObjectCommand' | 'ListObjectsV2Command' | 'PutObjectCommand'
  >;
}

export async function openBucket(options: BucketOptions): Promise<Bucket> {
  const sdk = await import('@aws-sdk/client-s3');
  const { region, endpoint, pathStyle, credential } = options;
  const configuration: Sdk.S3ClientConfig = {
    region,
    forcePathStyle: pathStyle,
    maxAttempts: ATTEMPTS,
    // The signature covers the SHA-256 of the body; not every server supports further checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { ...TIMES, throwOnRequestTimeout: true, httpAgent: SOCKETS, httpsAgent: SOCKETS },
    ...(endpoint !== undefined && { endpoint }),
    ...(credential !== undefined && {
      credentials: { accessKeyId: credential.accessKeyId, secretAccessKey: credential.secretAccessKey.reveal() },
    }),
  };
  return { options, client: new sdk.S3Client(configuration), sdk };
}

/**
 * The token of the next page of a list; undefined after the last one. The number of keys says nothing: servers may return fewer than requested.
 * Throws if the server omits the token.
 */
export function furtherOf({ IsTruncated, NextContinuationToken }: Sdk.ListObjectsV2CommandOutput): string | undefined {
  if (IsTruncated === true && NextContinuationToken === undefined) throw new Error('The list is cut off.');
  return IsTruncated === false ? undefined : NextContinuationToken;
}

/** A read without a response after this many milliseconds is retried, because somebody waits for it. */
export const READ = { requestTimeout: 5000 };
const ATTEMPTS = 3;
/** Milliseconds: until a write is answered, and without traffic on a connection. */
const TIMES = { connectionTimeout: 3000, requestTimeout: 30_000, socketTimeout: 20_000 };
const SOCKETS = { keepAlive: true, maxSockets: 128 };

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

/** An error that describes what happened, for the log. */
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

/**
 * Tries every operation that the service needs in the bucket of CODE_STORE. Rejects with a message if it cannot be used with these
 * settings. Returns the problem if it does not respond, which may be temporary.
 */
export async function requireBucket({ client, sdk, options }: Bucket): Promise<Error | undefined> {
  const Bucket = options.bucket;
  const place = `s3://${Bucket}/${options.prefix}`;
  const Key = `${options.prefix}checks/${randomUUID()}`;
  const steps = [
    ['a list', () => client.send(new sdk.ListObjectsV2Command({ Bucket, Prefix: `${options.prefix}files/`, MaxKeys: 1 }), READ)],
    ['a write', () => client.send(new sdk.PutObjectCommand({ Bucket, Key, Body: 'written at the start of the service' }), READ)],
    ['a read', async () => (await client.send(new sdk.GetObjectCommand({ Bucket, Key }), READ)).Body?.transformToString()],
    ['a removal', () => client.send(new sdk.DeleteObjectCommand({ Bucket, Key }), READ)],
  ] as const;
  for (const [what, step] of steps) {
    try {
      await step();
    } catch (error) {
      const never = whyNever(error, { place, what, setting: 'CODE_STORE' });
      if (never !== undefined) throw new Error(never, { cause: told(error, what) });
      return told(error, what);
    }
  }
  return undefined;
}
