import { ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { SealedValue } from '@repoless/contract/secret.ts';
import { bucketPlace } from '@repoless/service/code/object-storage/bucket.ts';
import { type Bucket, type BucketOptions, openBucket, requireBucket } from '@repoless/service/code/object-storage/bucket.ts';
import { randomBytes } from 'node:crypto';
import { blobPlaceContract, namesOf, sha256, sharedBlobsContract } from '../../support/blob-places.ts';
import { eachStore } from '../../support/each-store.ts';
import { startBeforeAll } from '../../support/start-before-all.ts';
import { ACCESS_KEY, SECRET_KEY, startS3 } from './run-s3.ts';

let prefixes = 0;
const server = startBeforeAll(() => startS3());

const openTwo = async () => {
  const options = server.options(`place-${(prefixes += 1)}/`);
  return [bucketPlace(await openBucket(options)), bucketPlace(await openBucket(options))] as const;
};

describe('a bucket', () => {
  blobPlaceContract(async () => {
    const [place, other] = await openTwo();
    return { place, other };
  });

  it('puts what has another length than it should have right', async () => {
    const bytes = randomBytes(1000);
    const hash = sha256(bytes);
    const bucket = await openBucket(server.options('damaged/'));
    const place = bucketPlace(bucket);
    await place.write(hash, bytes);
    const [Key = ''] = await objects(bucket);
    await bucket.client.send(new PutObjectCommand({ Bucket: bucket.options.bucket, Key, Body: 'half' }));
    await place.write(hash, bytes);
    expect(sha256(await place.read(hash))).toBe(hash);
    await place.close();
  });

  it('shares nothing with another prefix', async () => {
    const [[one], [two]] = [await openTwo(), await openTwo()];
    await one.write(sha256(Buffer.from('one')), Buffer.from('one'));
    expect([...(await namesOf(two))]).toEqual([]);
  });
});

eachStore(({ name, place }) => {
  describe('a bucket beside it', () => {
    sharedBlobsContract(async () => {
      const database = await place();
      const store = await database.open();
      const other = name === 'SQLite' ? store : await database.open();
      return { places: await openTwo(), condemned: [store.condemned, other.condemned] };
    });
  });
});

describe('before it is used, a bucket', () => {
  const wrong = (change: Partial<BucketOptions>) => async () => ({ ...server.options('checked/'), ...change });
  it.each([
    [
      'is not there',
      wrong({ bucket: 'no-such-bucket' }),
      'The bucket of s3://no-such-bucket/checked/ does not exist. Create it, or correct CODE_STORE.',
    ],
    [
      'takes no such secret',
      wrong({ credential: { accessKeyId: ACCESS_KEY, secretAccessKey: new SealedValue('another') } }),
      'The object storage does not accept the credential for s3://code/checked/. Correct S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.',
    ],
    [
      'knows no such key',
      wrong({ credential: { accessKeyId: 'another', secretAccessKey: new SealedValue(SECRET_KEY) } }),
      'The object storage refuses a list in s3://code/checked/ (XAdminUserNotFound). Correct CODE_STORE, or the settings that begin with S3_.',
    ],
  ])('that %s is told from all others', async (_, options, sentence) => {
    const bucket = await openBucket(await options());
    await expect(requireBucket(bucket)).rejects.toThrow(sentence);
  });

  it('that cannot be written is told, too, and leaves nothing behind where it can', async () => {
    const bucket = await openBucket(server.options('tried/'));
    expect(await requireBucket(bucket)).toBeUndefined();
    expect(await objects(bucket)).toEqual([]);
    await server.kill();
    expect((await requireBucket(bucket))?.message).toMatch(/^The bucket did not answer a list: .*ECONNREFUSED\.$/);
    await server.start('readonly');
    await expect(requireBucket(bucket)).rejects.toThrow('The credential for s3://code/tried/ does not allow a write.');
    await server.kill();
    await server.start();
  });
});

/** The names of all objects below its prefix. */
async function objects({ client, options: { bucket, prefix } }: Bucket): Promise<string[]> {
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix }));
  return Contents.map(({ Key = '' }) => Key);
}
