import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { describe, expect, test } from 'vitest';
import { folder, inOwnFolder, localesFile } from './command.ts';

inOwnFolder();

const FILE = localesFile('https://service.example.com', 'wknd', 2);
const DEEP = 'Values are nested more than 64 levels deep here, which is the limit.';
const SECOND = 'A second YAML document starts here, and a file may have only one.';

/** Sites of this many pages, one after the other. */
function sites(count: number): string {
  return Array.from({ length: count }, (_, index) => `- name: s${index}\n  contentRoot: /content/${index}\n`).join('');
}

describe('A file beyond the limits', () => {
  test.each<[what: string, text: () => string, location: string, sentence: string]>([
    ['two documents', () => `${FILE}---\n${FILE}`, '17:1', SECOND],
    ['a document and an empty one', () => 'version: 1\n---\n', '2:1', SECOND],
    ['brackets that are never closed', () => '['.repeat(20_000), '1:67', DEEP],
    ['nested brackets', () => `version: ${'['.repeat(20_000)}${']'.repeat(20_000)}`, '1:75', DEEP],
    ['nested objects of JSON', () => `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`, '1:', DEEP],
    ['lists within lists', () => '- '.repeat(20_000), '1:', DEEP],
    ['keys that are mappings', () => '? '.repeat(20_000), '1:', DEEP],
    ['mappings within mappings', () => Array.from({ length: 3000 }, (_, index) => `${' '.repeat(index)}a:`).join('\n'), '66:', DEEP],
    [
      'more sites than a file has',
      () => `version: 1\nsites:\n${sites(60_000)}`,
      '100003:',
      'One list or mapping has more than 50000 entries here',
    ],
    ['lists of lists', () => `[${`[${'1,'.repeat(40_000)}],`.repeat(40)}]`, '1:', 'The file has more than 3000000 names, values, marks'],
  ])('is refused with its name and line, before it is evaluated: %s', async (_what, text, location, sentence) => {
    await folder.write('sites.yaml', text());
    const refused = await folder.repoless(['plan', '-f', 'sites.yaml']);
    expect(refused.err).toContain(`sites.yaml:${location}`);
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining(`: ${sentence}`) });
    expect(refused.err.trimEnd().split('\n')).toHaveLength(2);
  });

  test('is refused quickly, whatever its length', async () => {
    await folder.write('sites.yaml', sites(400_000));
    const before = performance.now();
    const refused = await folder.repoless(['plan', '-f', 'sites.yaml']);
    expect(refused).toMatchObject({
      code: 2,
      err: 'sites.yaml has more than 10 MB, which is the limit. Split its sites over several files.\n',
    });
    // 16 MB took more than ten seconds.
    expect(performance.now() - before).toBeLessThan(5000);
  });

  test('with very many invalid lines names the first ones, and counts all', async () => {
    await folder.write('sites.yaml', FILE.replace(/sites:[^]*/, `sites:\n${'  - nam: 1\n'.repeat(400)}`));
    const refused = await folder.repoless(['plan', '-f', 'sites.yaml']);
    expect(refused).toMatchObject({
      code: 2,
      err: expect.stringContaining('1200 lines are invalid, the first 100 are listed; nothing was done.\n'),
    });
    expect(refused.err.trimEnd().split('\n')).toHaveLength(101);
  });

  test('is named by every command that reads one', async () => {
    await folder.write('rollout.yaml', `value: ${'['.repeat(100)}`);
    const refused = await folder.repoless(['rollout', '--organization', 'wknd', '-f', 'rollout.yaml']);
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining(DEEP) });
  });
});

test('A file with one document between its marks is read', async () => {
  await folder.write('sites.yaml', `%YAML 1.2\n---\n${FILE}...\n# The end.\n`);
  expect(await folder.repoless(['plan', '-f', 'sites.yaml'])).toMatchObject({ code: 1, err: expect.stringContaining('repoless login') });
});

test('A file that cannot be read is named with the reason', async () => {
  await mkdir(join(folder.folder, 'sites'));
  expect(await folder.repoless(['plan', '-f', 'none.yaml'])).toMatchObject({
    code: 2,
    err: 'Couldn’t read none.yaml: the file doesn’t exist.\n',
  });
  expect(await folder.repoless(['plan', '-f', 'sites'])).toMatchObject({
    code: 2,
    err: 'Couldn’t read sites: it is a folder. Specify a file.\n',
  });
});

test.each([
  ['UTF-16LE', [0xff, 0xfe], (text: string) => Buffer.from(text, 'utf16le')],
  ['UTF-16BE', [0xfe, 0xff], (text: string) => Buffer.from(text, 'utf16le').swap16()],
  ['UTF-8', [0xef, 0xbb, 0xbf], (text: string) => Buffer.from(text)],
])('A file in %s with a byte order mark is read', async (_name, mark, bytes) => {
  await writeFile(join(folder.folder, 'sites.yaml'), Buffer.concat([Buffer.from(mark), bytes(FILE)]));
  expect(await folder.repoless(['plan', '-f', 'sites.yaml'])).toMatchObject({ code: 1, err: expect.stringContaining('repoless login') });
});

test('A conflict that git left in the file is named at its first line', async () => {
  await folder.write('sites.yaml', `${FILE}<<<<<<< HEAD\n  - name: a\n=======\n  - name: b\n>>>>>>> other\n`);
  const { code, err } = await folder.repoless(['plan', '-f', 'sites.yaml']);
  const line = FILE.split('\n').length;
  expect([code, err.split('\n')]).toEqual([
    2,
    [expect.stringMatching(`^sites\\.yaml:${line}:1: Git did not merge`), '1 line is invalid; nothing was done.', ''],
  ]);
});
