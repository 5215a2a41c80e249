import type * as Sdk from '@aws-sdk/client-s3';
import type { SealedValue } from '@repoless/contract/sealed-value.ts';

export interface BucketOptions {
  readonly bucket: string;
  /** Empty, or it ends with a slash. */
  readonly prefix: string;
  readonly region: string;
  /** Scheme, host and port; left out: that of AWS. */
  readonly endpoint?: string | undefined;
  /** The bucket is named in the path, and not in the host. */
  readonly pathStyle: boolean;
  /** Left out: what the SDK finds in the environment, a profile or the machine. */
  readonly credential?: { readonly accessKeyId: string; readonly secretAccessKey: SealedValue } | undefined;
}

/** A bucket of any server that speaks S3, with the SDK, which is loaded only when one is opened. */
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
    // The signature has the SHA-256 of what is sent; further checksums are not known to every server.
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

/** A read without an answer after this many milliseconds is retried: somebody waits for it. */
export const READ = { requestTimeout: 5000 };
const ATTEMPTS = 3;
/** Milliseconds: of a write until it is answered, and of a connection on which nothing moves. */
const TIMES = { connectionTimeout: 3000, requestTimeout: 30_000, socketTimeout: 20_000 };
const SOCKETS = { keepAlive: true, maxSockets: 128 };
