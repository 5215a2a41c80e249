import type { CopyPlace, StoredObject } from '#backend/domain/publishing/ports.ts';
import { furtherOf } from './bucket.ts';
import type { Bucket } from './bucket.ts';
import { factsOf, isMissing, unavailable } from './bucket-error.ts';

/**
 * The published copy as objects of a bucket. Writes and removals say what they build upon, so that one which was held up never undoes a
 * newer one; a server that lacks one of these conditions is not sent that one, and leases alone keep the order there (decision 0114).
 */
export function bucketCopy({ client, sdk, options }: Bucket): CopyPlace {
  const { bucket: Bucket, prefix } = options;
  const at = (key: string) => ({ Bucket, Key: `${prefix}${key}` });
  const within = (abortSignal: AbortSignal | undefined) => ({ requestTimeout: REQUEST, ...(abortSignal !== undefined && { abortSignal }) });
  /** Many servers know conditions of writes, and none of removals. */
  const unknown = new Set<Conditional>();

  /** Out: false where the condition does not hold. */
  async function conditionally(work: (isConditional: boolean) => Promise<unknown>, what: Conditional): Promise<boolean> {
    const isConditional = !unknown.has(what);
    try {
      await work(isConditional);
      return true;
    } catch (error) {
      const { status } = factsOf(error);
      if (status === 412 || status === 409 || isMissing(error)) return false;
      if (status !== 501 || !isConditional) throw unavailable(error, what, COPY);
      unknown.add(what);
      return await conditionally(work, what);
    }
  }

  return {
    async read(key, signal): Promise<StoredObject | undefined> {
      try {
        const found = await client.send(new sdk.GetObjectCommand(at(key)), within(signal));
        const bytes = (await found.Body?.transformToByteArray()) ?? new Uint8Array();
        const { etag, [KEYS]: keys } = found.Metadata ?? {};
        return {
          bytes,
          tag: found.ETag ?? '',
          contentType: found.ContentType ?? '',
          cacheControl: found.CacheControl ?? '',
          etag: etag ?? '',
          surrogateKeys: keys?.split(' ') ?? [],
        };
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw unavailable(error, 'a read', COPY);
      }
    },
    write(key, { bytes, contentType, cacheControl, etag, surrogateKeys }, over, signal) {
      const object = {
        ...at(key),
        Body: bytes,
        ContentLength: bytes.length,
        ContentType: contentType,
        CacheControl: cacheControl,
        Metadata: { etag, [KEYS]: surrogateKeys.join(' ') },
      };
      const condition = over === undefined ? { IfNoneMatch: '*' } : { IfMatch: over };
      return conditionally(
        (isConditional) => client.send(new sdk.PutObjectCommand({ ...object, ...(isConditional && condition) }), within(signal)),
        over === undefined ? 'a first write' : 'a write',
      );
    },
    remove(key, over, signal) {
      return conditionally(
        (isConditional) =>
          client.send(new sdk.DeleteObjectCommand({ ...at(key), ...(isConditional && { IfMatch: over }) }), within(signal)),
        'a removal',
      );
    },
    async keys(after, limit) {
      let from: { readonly StartAfter?: string; readonly ContinuationToken?: string } =
        after === '' ? {} : { StartAfter: `${prefix}${after}` };
      try {
        for (;;) {
          const page = await client.send(new sdk.ListObjectsV2Command({ Bucket, Prefix: prefix, MaxKeys: limit, ...from }));
          const keys = (page.Contents ?? []).map(({ Key = '' }) => Key.slice(prefix.length));
          const token = furtherOf(page);
          if (keys.length > 0 || token === undefined) return { keys, hasMore: token !== undefined };
          from = { ContinuationToken: token };
        }
      } catch (error) {
        throw unavailable(error, 'a list', COPY);
      }
    },
    close: async () => client.destroy(),
  };
}

type Conditional = 'a first write' | 'a write' | 'a removal';

const COPY = 'the published copy';
const KEYS = 'surrogate-key';
/** Milliseconds, of each attempt; what is written is small. */
const REQUEST = 5000;
