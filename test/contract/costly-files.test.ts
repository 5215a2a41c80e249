import { readdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { COSTLY_FILES } from '../support/costly-files.ts';

const TESTS = new URL('..', import.meta.url).pathname;

it('lists each file that `npm test` skips once, and only existing files', async () => {
  const existing = new Set(await readdir(TESTS, { recursive: true }));
  expect(COSTLY_FILES.filter((file) => !existing.has(file))).toEqual([]);
  expect(new Set(COSTLY_FILES).size).toBe(COSTLY_FILES.length);
});

it('leaves at least one file of every folder in `npm test`', async () => {
  const left = (await readdir(TESTS, { recursive: true })).filter((file) => /\.test\.tsx?$/.test(file) && !COSTLY_FILES.includes(file));
  const folders = new Set(left.map((file) => file.split('/')[0]));
  expect(COSTLY_FILES.filter((file) => !folders.has(file.split('/')[0]))).toEqual([]);
});
