import { expect, it } from 'vitest';
import { Lexer } from 'yaml';
import { LIMITS } from '@repoless/contract/limits.ts';
import { readFstab } from '@repoless/core/legacy/read-fstab.ts';
import { readPaths } from '@repoless/core/legacy/read-paths.ts';
import { longestBlock } from '../support/loop-delay.ts';
import * as library from '@adobe/helix-shared-config';

const aliases = Array.from({ length: 12 }, (_, index) => `a${index}: &a${index} [${`*a${index - 1},`.repeat(index === 0 ? 0 : 9)}x]`);
const merges = Array.from(
  { length: 12 },
  (_, index) =>
    `a${index}: &a${index}\n  ${index === 0 ? 'k: v' : `<<: [${Array.from({ length: 9 }, () => `*a${index - 1}`).join(', ')}]`}`,
);
const keys = (count: number) => Array.from({ length: count }, (_, index) => `k${index}: v`).join('\n');

it.each([
  ['3,000 brackets', '['.repeat(3000), 'It is nested more than 40 levels deep.'],
  ['20,000 brackets', '['.repeat(20_000), 'It is nested more than 40 levels deep.'],
  ['closed brackets', `${'['.repeat(3000)}${']'.repeat(3000)}`, 'It is nested more than 40 levels deep.'],
  ['lists in one line', '- '.repeat(20_000), 'It is nested more than 40 levels deep.'],
  ['keys of keys in one line', '? '.repeat(20_000), 'It is nested more than 40 levels deep.'],
  [
    'one level too many',
    `${'['.repeat(LIMITS.projectFileDepth + 1)}${']'.repeat(LIMITS.projectFileDepth + 1)}`,
    'It is nested more than 40 levels deep.',
  ],
  ['a flat list of 6,000 keys', keys(6000), 'It has too many entries.'],
  ['an alias bomb', aliases.join('\n'), 'It has too many aliases. Write out their values.'],
  ['a bomb of merges', merges.join('\n'), 'It has too many aliases. Write out their values.'],
  ['a character too many', '#'.padEnd(LIMITS.projectFileLength + 1, 'x'), 'It has more than 65536 characters.'],
])('%s in a project file are reported quickly', async (_, text, detail) => {
  const answers: unknown[] = [];
  const blocked = await longestBlock(async () => {
    for (const read of [readFstab, readPaths]) {
      answers.push(read(text));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  });
  expect(answers).toEqual([{ problem: { kind: 'unparsable', detail } }, { problem: { kind: 'unparsable', detail } }]);
  expect(blocked).toBeLessThan(200);
});

/** A list of this many tokens, as the parser counts them. */
function ofTokens(wanted: number): string {
  const text = (entries: number, spaces: number) =>
    `mountpoints: {"/": "https://drive.google.com/x"}\nx: [${'x,'.repeat(entries)}${'x ,'.repeat(spaces)}]`;
  const count = (entries: number, spaces: number) => [...new Lexer().lex(text(entries, spaces))].length;
  const each = count(1, 0) - count(0, 0);
  const entries = Math.floor((wanted - count(0, 0)) / each);
  // A space is a separate token.
  const spaces = wanted - count(entries, 0);
  return text(entries - spaces, spaces);
}

it('LIMITS.projectFileTokens tokens are read, and one more is reported', () => {
  expect(readFstab(ofTokens(LIMITS.projectFileTokens))).toMatchObject({ source: { type: 'google' } });
  const problem = { kind: 'unparsable', detail: 'It has too many entries.' };
  expect(readFstab(ofTokens(LIMITS.projectFileTokens + 1))).toEqual({ problem });
});

it.each([
  [
    '40 levels',
    `mountpoints: {"/": "https://drive.google.com/x"}\nx: ${'['.repeat(LIMITS.projectFileDepth)}${']'.repeat(LIMITS.projectFileDepth)}`,
  ],
  ['600 keys', `mountpoints: {"/": "https://drive.google.com/x"}\n${keys(600)}`],
  ['an alias', 'mountpoints: {"/": &here "https://drive.google.com/x"}\nagain: *here'],
  ['65,536 characters', 'mountpoints: {"/": "https://drive.google.com/x"}\n#'.padEnd(LIMITS.projectFileLength, 'x')],
])('%s are read', (_, text) => {
  expect(text.length).toBeLessThanOrEqual(LIMITS.projectFileLength);
  expect(readFstab(text)).toMatchObject({ source: { url: 'https://drive.google.com/x', type: 'google' } });
});

it('reads the paths by themselves, and as a part of a configuration', () => {
  const paths = {
    mappings: ['/content/wknd/:/', '/content/wknd/setup:/.helix/config.json'],
    includes: ['/content/wknd/', '/content/dam/'],
  };
  const taken = { contentRoot: '/content/wknd', paths, configurationPage: '/content/wknd/setup', notes: [] };
  expect(readPaths(JSON.stringify(paths))).toMatchObject(taken);
  expect(readPaths(JSON.stringify({ paths }))).toMatchObject(taken);
});

it.each([
  ['a list in a list', { mappings: [['/content/wknd/:/']] }],
  ['a text', { mappings: '/content/wknd/:/' }],
  ['a part that is a list', { paths: ['/content/wknd/:/'], mappings: {} }],
  ['not an object', ['/content/wknd/:/']],
])('reports missing mappings: %s', (_, document) => {
  expect(readPaths(JSON.stringify(document))).toEqual({
    problem: { kind: 'form', detail: 'It has no list "mappings" of strings, neither at the top level nor in "paths".' },
  });
});

/** The mappings of a project, and their meaning: the content root, and lines in other notations. */
it.each<[mappings: string[], root: string | undefined, more?: { includes?: string[]; written?: string }]>([
  [['/content/park/:/'], '/content/park'],
  [['/content/park:/'], '/content/park', { written: '/content/park/:/' }],
  [['/content/park/en:/', '/content/park/en/configuration:/.helix/config.json'], '/content/park/en', { written: '/content/park/en/:/' }],
  [['/content/park/:/', '/content/park/home:/'], '/content/park'],
  [['/content/park/home:/', '/content/park/:/'], '/content/park'],
  [['/content/park/home:/', '/content/park/en/:/en/'], undefined],
  [['/content/park/home:/'], undefined],
  [['/content/park/welcome:/', '/content/park/en/:/en/'], undefined],
  [['/content/park/welcome:/'], undefined, { includes: ['/content/park/'] }],
  [['/content/park/en/:/en/'], undefined],
  [[], undefined],
])('%j has the content root %s', (mappings, root, { includes, written } = {}) => {
  const read = readPaths(JSON.stringify({ mappings, ...(includes === undefined ? {} : { includes }) }));
  expect(read).toMatchObject({ notes: expect.any(Array) });
  if ('problem' in read) return;
  expect(read.contentRoot).toBe(root);
  const own = read.paths.mappings?.slice(0, mappings.length);
  expect(own).toEqual(mappings.map((text) => (written !== undefined && text.endsWith(':/') ? written : text)));
});

it('maps the tree of a given content root before the lines of the project, which take precedence', () => {
  expect(readPaths(JSON.stringify({ mappings: ['/content/park/home:/'] }), '/content/park/')).toMatchObject({
    contentRoot: '/content/park',
    paths: { mappings: ['/content/park/:/', '/content/park/home:/', '/content/park/configuration:/.helix/config.json'] },
  });
});
// Mount points are imported as the public library reads them; if it recognizes no type, the type next to the address counts.

const ADDRESSES = [
  'https://park.sharepoint.com/sites/park/Shared%20Documents/site',
  'https://park.sharepoint.com/sites/park/Shared Documents/site',
  'https://park-my.sharepoint.com/personal/ada/Documents/site/',
  'https://park.sharepoint.com/:f:/s/park/Ek17?e=abc',
  'https://park.sharepoint.com/sites/park?fallbackPath=default.docx',
  'https://park.sharepoint.com/sites/park?a=1&fallbackPath=default.docx&b=2',
  'https://park.sharepoint.com/sites/café',
  'https://1drv.ms/f/s!Ab17',
  'onedrive:/drives/b17/items/017',
  'onedrive:/drives/b17/root:/My Documents',
  'https://drive.google.com/drive/folders/abc17',
  'https://drive.google.com/drive/u/0/folders/abc17',
  'https://drive.google.com/drive/folders/abc17?usp=sharing',
  'gdrive:abc17',
  'gdrive:0AB_17-x',
];
const FORMS: readonly (readonly [form: string, write: (address: string) => string])[] = [
  ['a text', (address) => `mountpoints:\n  /: ${JSON.stringify(address)}\n`],
  ['a plain scalar', (address) => `mountpoints:\n  /: ${address}\n`],
  ['an object', (address) => `mountpoints:\n  /:\n    url: ${JSON.stringify(address)}\n`],
  ['an object of another type', (address) => `mountpoints:\n  "/":\n    url: ${JSON.stringify(address)}\n    type: markup\n`],
  ['an anchor', (address) => `x: &x\n  url: ${JSON.stringify(address)}\nmountpoints:\n  /: *x\n`],
  ['a merge', (address) => `x: &x { url: ${JSON.stringify(address)} }\nmountpoints:\n  /:\n    <<: *x\n`],
];
const CASES = FORMS.flatMap(([form, write]) => ADDRESSES.map((address) => [form, address, write(address)] as const));

it.each(CASES)('as %s, %s is read as the public library reads it', async (_form, _address, text) => {
  const { url, type, id } = await publicMount(text);
  expect(readFstab(text)).toMatchObject({ source: { url, type, ...(type === 'google' ? { id } : {}) } });
});

interface PublicConfig {
  withSource(text: string): this;
  init(): Promise<{ mountpoints: readonly Readonly<Record<string, unknown>>[] }>;
}

/** Its declarations export only a type. */
const { MountConfig } = library as unknown as { MountConfig: new () => PublicConfig };

/** Skips the library's validation, which rejects anchors. */
async function publicMount(text: string): Promise<Readonly<Record<string, unknown>>> {
  const config = new MountConfig().withSource(text);
  Object.assign(config, { validate: async () => true });
  const { mountpoints } = await config.init();
  return mountpoints[0] ?? {};
}
