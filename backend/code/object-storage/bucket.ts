import type * as Sdk from '@aws-sdk/client-s3';
import type { SealedValue } from '@repoless/contract/secret.ts';
import { randomUUID } from 'node:crypto';
import { Refusal } from '@repoless/contract/refusal.ts';
import { type BlobStorage, type ByteRange, MissingBlob } from '../rules/ports.ts';

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
 * The token of the next page of a list; undefined after the last one. The number of keys says nothing: servers may return fewer than
 * requested. Throws if the server omits the token.
 */
function nextPageOf({ IsTruncated, NextContinuationToken }: Sdk.ListObjectsV2CommandOutput): string | undefined {
  if (IsTruncated === true && NextContinuationToken === undefined) throw new Error('The list is cut off.');
  return IsTruncated === false ? undefined : NextContinuationToken;
}

/** A read without a response after this many milliseconds is retried, because someone waits for it. */
const READ = { requestTimeout: 5000 };
const ATTEMPTS = 3;
/** Milliseconds: until a write is answered, and without traffic on a connection. */
const TIMES = { connectionTimeout: 3000, requestTimeout: 30_000, socketTimeout: 20_000 };
const SOCKETS = { keepAlive: true, maxSockets: 128 };

/** The parts of an SDK error that may be logged: the rest may contain a request with its signature. */
function factsOf(error: unknown) {
  const { name = '', code, $metadata } = error instanceof Error ? (error as Partial<SdkError>) : {};
  return { name, code, status: $metadata?.httpStatusCode, requestId: $metadata?.requestId };
}

interface SdkError {
  readonly name: string;
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number; readonly requestId?: string };
}

function described(error: unknown, what: string): Error {
  const { name, code, status, requestId } = factsOf(error);
  const parts = [name, code ?? '', status === undefined ? '' : `status ${status}`, requestId === undefined ? '' : `request ${requestId}`];
  return new Error(`The bucket did not answer ${what}: ${parts.filter((part) => part !== '').join(', ')}.`);
}

/** For callers: only that the bucket is unavailable. */
function unavailable(error: unknown, what: string): Refusal {
  const sentence = 'The object storage of the code does not respond, or denies access. Try again in a moment.';
  return new Refusal('STORAGE_UNAVAILABLE', sentence, { cause: described(error, what), retryAfter: 5 });
}

/** A HEAD response has no body, and therefore a different error name. */
function isMissing(error: unknown): boolean {
  const { name, status } = factsOf(error);
  return status === 404 && (name === 'NoSuchKey' || name === 'NotFound');
}

/** Why a bucket can never work with these settings; undefined if the error may be temporary. */
function permanentProblem(error: unknown, address: string, what: string): string | undefined {
  const { name, status } = factsOf(error);
  if (name === 'InvalidAccessKeyId' || name === 'SignatureDoesNotMatch' || status === 401)
    return `The object storage does not accept the credential for ${address}. Correct S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.`;
  if (name === 'NoSuchBucket') return `The bucket of ${address} does not exist. Create it, or correct CODE_STORE.`;
  if (name === 'CredentialsProviderError')
    return `There is no credential for ${address}. Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or give the machine a role.`;
  if (status === 403)
    return `The credential for ${address} does not allow ${what}. It needs to list the bucket, and to read, write and delete objects.`;
  if (status === 301 || name === 'AuthorizationHeaderMalformed') return `The bucket of ${address} is in another region. Correct S3_REGION.`;
  if (status !== undefined && status >= 400 && status < 500 && !TEMPORARY.has(status))
    return `The object storage refuses ${what} in ${address} (${name}). Correct CODE_STORE, or the settings that start with S3_.`;
  return undefined;
}

/** Time-outs, conflicts and throttling. */
const TEMPORARY = new Set([408, 409, 412, 429]);

/** Tries every operation that the service needs. Rejects if these settings never work; returns a problem that may be temporary. */
export async function requireBucket({ client, sdk, options }: Bucket): Promise<Error | undefined> {
  const Bucket = options.bucket;
  const address = `s3://${Bucket}/${options.prefix}`;
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
      const problem = permanentProblem(error, address, what);
      if (problem !== undefined) throw new Error(problem, { cause: described(error, what) });
      return described(error, what);
    }
  }
  return undefined;
}

/**
 * Blobs as objects of a bucket, named like the files of a folder. A server stores an object completely or not at all; losing a race against
 * another writer of the same name is harmless, because the bytes are the same.
 */
