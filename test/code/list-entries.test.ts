import { LIMITS } from '@repoless/contract/limits.ts';
import { listEntries } from '@repoless/service/git/list-tree.ts';
import { expect, it } from 'vitest';

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

it('reads entries however their bytes are cut', async () => {
  const text = ['a', 'é'.repeat(300), 'b\nc\td'].map(line).join('');
  for (const piece of [1, 7, 64, 100_000]) expect(await read(text, piece)).toBe(3);
});

it('takes paths of the limit, and none that is longer', async () => {
  expect(await read(line('é'.repeat(LIMITS.codePath)))).toBe(1);
  await expect(read(line('p'.repeat(LIMITS.codePath + 1)))).rejects.toThrow(
    'A path of the repository has more than 1000 characters. Shorten it.',
  );
  await expect(read(`100644 blob ${OID} 1\t${'p'.repeat(10_000_000)}`)).rejects.toThrow('more than 1000 characters');
});

it('takes paths of the limit in all, and not one character more', async () => {
  const most = line('p'.repeat(LIMITS.codePath)).repeat(LIMITS.codePaths / LIMITS.codePath);
  expect(await read(most)).toBe(8000);
  await expect(read(`${most}${line('x')}`)).rejects.toThrow('have more than 8000000 characters in total');
});
