import { expect, it } from 'vitest';
import { LIMITS } from '#contract/limits.ts';
import { siteYamlProblem } from '#legacy/site-yaml.ts';
import { longestStandstill } from '../support/loop-delay.ts';

const property = '{ selectFirst: h1, value: textContent(el) }';
const index = (more: string) => `indices:\n  a:\n    properties:\n      title: ${property}\n${more}`;
const language = (more: string) => `sitemaps:\n  a:\n    languages:\n      de: { destination: /s.xml, hreflang: ${more} }\n`;

it.each([
  ['nothing', ''],
  ['a comment', '# later'],
  ['an index without rules of its own', index('')],
  [
    'an index with all its members',
    index('    source: markdown\n    fetch: https://{repo}/{path}\n    target: ../a?b=c\n    include: []\n'),
  ],
  ['queries', index('    queries:\n      all: { query: [a, b], hitsPerPage: 5, cache: 60, parameters: [q], filters: x }\n')],
  ['members that nobody knows', index('    more: 1\nversion: 3\n')],
  ['JSON', `{"indices":{"a":{"properties":{"title":{"select":"h1","values":"x","faceted":true}}}}}`],
])('query.yaml may hold %s', (_, text) => {
  expect(siteYamlProblem('query', text)).toBeUndefined();
});

it.each(['de', 'de-CH', 'x-default', '[de, de-AT]', 'zh-Hant-TW', 'sl-rozaj-biske', 'en-US-u-islamcal', 'i-klingon', 'es-419', 'de-1996'])(
  'sitemap.yaml may say the language %s',
  (text) => {
    expect(siteYamlProblem('sitemap', language(text))).toBeUndefined();
  },
);

it.each(['german language', 'd', '""', 'de_CH', '[de, 5]', 'de--CH', 'x'])('sitemap.yaml may not say the language %s', (text) => {
  expect(siteYamlProblem('sitemap', language(text))).toMatch(/^sitemaps\.a\.languages\.de\.hreflang/);
});

it.each([
  ['query', 'a: &a [1]\nb:\n  <<: *a\n', 'It has "<<" with a value that is not an object.'],
  ['query', 'a: *nothing', 'It has an alias "*" without an anchor "&" before it.'],
  ['query', '- a', 'The file is not valid: Write an object.'],
  ['sitemap', 'index: /sitemap.xml', 'index is not valid: Write a list of strings.'],
  ['sitemap', 'sitemaps:\n  a: 5', 'sitemaps.a is not valid: Write an object.'],
] as const)('%s.yaml as %j is told what is wrong', (name, text, problem) => {
  expect(siteYamlProblem(name, text)).toBe(problem);
});

const lines = (count: number, line: (index: number) => string) => Array.from({ length: count }, (_, at) => line(at)).join('\n');
const levels = (merge: boolean) =>
  lines(12, (at) => {
    if (at === 0) return 'a0: &a0 {k: v}';
    const all = `[${`*a${at - 1}, `.repeat(9)}]`;
    return merge ? `a${at}: &a${at}\n  <<: ${all}` : `a${at}: &a${at} ${all}`;
  });

it.each([
  ['aliases of aliases', levels(false)],
  ['merges of merges', levels(true)],
  ['a wide object that is merged again and again', `a: &a {${lines(400, (at) => `k${at}: v,`)}}\n${lines(90, (at) => `b${at}: {<<: *a}`)}`],
  ['300 properties that are none', `indices:\n  a:\n    properties:\n${lines(300, (at) => `      p${at}: { select: h1 }`)}`],
  ['a language of 60,000 characters', language('a-'.repeat(30_000))],
  ['an address of 60,000 characters', index(`    fetch: "${'{a'.repeat(30_000)}"\n`)],
])('%s is read or told quickly', async (_, text) => {
  const standstill = await longestStandstill(async () => {
    for (const name of ['query', 'sitemap'] as const) {
      siteYamlProblem(name, text);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  });
  expect(standstill).toBeLessThan(200);
});

it('a file of the length that is read is read, and one character more is told', () => {
  const file = (length: number) => `${index('')}#`.padEnd(length, 'x');
  expect(siteYamlProblem('query', file(LIMITS.projectFileLength))).toBeUndefined();
  expect(siteYamlProblem('query', file(LIMITS.projectFileLength + 1))).toMatch(/65,?536/);
});
