import { Refusal } from '@repoless/contract/refusal.ts';
import { type BlobPlace, type ByteRange, MissingBlob } from '../rules/ports.ts';
import { type Bucket, factsOf, furtherOf, isMissing, READ, told, unavailable } from './bucket.ts';

/**
 * Blobs as objects of a bucket, named like the files of a folder. A server stores an object completely or not at all; losing a race against
 * another writer of the same name is harmless, because the bytes are the same.
 */
export function bucketPlace({ client, sdk, options }: Bucket): BlobPlace {
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
      throw unavailable(error, 'whether an object is there');
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
      throw isMissing(error) ? new MissingBlob(hash, told(error, 'a read')) : unavailable(error, 'a read');
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
        if (attempt >= CUTS) throw unavailable(error, 'a read to its end');
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
        token = page.further;
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
    const further = token === undefined ? {} : { ContinuationToken: token };
    try {
      const page = await client.send(new sdk.ListObjectsV2Command({ Bucket, Prefix: folder, ...further }));
      return { keys: (page.Contents ?? []).map(({ Key = '' }) => Key), further: furtherOf(page) };
    } catch (error) {
      throw unavailable(error, 'a list');
    }
  }
}

function hashOf(name: string): string | undefined {
  const hash = name.replace('/', '');
  return /^[0-9a-f]{64}$/.test(hash) && name[2] === '/' ? hash : undefined;
}

/** How often a read may be interrupted. */
const CUTS = 3;
const REMOVED_AT_ONCE = 16;
