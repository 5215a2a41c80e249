import { Lexer } from 'yaml';
import { expect, it } from 'vitest';
import { LIMITS } from '@repoless/contract/limits.ts';
import { composeSiteYaml } from '@repoless/service/composition/site-yaml.ts';
import { longestBlock } from '../support/loop-delay.ts';
import { largeAnchoredQuery, largeQuery } from '../support/site-yaml-variants.ts';

const siteYaml = composeSiteYaml();
const siteYamlProblem = (name: 'query' | 'sitemap', text: string) => siteYaml('wknd', name, text);
const tokensOf = (text: string) => [...new Lexer().lex(text)].length;
const property = '{ selectFirst: h1, value: textContent(el) }';
const index = (more: string) => `indices:\n  a:\n    properties:\n      title: ${property}\n${more}`;
const language = (more: string) => `sitemaps:\n  a:\n    languages:\n      de: { destination: /s.xml, hreflang: ${more} }\n`;

it.each([
  ['nothing', ''],
  ['a comment', '# later'],
  ['an index without its own rules', index('')],
  [
    'an index with all its members',
    index('    source: markdown\n    fetch: https://{repo}/{path}\n    target: ../a?b=c\n    include: []\n'),
  ],
  ['queries', index('    queries:\n      all: { query: [a, b], hitsPerPage: 5, cache: 60, parameters: [q], filters: x }\n')],
  ['unknown members', index('    more: 1\nversion: 3\n')],
  ['JSON', `{"indices":{"a":{"properties":{"title":{"select":"h1","values":"x","faceted":true}}}}}`],
])('query.yaml may contain %s', async (_, text) => {
  expect(await siteYamlProblem('query', text)).toBeUndefined();
});

it.each(['d', 'de_CH', '[de, 5]', 'i-foo'])('sitemap.yaml may not say the language %s', async (text) => {
  expect(await siteYamlProblem('sitemap', language(text))).toMatch(/^sitemaps\.a\.languages\.de\.hreflang is not valid: Write a language/);
});

it.each([
  ['query', 'a: &a [1]\nb:\n  <<: *a\n', 'It has "<<" with a value that is not an object.'],
  ['query', 'a: *nothing', 'It has an alias "*" without an anchor "&" before it.'],
  ['query', '- a', 'The file is not valid: Write an object.'],
  [
    'query',
    index('    target: /ä.json\n'),
    'indices.a.target is not valid: Write an address or a path such as /query-index.json. Encode other characters: %C3%A4 for ä, %5B for [.',
  ],
  ['query', index('    include: { a: b }\n'), 'indices.a.include is not valid: Write a text or a list of texts.'],
  ['query', 'indices: &a\n  <<: *a\n', 'It has a value that contains itself.'],
  ['sitemap', 'sitemaps:\n  a: 5', 'sitemaps.a is not valid: Write an object.'],
] as const)('%s.yaml as %j is refused with the reason', async (name, text, problem) => {
  expect(await siteYamlProblem(name, text)).toBe(problem);
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
  ['a wide object that is merged repeatedly', `a: &a {${lines(400, (at) => `k${at}: v,`)}}\n${lines(90, (at) => `b${at}: {<<: *a}`)}`],
  ['300 invalid properties', `indices:\n  a:\n    properties:\n${lines(300, (at) => `      p${at}: { select: h1 }`)}`],
  ['a language of 60,000 characters', language('a-'.repeat(30_000))],
  ['an address of 60,000 characters', index(`    fetch: "${'{a'.repeat(30_000)}"\n`)],
  ['700 levels by indentation', lines(700, (at) => `${' '.repeat(at)}a:`)],
  ['an index and 57,000 tokens', `${index('')}b: [${'a,'.repeat(19_000)}]`],
])('%s is read or refused without blocking the event loop', async (_, text) => {
  const blocked = await longestBlock(async () => {
    for (const name of ['query', 'sitemap'] as const) await siteYamlProblem(name, text);
  });
  expect(blocked).toBeLessThan(50);
});

it('A file that expands beyond what can be read is refused when its thread ends', { timeout: LIMITS.siteYamlTime * 6 }, async () => {
  let problem: string | undefined;
  const blocked = await longestBlock(async () => {
    problem = await siteYamlProblem('query', levels(true));
  });
  expect(problem).toMatch(/^It takes too long, or too much memory, to be read\./);
  expect(blocked).toBeLessThan(50);
});

it.each([
  ['27 kB, 5,300 tokens', largeQuery(12, 20), [24_000, 5300]],
  ['50 kB, 10,000 tokens', largeQuery(16, 28), [46_000, 10_000]],
  ['104 kB, 23,000 tokens, shared by anchors', largeAnchoredQuery(118, 8), [100_000, 23_000]],
  ['nearly the maximum', largeQuery(90, 27), [240_000, 54_000]],
])('A real file is read: %s', async (_, text, [length = 0, tokens = 0]) => {
  const found = tokensOf(text);
  expect([text.length >= length, found >= tokens], `${text.length} characters, ${found} tokens`).toEqual([true, true]);
  let problem: string | undefined = 'not read';
  const blocked = await longestBlock(async () => {
    problem = await siteYamlProblem('query', text);
  });
  expect(problem).toBeUndefined();
  expect(blocked).toBeLessThan(50);
});

it('A file is read up to the limits of length and tokens, and refused beyond them', async () => {
  const file = (length: number) => `${index('')}#`.padEnd(length, 'x');
  expect(await siteYamlProblem('query', file(LIMITS.siteYamlLength))).toBeUndefined();
  expect(await siteYamlProblem('query', file(LIMITS.siteYamlLength + 1))).toBe('It has more than 262144 characters.');
  const ofTokens = (count: number) => `${index('')}${'#\n'.repeat(Math.floor((count - tokensOf(index(''))) / 2))}`;
  expect(await siteYamlProblem('query', ofTokens(LIMITS.siteYamlTokens))).toBeUndefined();
  expect(await siteYamlProblem('query', ofTokens(LIMITS.siteYamlTokens + 2))).toBe('It has too many entries.');
});

it('An organization’s concurrent reads are limited and queued, and another organization goes first', async () => {
  const reads = Array.from({ length: LIMITS.siteYamlOfOrg + LIMITS.siteYamlWaiting + 1 }, (_, at) => siteYaml('crowd', 'query', `# ${at}`));
  const settled = Promise.allSettled(reads);
  await expect(reads.at(-1)).rejects.toMatchObject({ code: 'OVERLOADED' });
  // A single organization never occupies all slots.
  expect(LIMITS.siteYamlOfOrg).toBeLessThan(LIMITS.siteYamlAtOnce);
  const order: string[] = [];
  await Promise.all([reads.at(-2)?.then(() => order.push('crowd')), siteYaml('other', 'query', '# other').then(() => order.push('other'))]);
  expect(order).toEqual(['other', 'crowd']);
  expect((await settled).filter(({ status }) => status === 'rejected')).toHaveLength(1);
});
