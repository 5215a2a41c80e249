import { readFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, describe } from 'vitest';
import { SETTING_NAMES, readSettings, SECRET_SETTINGS } from '@repoless/service/config.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { ERROR_DATA, ERROR_REASONS } from '@repoless/contract/error-data.ts';
import { type ErrorCode, ERRORS } from '@repoless/contract/errors.ts';
import { AUDIT_ACTIONS } from '@repoless/contract/audit.ts';

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

it('the table lists every limit of the code and of the settings once, and nothing else', async () => {
  const bounds = SETTING_NAMES.filter((name) => /_LIMIT|^ORG_|RATE_|^VERSIONS_KEPT$|_TIME$/.test(name));
  const named = (await table()).flatMap(({ names }) => names);
  expect(named.toSorted()).toEqual([...Object.keys(LIMITS), ...bounds].toSorted());
});

it.each(Object.entries(LIMITS))('%s has its value in the table', async (name, value) => {
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
const page = await readFile(new URL('../../docs/errors.md', import.meta.url), 'utf8');
const codes = Object.keys(ERRORS).filter((code): code is ErrorCode => code in ERRORS);

it('lists every error code in docs/errors.md with its status and title, and no other', () => {
  const rows = page.split('\n').filter((line) => line.startsWith('| ['));
  expect(rows).toEqual(codes.map((code) => `| [${code}](#${code.toLowerCase()}) | ${ERRORS[code].status} | ${ERRORS[code].title} |`));
});

it('explains in docs/errors.md what each error code means and, in bold, what to do, and names its data', () => {
  const [, ...sections] = page.split('\n## ');
  expect(sections.map((section) => section.split('\n', 1)[0])).toEqual(codes);
  for (const [index, code] of codes.entries()) {
    const [, about, text, ...rest] = (sections[index] ?? '').trim().split('\n\n');
    expect(about, code).toBe(`\`${ERRORS[code].status}\` · \`urn:repoless:error:${code.toLowerCase()}\``);
    expect(text, code).toMatch(/^\S.*[.!] \*\*\S.*\.\*\*$/s);
    expect(rest, code).toEqual(dataOf(code));
  }
});

/** The names in `data`, and the possible reasons. */
function dataOf(code: ErrorCode): string[] {
  const names: readonly string[] | undefined = ERROR_DATA[code as keyof typeof ERROR_DATA];
  if (names === undefined) return [];
  const reasons: readonly string[] = ERROR_REASONS[code as keyof typeof ERROR_REASONS] ?? [];
  const listed = names.map((name) => (name.endsWith('?') ? `\`${name.slice(0, -1)}\` (not always)` : `\`${name}\``)).join(', ');
  return [`\`data\`: ${listed}${reasons.length === 0 ? '' : `; \`reason\` is ${reasons.map((reason) => `\`${reason}\``).join(', ')}`}.`];
}

it('lists every metric in docs/operations.md, and no other', async () => {
  const { stdout } = await promisify(execFile)('git', ['grep', '-hoE', "(^ *|name: ')repoless_[a-z_]+(: [{]|')", '--', 'backend/*.ts'], {
    cwd: fileURLToPath(ROOT),
  });
  const exported = [...stdout.matchAll(/repoless_\w+/g)].map(([name]) => name);
  const listed = [...(await text('docs/operations.md')).matchAll(/^\| `(repoless_\w+)` \|/gm)].map(([, name]) => name);
  expect(new Set(listed)).toEqual(new Set(exported));
});

describe('Settings', async () => {
  const operations = await text('docs/operations.md');
  const rows = [...operations.matchAll(/^\| `([A-Z0-9_]+)` \| (.+?) \| (.+) \|$/gm)].map(
    ([, name = '', value = '']) => [name, value] as const,
  );

  it('explains every setting, and no other', () => {
    expect(rows.map(([name]) => name)).toEqual(SETTING_NAMES);
  });

  it('names the defaults', () => {
    const defaults: Readonly<Record<string, unknown>> = readSettings({});
    for (const [name, value] of rows) {
      const [, fixed] = /^`([^`<]+)`$/.exec(value) ?? [];
      // In the table's notation: lists with commas, empty if not set, sealed values as they print themselves.
      const current = [defaults[name]].flat().join(',');
      const isOpen = current === '' || current === '[sealed]';
      expect([name, fixed]).toEqual([name, isOpen ? undefined : current]);
    }
  });

  it('names every secret that may be in a file', () => {
    const [, named = ''] = /Secrets may be in files[^(]*\(([^)]+)\)/.exec(operations) ?? [];
    expect(named.split(/,\s+/)).toEqual(SECRET_SETTINGS.map((name) => `\`${name}\``));
  });

  it('explains every action of the audit trail', () => {
    const actions = [...operations.matchAll(/^\| `([a-z<>-]+)` \| (.+) \|$/gm)].map(([, name, meaning]) => [name, meaning]);
    expect(actions).toEqual(Object.entries(AUDIT_ACTIONS));
  });
});
