import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { SETTING_NAMES } from '@repoless/service/config.ts';
import { LIMITS } from '@repoless/contract/limits.ts';

const ROOT = new URL('../../', import.meta.url);
const text = (path: string) => readFile(new URL(path, ROOT), 'utf8');

interface Row {
  readonly limit: string;
  readonly names: readonly string[];
  readonly tests: readonly string[];
}

async function table(): Promise<readonly Row[]> {
  const [, chapter = ''] = (await text('docs/operations.md')).split(/^## Limits$/m);
  const lines = (chapter.split(/^## /m)[0] ?? '').split('\n').filter((line) => /^\| (?!What|---)/.test(line));
  const quoted = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  return lines.map((line) => {
    const [, limit = '', why = '', names, tests] = line.slice(2, -2).split(' | ');
    expect(why, line).not.toBe('');
    return { limit, names: quoted(names), tests: quoted(tests) };
  });
}

/** How a number may be written: plain, in units of bytes, or of time. */
function written(value: number): string[] {
  const mebibytes = value / 1024 / 1024;
  const units = [
    [value.toLocaleString('en-US'), 1],
    [`${mebibytes} MiB`, mebibytes],
    [`${mebibytes / 1024} GiB`, mebibytes / 1024],
    [`${value / 1000} seconds`, value / 1000],
    [`${value / 60_000} minutes`, value / 60_000],
  ] as const;
  return units.filter(([, whole]) => Number.isInteger(whole)).map(([shown]) => shown);
}

it('the table names every limit of the code and of the settings once, and nothing else', async () => {
  const bounds = SETTING_NAMES.filter((name) => /_LIMIT|^ORG_|RATE_|^VERSIONS_KEPT$|_TIME$/.test(name));
  const named = (await table()).flatMap(({ names }) => names);
  expect(named.toSorted()).toEqual([...Object.keys(LIMITS), ...bounds].toSorted());
});

it.each(Object.entries(LIMITS))('%s is in the table with its value', async (name, value) => {
  const row = (await table()).find(({ names }) => names.includes(name));
  expect(written(value).some((shown) => new RegExp(`(?<![\\d,])${shown}(?![\\d,]*\\d)`).test(row?.limit ?? ''))).toBe(true);
});

it('every limit is named by a test of its row, and every test of a row names one of its limits', async () => {
  for (const { names, tests } of await table()) {
    const texts = await Promise.all(tests.map((path) => text(path)));
    const mentions = (source: string, name: string) => new RegExp(`\\b${name}\\b`).test(source);
    for (const name of names) expect([name, texts.some((source) => mentions(source, name))]).toEqual([name, true]);
    for (const [index, source] of texts.entries())
      expect([tests[index], names.some((name) => mentions(source, name))]).toEqual([tests[index], true]);
  }
});
