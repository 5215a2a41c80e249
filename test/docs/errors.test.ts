import { readFile } from 'node:fs/promises';
import { type ErrorCode, ERRORS } from '@repoless/contract/errors.ts';
import { expect, it } from 'vitest';

const page = await readFile(new URL('../../docs/errors.md', import.meta.url), 'utf8');
const codes = Object.keys(ERRORS).filter((code): code is ErrorCode => code in ERRORS);

it('lists every error code in docs/errors.md with its status and title, and no other', () => {
  const rows = page.split('\n').filter((line) => line.startsWith('| ['));
  expect(rows).toEqual(codes.map((code) => `| [${code}](#${code.toLowerCase()}) | ${ERRORS[code].status} | ${ERRORS[code].title} |`));
});

it('says in docs/errors.md what each error code means and, in bold, what to do', () => {
  const [, ...sections] = page.split('\n## ');
  expect(sections.map((section) => section.split('\n', 1)[0])).toEqual(codes);
  for (const [index, code] of codes.entries()) {
    const [, about, text, ...rest] = (sections[index] ?? '').trim().split('\n\n');
    expect(about, code).toBe(`\`${ERRORS[code].status}\` · \`urn:repoless:error:${code.toLowerCase()}\``);
    expect(text, code).toMatch(/^\S.*[.!] \*\*\S.*\.\*\*$/s);
    expect(rest, code).toEqual([]);
  }
});