export function bucketStorage({ client, sdk, options }: Bucket): BlobStorage {
  const Bucket = options.bucket;
  const folder = `${options.prefix}files/`;
  const at = (hash: string) => ({ Bucket, Key: `${folder}${hash.slice(0, 2)}/${hash.slice(2)}` });
  /** Some servers do not support conditional writes, and say so. */
  let knowsConditions = true;

  async function size(hash: string): Promise<number | undefined> {
    try {
      return (await client.send(new sdk.HeadObjectCommand(at(hash)), READ)).ContentLength;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw unavailable(error, 'whether an object exists');
    }
  }

  async function put(hash: string, bytes: Uint8Array, condition: { readonly IfNoneMatch?: '*' }): Promise<void> {
    const Body = bytes.length === 0 ? '' : bytes;
    await client.send(new sdk.PutObjectCommand({ ...at(hash), ...condition, Body, ContentLength: bytes.length }));
  }

  /** Returns whether the object exists now, as far as the server says. */
  async function putNew(hash: string, bytes: Uint8Array): Promise<boolean> {
    try {
      await put(hash, bytes, { IfNoneMatch: '*' });
      return true;
    } catch (error) {
      const { status } = factsOf(error);
      if (status === 501) knowsConditions = false;
      else if (status !== 412 && status !== 409) throw error;
      return status !== 501 && (await size(hash)) === bytes.length;
    }
  }

  async function get(hash: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array>> {
    const Range = range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` };
    try {
      const { Body } = await client.send(new sdk.GetObjectCommand({ ...at(hash), ...Range }), READ);
      if (Body === undefined || !(Symbol.asyncIterator in Body)) throw new Error('The answer has no body.');
      return Body as AsyncIterable<Uint8Array>;
    } catch (error) {
      throw isMissing(error) ? new MissingBlob(hash, described(error, 'a read')) : unavailable(error, 'a read');
    }
  }

  /** Resumes an interrupted read at the same position. */
  async function* stream(hash: string, { start, end }: ByteRange): AsyncGenerator<Uint8Array> {
    let next = start;
    for (let attempt = 1; next <= end; attempt += 1) {
      const pieces = await get(hash, { start: next, end });
      try {
        for await (const piece of pieces) {
          next += piece.length;
          yield piece;
        }
        if (next <= end) throw new Error('The object is shorter than it should be.');
      } catch (error) {
        if (attempt >= INTERRUPTIONS) throw unavailable(error, 'a read to its end');
      }
    }
  }

  return {
    size,
    async write(hash, bytes) {
      try {
        if (knowsConditions && (await putNew(hash, bytes))) return;
        await put(hash, bytes, {});
      } catch (error) {
        throw error instanceof Refusal ? error : unavailable(error, 'a write');
      }
    },
    async read(hash) {
      const length = await size(hash);
      if (length === undefined) throw new MissingBlob(hash);
      const pieces: Uint8Array[] = [];
      for await (const piece of stream(hash, { start: 0, end: length - 1 })) pieces.push(piece);
      return Buffer.concat(pieces);
    },
    stream,
    async *names() {
      for (let token: string | undefined; ;) {
        const page = await list(token);
        yield page.keys.flatMap((key) => hashOf(key.slice(folder.length)) ?? []);
        token = page.nextToken;
        if (token === undefined) return;
      }
    },
    async remove(hashes) {
      const rest = [...hashes];
      const worker = async () => {
        for (let hash = rest.pop(); hash !== undefined; hash = rest.pop()) await client.send(new sdk.DeleteObjectCommand(at(hash)));
      };
      const ended = await Promise.allSettled(Array.from({ length: REMOVED_AT_ONCE }, worker));
      const failed = ended.find((one) => one.status === 'rejected');
      if (failed !== undefined) throw unavailable(failed.reason, 'a removal');
    },
    close: async () => client.destroy(),
  };

  async function list(token: string | undefined) {
    const position = token === undefined ? {} : { ContinuationToken: token };
    try {
      const page = await client.send(new sdk.ListObjectsV2Command({ Bucket, Prefix: folder, ...position }));
      return { keys: (page.Contents ?? []).map(({ Key = '' }) => Key), nextToken: nextPageOf(page) };
    } catch (error) {
      throw unavailable(error, 'a list');
    }
  }
}

function hashOf(name: string): string | undefined {
  const hash = name.replace('/', '');
  return /^[0-9a-f]{64}$/.test(hash) && name[2] === '/' ? hash : undefined;
}

const INTERRUPTIONS = 3;
const REMOVED_AT_ONCE = 16;
