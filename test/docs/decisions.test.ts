import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const FOLDER = new URL('../../docs/decisions/', import.meta.url);

it('lists every decision by its number and title, with a date and a status', async () => {
  const index = await readFile(new URL('README.md', FOLDER), 'utf8');
  const listed = index.split('\n').filter((line) => line.startsWith('| ['));
  const files = (await readdir(FOLDER)).filter((file) => file !== 'README.md').toSorted();
  const wanted = await Promise.all(
    files.map(async (file) => {
      const [, number = '', title = ''] = /^# (\d{4}) (.+)/.exec(await readFile(new URL(file, FOLDER), 'utf8')) ?? [];
      return `| [${number}](${file}) | ${title} |`;
    }),
  );
  expect(listed.map((line) => line.replace(/ \d{4}-\d{2}-\d{2} \| (accepted|replaced by \[\d{4}\]\(.+\)) \|$/, ''))).toEqual(wanted);
});
