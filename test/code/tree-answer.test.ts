import { expect, it } from 'vitest';
import { readTreeAnswer, type TreeEntry } from '@repoless/service/code/tree-answer.ts';
import { longestStandstill } from '../support/loop-delay.ts';

async function read(text: string) {
  const entries: TreeEntry[] = [];
  const answer = await readTreeAnswer(Buffer.from(text), (entry) => entries.push(entry));
  return { answer, paths: entries.map(({ path }) => path) };
}

const entry = (path: string) => ({ path, mode: '100644', type: 'blob', sha: 'a'.repeat(40), size: 1 });

it.each([0, 2])('reads an answer, printed with %i spaces', async (spaces) => {
  const odd = ['a', 'b"c', 'd\\', '{"tree":[', 'é'];
  const around = { sha: 'x', commit: { tree: { sha: 'y' } }, other: [{ path: 'no' }] };
  const text = JSON.stringify({ ...around, tree: odd.map(entry), truncated: true, url: ']}' }, null, spaces);
  expect(await read(text)).toEqual({ answer: { truncated: true }, paths: odd });
  expect((await read(JSON.stringify({ tree: [], sha: 'x' }, null, spaces))).answer).toEqual({ truncated: false });
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
])('says that the answer %# has another form', async (text) => {
  expect((await read(text)).answer).toBeUndefined();
});

it('reads an answer of the largest size in turns', async () => {
  const text = `{"tree":[${Array.from({ length: 100_000 }, (_, index) => JSON.stringify(entry(`folder/file-${index}`))).join(',')}]}`;
  const standstill = await longestStandstill(async () => {
    expect((await read(text)).paths.length).toBe(100_000);
  });
  expect(standstill).toBeLessThan(200);
});
