import { openFolderPlace } from '@repoless/service/code/folder-place.ts';
import { MissingBlob, type BlobPlace } from '@repoless/service/code/rules/ports.ts';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, beforeEach } from 'vitest';
import { blobPlaceContract, namesOf, sha256, sharedBlobsContract } from '../support/blob-places.ts';
import { eachStore } from '../support/each-store.ts';
import { executeIn } from '../support/operate.ts';
import { bucketPlace, openBucket } from '@repoless/service/code/object-storage/bucket.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { startBucket, type TestBucket } from '../support/bucket.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

describe('a folder', () => {
  blobPlaceContract(async () => {
    const folder = newFolder();
    return { place: await openFolderPlace(folder), other: await openFolderPlace(folder) };
  });

  it('keeps nothing of a file whose write failed', async () => {
    const folder = newFolder();
    const place = await openFolderPlace(folder);
    const bytes = randomBytes(100);
    const hash = sha256(bytes);
    // A folder in its place cannot be replaced by a file.
    mkdirSync(join(folder, 'files', hash.slice(0, 2), hash.slice(2)), { recursive: true });
    await expect(place.write(hash, bytes)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    expect(readdirSync(join(folder, 'drafts'))).toEqual([]);
  });
});

eachStore(({ name, place }) => {
  /** The embedded store has one node. */
  const openTwo = async () => {
    const database = await place();
    const store = await database.open();
    return [store, name === 'SQLite' ? store : await database.open()] as const;
  };

  describe('the database', () => {
    blobPlaceContract(async () => {
      const [store, other] = await openTwo();
      return { place: store.blobs, other: other.blobs };
    });
    sharedBlobsContract(async () => {
      const stores = await openTwo();
      return { places: stores.map(({ blobs }) => blobs), condemned: stores.map(({ condemned }) => condemned) };
    });

    it('treats a blob whose writer was killed as missing, and lists its remains', async () => {
      const database = await place();
      const { blobs } = await database.open();
      const bytes = randomBytes(600_000);
      const hash = sha256(bytes);
      await blobs.write(hash, bytes);
      await executeIn(database.options, 'delete from code_blobs where part = 0');
      expect(await blobs.size(hash)).toBeUndefined();
      await expect(blobs.read(hash)).rejects.toThrow(MissingBlob);
      expect([...(await namesOf(blobs))]).toEqual([hash]);
      await blobs.write(hash, bytes);
      expect(sha256(await blobs.read(hash))).toBe(hash);
    });
  });

  describe('a folder beside it', () => {
    sharedBlobsContract(async () => {
      const folder = newFolder();
      const places = [await openFolderPlace(folder), await openFolderPlace(folder)];
      return { places, condemned: (await openTwo()).map(({ condemned }) => condemned) };
    });
  });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'repoless-blobs-'));
  folders.push(folder);
  return folder;
}
describe('a bucket', () => {
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
});
