import { bucketPlace } from '@repoless/service/code/object-storage/bucket.ts';
import { openBucket } from '@repoless/service/code/object-storage/bucket.ts';
import type { BlobPlace } from '@repoless/service/code/rules/ports.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { namesOf, sha256 } from '../support/blob-places.ts';
import { startBucket, type TestBucket } from '../support/bucket.ts';

let bucket: TestBucket;
let place: BlobPlace;
beforeEach(async () => {
  bucket = await startBucket();
  place = bucketPlace(await openBucket(bucket.options));
});
afterEach(async () => {
  await place.close();
  await bucket.stop();
});

const write = async (...texts: string[]) => {
  for (const text of texts) await place.write(sha256(Buffer.from(text)), Buffer.from(text));
};
const hashes = (...texts: string[]) => texts.map((text) => sha256(Buffer.from(text))).toSorted();

it('writes and removes blobs although the bucket loses answers', async () => {
  bucket.loseAnswers('files/', 2);
  await write('one', 'two');
  expect([...(await namesOf(place))].toSorted()).toEqual(hashes('one', 'two'));
  expect(await place.size(sha256(Buffer.from('one')))).toBe(3);
  bucket.loseAnswers('files/', 1);
  await place.remove(hashes('one', 'two'));
  expect(bucket.objects.size).toBe(0);
});

it('writes blobs to a bucket that knows no conditions', async () => {
  bucket.refuseConditions('PUT');
  await write('one', 'two', 'one');
  expect([...(await namesOf(place))].toSorted()).toEqual(hashes('one', 'two'));
});

it('names all blobs however short or empty the pages of a list are, and fails where a list is cut off', async () => {
  await write('one', 'two', 'three', 'four', 'five', 'six');
  const [first = '', second = '', third = '', ...rest] = hashes('one', 'two', 'three', 'four', 'five', 'six');
  await place.remove([first, second]);
  bucket.listAtMost(2);
  expect([...(await namesOf(place))].toSorted()).toEqual([third, ...rest]);
  bucket.hideTokens();
  await expect(namesOf(place)).rejects.toThrow(Refusal);
});
