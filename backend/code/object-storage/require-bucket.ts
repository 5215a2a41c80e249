import { randomUUID } from 'node:crypto';
import { READ } from './bucket.ts';
import type { Bucket } from './bucket.ts';
import { told, whyNever } from './bucket-error.ts';

/**
 * Tries all that the service does with the bucket of CODE_STORE. Rejects with a sentence where it cannot be used with these settings. Out: what is wrong
 * where it does not respond, which may be over by itself.
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
