import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const MODULES = ['backend', 'contract', 'extension', 'legacy', 'sandbox', 'test'];
const PAGES = ['docs/contract.md', 'docs/design-facts.md'];

it.each(PAGES)('cites of %s only rules that it has, and every rule that it has', async (page) => {
  const headings = [...(await readFile(new URL(page, ROOT), 'utf8')).matchAll(/^### (\d+\.\d+) \S/gm)];
  const rules = headings.map(([, number = '']) => number);
  const cited = [...(await readSources())].flatMap(([file, text]) => citations(text, page).map((number) => ({ file, number })));
  expect(new Set(rules).size).toBe(rules.length);
  expect(cited.filter(({ number }) => !rules.includes(number))).toEqual([]);
  expect(rules.filter((rule) => !cited.some(({ number }) => number === rule))).toEqual([]);
});

it('cites no page that is not part of the project', async () => {
  const outside: string[] = [];
  for (const [file, text] of await readSources()) {
    const found = OUTSIDE.exec(text)?.[0];
    if (found !== undefined && file !== 'test/docs/cited-rules.test.ts') outside.push(`${file}: ${found}`);
  }
  expect(outside).toEqual([]);
});

it('numbers the rules of a section one after the other', async () => {
  for (const page of PAGES) {
    const numbers = [...(await readFile(new URL(page, ROOT), 'utf8')).matchAll(/^#{2,3} (\d+)(?:\.(\d+))?\.? /gm)];
    let section = 0;
    let rule = 0;
    for (const [heading, first, second] of numbers) {
      if (second === undefined) rule = 0;
      section += second === undefined ? 1 : 0;
      rule += second === undefined ? 0 : 1;
      expect(heading.trim()).toBe(second === undefined ? `## ${section}.` : `### ${section}.${rule}`);
      expect(first).toBe(String(section));
    }
    expect(section).toBeGreaterThan(3);
  }
});

const OUTSIDE =
  /service[ -]contract,|seed design|authoring-system facts|users-jobs|(?:call|rule) \d+ of the design|\.\.\/shared\/[\w-]+\.md/i;

/** Numbers that a text names behind the page, over the end of a line of a comment too. */
function citations(text: string, page: string): string[] {
  const joined = text.replaceAll(/\n\s*(?:\*|\/\/) /g, ' ');
  return [...joined.matchAll(new RegExp(`${page.replace('.', '\\.')} (\\d+\\.\\d+)(?: to (\\d+\\.\\d+))?`, 'g'))].flatMap(
    ([, from = '', to]) => (to === undefined ? [from] : [from, to]),
  );
}

/** The text of every source file of the project, by its path. */
async function readSources(): Promise<Map<string, string>> {
  const paths = await Promise.all(
    MODULES.map(async (module) =>
      (await readdir(new URL(`${module}/`, ROOT), { recursive: true }))
        .filter((file) => /\.(?:ts|tsx|mjs)$/.test(file))
        .map((file) => `${module}/${file}`),
    ),
  );
  const texts = await Promise.all(paths.flat().map(async (path) => [path, await readFile(new URL(path, ROOT), 'utf8')] as const));
  return new Map(texts);
}
