import { openFolderPlace } from '@repoless/service/code/folder-place.ts';
import { MissingBlob } from '@repoless/service/code/rules/ports.ts';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { blobPlaceContract, namesOf, sha256, sharedBlobsContract } from '../support/blob-places.ts';
import { eachStore } from '../support/each-store.ts';
import { executeIn } from '../support/operate.ts';

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
