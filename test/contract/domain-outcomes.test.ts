import { readdir, readFile } from 'node:fs/promises';
import { STATUS_CODES } from 'node:http';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../../backend');
/** The folders with the rules. */
const RULES = ['access', 'changes', 'domain', 'history', 'orgs', 'owners', 'profiles', 'secrets', 'sessions', 'sites', 'code/rules'];

/** Only HTTP uses statuses: the domain returns the outcome of a call, which backend/http/answer.ts and contract/errors.ts turn into one. */
test('the domain names no HTTP status', async () => {
  const names = await Promise.all(RULES.map(async (folder) => (await readdir(join(ROOT, folder))).map((name) => join(folder, name))));
  const files = names.flat().filter((file) => file.endsWith('.ts'));
  expect(files.length).toBeGreaterThan(50);
  for (const file of files) expect(statusesIn(await readFile(join(ROOT, file), 'utf8')), file).toEqual([]);
});

test.each([
  ['return { status: 201, body };', ['201']],
  ['const status = isNew ? 201 : 200;', ['201', '200']],
  ['if (answer === 204) return;', ['204']],
  ['const CREATED_STATUS = 201;', ['201']],
])('a planted status is found: %s', (line, found) => {
  expect(statusesIn(`/** 404 is no number of the code. */\n${line}\n// 500 neither\nconst LONGEST = 200;\nsay('404');\n`)).toEqual(found);
});

/** Numbers in code that are statuses, except named lengths and counts. */
function statusesIn(text: string): string[] {
  const code = text
    .replaceAll(/\/\*.*?\*\/|\/\/.*$|'[^'\n]*'|`[^`]*`|\/[^/\n ]+\/[a-z]*/gms, '')
    .replaceAll(/^const (?![A-Z_]*STATUS)[A-Z_]+ = [\d_]+;$/gm, '');
  return (code.match(/(?<![\w.])[2-5]\d\d(?![\w.])/g) ?? []).filter((number) => number in STATUS_CODES);
}
