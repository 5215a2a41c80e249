import { type Manifest, type ManifestEntry, serializeManifest, readManifest } from '@repoless/service/code/code-files.ts';
import { readSettings } from '@repoless/service/config.ts';
import { expect, it } from 'vitest';
import { turnsDuring, longestBlock } from '../support/loop-delay.ts';
import { readTreeAnswer, type TreeEntry } from '@repoless/service/code/byogit-snapshot.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { listEntries } from '@repoless/service/git/read-objects.ts';

const entry = (index: number): ManifestEntry => ['a'.repeat(64), index, 'b'.repeat(40)];

function manifest(paths: readonly string[]): Manifest {
  return { files: Object.fromEntries(paths.map((path) => [path, entry(path.length)])), pointers: ['d', 'c'] };
}

it.each([0, 1, 999, 1000, 1001, 3500])('reads a list of %i files as it was serialized', async (count) => {
  const list = manifest(Array.from({ length: count }, (_, index) => `folder/${(index * 7919) % 10_007}`));
  const read = await readManifest(await serializeManifest(list));
  expect(read).toEqual({ ...list, pointers: ['c', 'd'] });
  expect(Object.keys(read.files)).toEqual(Object.keys(list.files).sort());
});

it('serializes equal lists to equal bytes, whatever their order', async () => {
  const paths = Array.from({ length: 2500 }, (_, index) => `${(index * 7919) % 2503}.txt`);
  expect(await serializeManifest(manifest(paths.toReversed()))).toEqual(await serializeManifest(manifest(paths)));
});

it('reads a list in the previous format of one line', async () => {
  const list = manifest(['a.txt', 'b/c.txt']);
  expect(await readManifest(Buffer.from(JSON.stringify(list)))).toEqual(list);
});

it('rejects a truncated or altered list', async () => {
  const bytes = await serializeManifest(manifest(Array.from({ length: 2500 }, (_, index) => `${index}`)));
  await expect(readManifest(bytes.subarray(0, bytes.length / 2))).rejects.toThrow();
  await expect(readManifest(Buffer.from(Buffer.from(bytes).toString().replace('"bbbb', '5,"bbbb')))).rejects.toThrow();
});

it('yields to other work while it serializes and reads a list of the most files', async () => {
  const count = readSettings({}).CODE_FILE_COUNT_LIMIT;
  const list = manifest(Array.from({ length: count }, (_, index) => `${'p'.repeat(150)}/${(index * 7919) % count}`));
  let bytes: Uint8Array = new Uint8Array();
  expect(await turnsDuring(async () => (bytes = await serializeManifest(list)))).toBeGreaterThan(2);
  expect(await turnsDuring(() => readManifest(bytes))).toBeGreaterThan(2);
});

async function readAnswer(text: string) {
  const entries: TreeEntry[] = [];
  const answer = await readTreeAnswer(Buffer.from(text), (blob) => entries.push(blob));
  return { answer, paths: entries.map(({ path }) => path) };
}

const blob = (path: string) => ({ path, mode: '100644', type: 'blob', sha: 'a'.repeat(40), size: 1 });

it.each([0, 2])('reads a response that is indented by %i spaces', async (spaces) => {
  const odd = ['a', 'b"c', 'd\\', '{"tree":[', 'é'];
  const fields = { sha: 'x', commit: { tree: { sha: 'y' } }, other: [{ path: 'no' }] };
  const text = JSON.stringify({ ...fields, tree: odd.map(blob), truncated: true, url: ']}' }, null, spaces);
  expect(await readAnswer(text)).toEqual({ answer: { truncated: true }, paths: odd });
  expect((await readAnswer(JSON.stringify({ tree: [], sha: 'x' }, null, spaces))).answer).toEqual({ truncated: false });
});

it.each([
  '',
  'no JSON',
  '[]',
  '{"tree":{}}',
  '{"tree":[{"path":1}]}',
  '{"tree":[5]}',
  '{"tree":[{"path":"a","type":"blob","sha":"b"}',
  `{"note":"${'x'.repeat(20_000)}","tree":[]}`,
  `{"tree":[{"path":"a","type":"blob","sha":"${'b'.repeat(20_000)}"}]}`,
  '['.repeat(1_000_000),
])('recognizes that response %# has another form', async (text) => {
  expect((await readAnswer(text)).answer).toBeUndefined();
});

it('yields to other work while it reads a response of 100,000 files', async () => {
  const text = `{"tree":[${Array.from({ length: 100_000 }, (_, index) => JSON.stringify(blob(`folder/file-${index}`))).join(',')}]}`;
  const blocked = await longestBlock(async () => {
    expect((await readAnswer(text)).paths.length).toBe(100_000);
  });
  expect(blocked).toBeLessThan(200);
});

const OID = 'a'.repeat(40);
const line = (path: string) => `100644 blob ${OID}       1\t${path}\0`;

async function read(text: string, piece = 65_536): Promise<number> {
  async function* output() {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece);
  }
  let count = 0;
  for await (const { path } of listEntries(output())) count += path === '' ? 0 : 1;
  return count;
}

it('reads entries however their bytes are split', async () => {
  const text = ['a', 'é'.repeat(300), 'b\nc\td'].map(line).join('');
  for (const piece of [1, 7, 64, 100_000]) expect(await read(text, piece)).toBe(3);
});

it('accepts paths of LIMITS.codePath characters, and no longer ones', async () => {
  expect(await read(line('é'.repeat(LIMITS.codePath)))).toBe(1);
  await expect(read(line('p'.repeat(LIMITS.codePath + 1)))).rejects.toThrow(
    'A path of the repository has more than 1000 characters. Shorten it.',
  );
  await expect(read(`100644 blob ${OID} 1\t${'p'.repeat(10_000_000)}`)).rejects.toThrow('more than 1000 characters');
});

it('accepts paths of LIMITS.codePaths characters in total, and not one character more', async () => {
  const most = line('p'.repeat(LIMITS.codePath)).repeat(LIMITS.codePaths / LIMITS.codePath);
  expect(await read(most)).toBe(8000);
  await expect(read(`${most}${line('x')}`)).rejects.toThrow('have more than 8000000 characters in total');
});
