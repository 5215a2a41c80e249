import { LIMITS } from '@repoless/contract/limits.ts';
import { entry, MOUNTED, project, source, tree } from '../faults/hostile-sources.ts';
import { page } from '../faults/hostile-pages.ts';
import { list } from '../faults/hostile-world.ts';
import { at } from './limit-input.ts';
import type { LimitInput } from './limit-input.ts';

const HTML = { 'content-type': 'text/html' };
const html = (text: string) => {
  const whole = `<main>${text.repeat(Math.floor((LIMITS.pageSize - 20) / Buffer.byteLength(text)))}</main>`;
  return page(`10 MB of ${text.slice(0, 10)}`, (response) => response.writeHead(200, HTML).end(whole));
};
const FILES = 49_900;
const RULES = ['ignoreRules', 'ignoreRuleLength', 'ignoreLength', 'ignoreWildcards'];
const rules = (rule: (index: number) => string) => list(LIMITS.ignoreRules - 1, rule).join('\n');
/** Paths of all the characters of a branch, in no order. */
const widest = tree(list(FILES, (index) => entry(`${'p'.repeat(150)}/${(index * 7919) % FILES}`)));
const deepest = tree(list(20, (index) => entry(`${'a/'.repeat(490)}${index}`)));

/** What a content source, a repository or a project may answer. */
export const SOURCE_INPUTS: readonly LimitInput[] = [
  ...['<div>', '<main></main>', '<', 'é', '<a b="c">'].map((text) => at(['pageSize'], html(text))),
  at(['treeAnswer', 'CODE_FILE_COUNT_LIMIT', 'codePaths'], source(`${FILES} files and 8 MB of paths`, { tree: widest })),
  at(['treeAnswer', 'CODE_FILE_COUNT_LIMIT', 'codePaths'], {
    name: 'a file of that branch is read',
    alsoRight: [404],
    run: async (world) => [(await world.visit('external', `/${'p'.repeat(150)}/7`)).status],
  }),
  at(
    ['codePath', 'codePaths'],
    source('7,900 paths of 1,000 characters', { tree: tree(list(7900, (index) => entry(`${index}`.padEnd(1000, 'p')))) }),
  ),
  at(['treeAnswer'], source('a list of 60 MB of spaces', { tree: `{"tree":[${' '.repeat(60_000_000)}]}` })),
  at(
    ['branchAnswer'],
    source('a branch of 1 MB', { branch: JSON.stringify({ commit: { sha: 'a'.repeat(40) }, note: 'x'.repeat(1_000_000) }) }),
  ),
  at(RULES, source('999 rules of double stars on folders in 490 others', { rules: rules((index) => `**/a/**/b${index}`), tree: deepest })),
  at(RULES, source('999 rules of five stars on folders in 490 others', { rules: rules((index) => `*a*a*a*a*b${index}`), tree: deepest })),
  at(RULES, source(`999 rules of five stars on ${FILES} files`, { rules: rules((index) => `*p*p*p*p*b${index}`), tree: widest })),
  at(RULES, source('999 rules of 95 characters that fit nothing', { rules: rules((index) => `${'a'.repeat(92)}${index}`), tree: widest })),
  at(['projectFileTokens'], project('merge keys', `a: &a {b: c}\nd: {${'<<: *a, '.repeat(500)}}`)),
  at(
    ['projectFileTokens'],
    project('1,250 mappings', MOUNTED, JSON.stringify({ mappings: list(1250, (index) => `/content/a${index}/:/p${index}/`) })),
  ),
  at(['projectFileTokens'], project('1,500 aliases', `a: &a x\nb: [${'*a,'.repeat(1500)}]`)),
  at(['projectFileLength'], project('65,000 characters in one text', `a: "${list(1000, () => 'x'.repeat(62)).join('\n  ')}"`)),
  at(
    ['projectFileDepth'],
    project('40 levels', list(39, (index) => `${' '.repeat(index)}a:\n${' '.repeat(index + 1)}b: ${'x '.repeat(20)}`).join('\n')),
  ),
];
