import { ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { SealedValue } from '@repoless/contract/secret.ts';
import { bucketStorage } from '@repoless/service/code/object-storage/bucket.ts';
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
  return [bucketStorage(await openBucket(options)), bucketStorage(await openBucket(options))] as const;
};

describe('a bucket', () => {
  blobPlaceContract(async () => {
    const [place, other] = await openTwo();
    return { place, other };
  });

  it('overwrites an object of the wrong length', async () => {
    const bytes = randomBytes(1000);
    const hash = sha256(bytes);
    const bucket = await openBucket(server.options('damaged/'));
    const place = bucketStorage(bucket);
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

eachStore(({ name, newDatabase }) => {
  describe('a bucket shared by nodes', () => {
    sharedBlobsContract(async () => {
      const database = await newDatabase();
      const store = await database.open();
      const other = name === 'SQLite' ? store : await database.open();
      return { places: await openTwo(), condemned: [store.condemned, other.condemned] };
    });
  });
});

describe('the check of a bucket before it is used', () => {
  const wrong = (change: Partial<BucketOptions>) => async () => ({ ...server.options('checked/'), ...change });
  it.each([
    [
      'does not exist',
      wrong({ bucket: 'no-such-bucket' }),
      'The bucket of s3://no-such-bucket/checked/ does not exist. Create it, or correct CODE_STORE.',
    ],
    [
      'refuses the secret',
      wrong({ credential: { accessKeyId: ACCESS_KEY, secretAccessKey: new SealedValue('another') } }),
      'The object storage does not accept the credential for s3://code/checked/. Correct S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.',
    ],
    [
      'does not know the key',
      wrong({ credential: { accessKeyId: 'another', secretAccessKey: new SealedValue(SECRET_KEY) } }),
      'The object storage refuses a list in s3://code/checked/ (XAdminUserNotFound). Correct CODE_STORE, or the settings that start with S3_.',
    ],
  ])('reports a bucket that %s', async (_, options, sentence) => {
    const bucket = await openBucket(await options());
    await expect(requireBucket(bucket)).rejects.toThrow(sentence);
  });

  it('reports a bucket that is not writable, and leaves no object in one that is', async () => {
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
