import { type Manifest, type ManifestEntry, printManifest, readManifest } from '@repoless/service/code/code-files.ts';
import { readSettings } from '@repoless/service/config.ts';
import { expect, it } from 'vitest';
import { turnsDuring } from '../support/loop-delay.ts';

const entry = (index: number): ManifestEntry => ['a'.repeat(64), index, 'b'.repeat(40)];

function manifest(paths: readonly string[]): Manifest {
  return { files: Object.fromEntries(paths.map((path) => [path, entry(path.length)])), pointers: ['d', 'c'] };
}

it.each([0, 1, 999, 1000, 1001, 3500])('a list of %i files is read as it was printed', async (count) => {
  const list = manifest(Array.from({ length: count }, (_, index) => `folder/${(index * 7919) % 10_007}`));
  const read = await readManifest(await printManifest(list));
  expect(read).toEqual({ ...list, pointers: ['c', 'd'] });
  expect(Object.keys(read.files)).toEqual(Object.keys(list.files).sort());
});

it('equal lists have equal bytes, in whatever order', async () => {
  const paths = Array.from({ length: 2500 }, (_, index) => `${(index * 7919) % 2503}.txt`);
  expect(await printManifest(manifest(paths.toReversed()))).toEqual(await printManifest(manifest(paths)));
});

it('a list that was printed as one line, before lists had several, is read', async () => {
  const list = manifest(['a.txt', 'b/c.txt']);
  expect(await readManifest(Buffer.from(JSON.stringify(list)))).toEqual(list);
});

it('a list that is cut off or altered is not read', async () => {
  const bytes = await printManifest(manifest(Array.from({ length: 2500 }, (_, index) => `${index}`)));
  await expect(readManifest(bytes.subarray(0, bytes.length / 2))).rejects.toThrow();
  await expect(readManifest(Buffer.from(Buffer.from(bytes).toString().replace('"bbbb', '5,"bbbb')))).rejects.toThrow();
});

it('others have their turn while a list of the most files is printed, and while it is read', async () => {
  const count = readSettings({}).CODE_FILE_COUNT_LIMIT;
  const list = manifest(Array.from({ length: count }, (_, index) => `${'p'.repeat(150)}/${(index * 7919) % count}`));
  let bytes: Uint8Array = new Uint8Array();
  expect(await turnsDuring(async () => (bytes = await printManifest(list)))).toBeGreaterThan(2);
  expect(await turnsDuring(() => readManifest(bytes))).toBeGreaterThan(2);
});
