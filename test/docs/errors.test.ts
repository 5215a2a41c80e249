import { readFile } from 'node:fs/promises';
import { ERROR_DATA, ERROR_REASONS } from '@repoless/contract/error-data.ts';
import { type ErrorCode, ERRORS } from '@repoless/contract/errors.ts';
import { expect, it } from 'vitest';

const page = await readFile(new URL('../../docs/errors.md', import.meta.url), 'utf8');
const codes = Object.keys(ERRORS).filter((code): code is ErrorCode => code in ERRORS);

it('lists every error code in docs/errors.md with its status and title, and no other', () => {
  const rows = page.split('\n').filter((line) => line.startsWith('| ['));
  expect(rows).toEqual(codes.map((code) => `| [${code}](#${code.toLowerCase()}) | ${ERRORS[code].status} | ${ERRORS[code].title} |`));
});

it('says in docs/errors.md what each error code means and, in bold, what to do, and names its data', () => {
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
