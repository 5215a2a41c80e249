import { beforeAll, expect, it } from 'vitest';
import { LIMITS } from '@repoless/contract/limits.ts';
import { startCodeWorld } from '../support/code-world.ts';
import { longestBlock } from '../support/loop-delay.ts';
import { sharedTrees, type SharedTrees } from '../support/shared-trees.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

let trees: SharedTrees;
const world = startBeforeAll(() => startCodeWorld({ orgs: ['wknd', 'other'], settings: { CODE_FILE_COUNT_LIMIT: '30000' } }));
beforeAll(async () => {
  trees = sharedTrees(world.clone);
  await world.register('hostile');
  await world.register('other/bystander', { public: { title: 'fine' } });
});

/** Syncs while a caller of another organization keeps reading. Returns the job's error, and the longest blocking of the event loop. */
async function syncBesideOthers(branch: string): Promise<{ error: string | undefined; blocked: number }> {
  const ended = { value: false };
  let error: string | undefined;
  const others = async () => {
    while (!ended.value) {
      const answer = await world.backend.visit('live', 'main--bystander--other', '/config.json');
      expect(answer.status).toBe(200);
    }
  };
  const blocked = await longestBlock(async () => {
    const reading = others();
    try {
      ({ error } = await world.sync('hostile', branch));
    } finally {
      ended.value = true;
    }
    await reading;
  });
  return { error, blocked };
}

it('ignore rules with many stars are evaluated without blocking others', async () => {
  const rules = [`${'*a'.repeat(19)}b`, `${'**/'.repeat(60)}b`, '*[a-z]'.repeat(40)].join('\n');
  await world.clone.push({ '.hlxignore': rules, [`${'a'.repeat(200)}.txt`]: 'kept' }, 'stars');
  const { error, blocked } = await syncBesideOthers('stars');
  expect(error).toBeUndefined();
  expect(blocked).toBeLessThan(200);
});

it.each([
  [
    'too many rules',
    Array.from({ length: LIMITS.ignoreRules + 1 }, (_, index) => `/x${index}`).join('\n'),
    '.hlxignore has more than 1000 lines.',
  ],
  ['too large a file', '\n'.repeat(400_001), '.hlxignore has more than 100000 characters.'],
  ['one character too many', 'x'.repeat(LIMITS.ignoreLength + 1), '.hlxignore has more than 100000 characters.'],
  ['too many wildcards', `${'*a'.repeat(500)}\n`.repeat(LIMITS.ignoreWildcards / 500) + '*', '.hlxignore has more than 5000 wildcards.'],
  ['only line breaks', '\n'.repeat(100_000), '.hlxignore has more than 1000 lines.'],
  ['too long a rule', `ok\n${'x'.repeat(LIMITS.ignoreRuleLength + 1)}`, 'Line 2 of .hlxignore is longer than 1000 characters.'],
])('the sync fails with a message if .hlxignore has %s', async (_, rules, message) => {
  await world.clone.push({ '.hlxignore': rules }, 'rules');
  expect((await world.sync('hostile', 'rules')).error).toContain(message);
});

it('the maximum of rules, characters and wildcards is read without blocking others', async () => {
  const stars = Array.from({ length: 5 }, (_, index) => `${'*a'.repeat(499)}*${index}`);
  const long = Array.from({ length: 90 }, (_, index) => `/${index}`.padEnd(1000, 'x'));
  const rules = [...stars, ...long, ...Array.from({ length: 904 }, () => '')].join('\n');
  const text = `${rules}${Array.from({ length: 2500 }, () => '*').join('')}`.padEnd(100_000, 'x').slice(0, 100_000);
  await world.clone.push({ '.hlxignore': text.replace(/.*$/, (line) => line.slice(0, 1000)) }, 'most-rules');
  const { error, blocked } = await syncBesideOthers('most-rules');
  expect(error).toBeUndefined();
  expect(blocked).toBeLessThan(200);
});

it('a repository of 10,000,000,000 files by shared folders is refused without blocking others', async () => {
  await trees.pushTree('bomb', 10);
  const { error, blocked } = await syncBesideOthers('bomb');
  expect(error).toBe(
    'The branch has more than 30000 files, which is the limit here. Remove files from the branch, or ask the operator for a higher limit.',
  );
  expect(blocked).toBeLessThan(200);
});

it('as many files as the limit allows are synced without blocking others, and one more is refused', async () => {
  await trees.pushFiles('limit', 30_000);
  const { error, blocked } = await syncBesideOthers('limit');
  expect(error).toBeUndefined();
  expect(blocked).toBeLessThan(200);
  await trees.pushFiles('over', 30_001);
  expect((await world.sync('hostile', 'over')).error).toContain('more than 30000 files');
});

it('paths of LIMITS.codePath characters are synced, and one character more is refused', async () => {
  await trees.pushPaths('paths', ['p'.repeat(LIMITS.codePath)]);
  expect((await world.sync('hostile', 'paths')).error).toBeUndefined();
  await trees.pushPaths('long-path', ['p'.repeat(LIMITS.codePath + 1)]);
  expect((await world.sync('hostile', 'long-path')).error).toBe('A path of the repository has more than 1000 characters. Shorten it.');
});
