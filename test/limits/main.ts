import { LIMITS } from '@repoless/contract/limits.ts';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { part, seen } from '../faults/hostile-configurations.ts';
import { page } from '../faults/hostile-pages.ts';
import { entry, MOUNTED, project, source, tree } from '../faults/hostile-sources.ts';
import { type HostileWorld, list, many, type Observed, startHostileWorld } from '../faults/hostile-world.ts';
import { buildBackend } from '../support/child-backend.ts';
import { observeFunctions } from './function-inputs.ts';
import { at, type LimitInput, REQUEST_INPUTS, WEBHOOK_SECRET } from './request-inputs.ts';

const HTML = { 'content-type': 'text/html' };
const html = (text: string) => {
  const whole = `<main>${text.repeat(Math.floor((LIMITS.pageSize - 20) / Buffer.byteLength(text)))}</main>`;
  return page(`10 MB of ${text.slice(0, 10)}`, (response) => response.writeHead(200, HTML).end(whole));
};
const FILES = 49_900;
const RULES = ['ignoreRules', 'ignoreRuleLength', 'ignoreLength', 'ignoreWildcards'];
const rules = (rule: (index: number) => string) => list(LIMITS.ignoreRules - 1, rule).join('\n');
/** Unsorted paths with the maximum of characters of a branch. */
const widest = tree(list(FILES, (index) => entry(`${'p'.repeat(150)}/${(index * 7919) % FILES}`)));
const deepest = tree(list(20, (index) => entry(`${'a/'.repeat(490)}${index}`)));

/** Answers of a content source, repository or project at a limit. */
const SOURCE_INPUTS: readonly LimitInput[] = [
  ...['<div>', '<main></main>', '<', 'é', '<a b="c">'].map((text) => at(['pageSize'], html(text))),
  at(['treeAnswer', 'CODE_FILE_COUNT_LIMIT', 'codePaths'], source(`${FILES} files and 8 MB of paths`, { tree: widest })),
  at(['treeAnswer', 'CODE_FILE_COUNT_LIMIT', 'codePaths'], {
    name: 'a file of that branch is read',
    alsoCorrect: [404],
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
  at(
    RULES,
    source('999 rules of 95 characters that match nothing', { rules: rules((index) => `${'a'.repeat(92)}${index}`), tree: widest }),
  ),
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

const VALUES = LIMITS.bodyValues - 10;
const BODY = 1_040_000;
const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status;
const set = (world: HostileWorld, path: string, body: unknown) => statusOf(world.call('POST', path, { body }));

/** A document of the most values and bytes, in two parts. */
async function largest(world: HostileWorld): Promise<void> {
  await world.put('largest', {
    public: { ...many(3900, (index) => index), text: 'x'.repeat(500_000) },
    metadata: { source: list(100, (index) => `/${'m'.repeat(1900)}${index}`) },
  });
  const members = list(2900, (index) => ({ email: `person-${index}@example.com` }));
  await set(world, '/config/wknd/sites/largest/groups/people.json', { members });
}

const deep = (value: number) =>
  list(5, (level) => `${level}`.repeat(LIMITS.bodyNameLength)).reduce<unknown>(
    (below, name) => ({ [name]: below }),
    many(5900, () => value),
  );
const lists = (value: number) => many(110, (one) => list(50, (other) => value + one * other));
const patterns = (prefix: string) =>
  many(LIMITS.headerPatterns, (index) => [{ key: 'x-a', value: `${index}` }], `${prefix.padEnd(LIMITS.headerPatternLength - 4, 'a')}`);

/** Changes an existing document, which is checked, compared, stored as a version, and reported as a difference. */
const changed = (before: unknown, after: unknown) => async (world: HostileWorld) => [
  ...(await part('public', before)(world)),
  ...(await part('public', after, '?dryRun=true')(world)),
  ...(await part('public', after)(world)),
  await statusOf(world.call('GET', '/config/wknd/sites/odd/versions/1...2.json')),
];

const CONFIGURATION_INPUTS: readonly LimitInput[] = [
  at(['bodyValues'], {
    name: '5,990 numbers in `public`',
    run: part(
      'public',
      many(VALUES, (index) => index),
    ),
  }),
  at(['bodyValues', 'pathLength'], {
    name: '5,990 mappings, then a page',
    run: seen('public', { paths: { mappings: list(VALUES, (index) => `/content/a${index}/:/p${index}/`) } }, '/p5989/x'),
  }),
  at(['bodyValues', 'reportedErrors'], {
    name: '5,990 mappings of one path, each invalid',
    run: part('public', { paths: { mappings: list(VALUES, () => '/content/a/:/p/') } }),
  }),
  at(['bodyValues', 'reportedErrors'], {
    name: '1,190 plugins of the sidekick, each wrong four times',
    run: part('sidekick', { plugins: list(1190, () => ({ id: 1, title: 1, url: 1, badgeVariant: 'x' })) }),
  }),
  at(['bodyValues'], {
    name: '5,900 numbers that change, and their difference',
    run: changed(
      many(5900, (index) => index),
      many(5900, (index) => index + 1),
    ),
  }),
  at(['bodyValues'], {
    name: '110 lists of 50 numbers that change, and their difference',
    run: changed(lists(0), lists(7)),
  }),
  at(['bodyValues', 'bodyNameLength'], {
    name: '5,900 values below five names of 1,000 characters that change',
    run: changed(deep(1), deep(2)),
  }),
  at(['BODY_LIMIT'], { name: 'a text of 1 MB', run: part('public', { a: 'x'.repeat(BODY) }) }),
  at(['BODY_LIMIT'], { name: '1 MB of escapes', run: part('public', `{"a":"${'\\u0041'.repeat(BODY / 6)}"}`) }),
  at(['BODY_LIMIT'], { name: '1 MB of numbers, more than are accepted', run: part('public', `{"a":[${'1,'.repeat(BODY / 2)}1]}`) }),
  at(['bodyDepth'], {
    name: '95 lists of 60 levels',
    run: part(
      'public',
      many(95, () => JSON.parse(`${'['.repeat(60)}${']'.repeat(60)}`)),
    ),
  }),
  at(
    ['documentValues', 'documentBytes'],
    {
      name: 'a document of almost the maximum of values, changed in one of them',
      run: async (world) => [
        await set(world, '/config/wknd/sites/largest/groups/one.json', { members: [{ email: 'one@example.com' }] }),
        await set(world, '/config/wknd/sites/largest/groups/one.json?dryRun=true', { members: [{ email: 'two@example.com' }] }),
        await statusOf(world.call('GET', '/config/wknd/sites/largest.json')),
        await statusOf(world.visit('largest', '/config.json')),
      ],
    },
    largest,
  ),
  at(['groupDepth'], {
    name: '10 levels of groups and 2,900 members',
    run: async (world) => [
      (
        await world.put('grouped', {
          groups: {
            ...many(9, (index) => ({ members: [{ email: `groups/g${index + 1}` }] }), 'g'),
            g9: { members: list(2900, (index) => ({ email: `a${index}@example.com` })) },
          },
        })
      ).status,
    ],
  }),
  at(['headerPatterns', 'headerPatternLength', 'headerPatternStars', 'pagePath'], {
    name: '200 patterns with ten stars, then a page of 2,000 characters',
    run: seen('headers', patterns(`/${'a*'.repeat(9)}`), `/${'a'.repeat(LIMITS.pagePath - 1)}`),
  }),
  at(['headerPatterns', 'headerPatternStars', 'pagePath'], {
    name: '200 patterns with ten double stars, then a page of 2,000 characters',
    run: seen('headers', patterns(`/${'**a'.repeat(9)}`), `/${'a'.repeat(LIMITS.pagePath - 1)}`),
  }),
  at(['headersLength', 'headersSent'], {
    name: '60 patterns of 16,000 characters of headers, then a page that all match',
    run: seen(
      'headers',
      many(60, (index) => ['a', 'b'].map((name) => ({ key: `x-${name}-${index}`, value: 'v'.repeat(8000) })), '/**'),
      '/x',
    ),
  }),
  at(['pathLength'], {
    name: '500 mappings of 2,000 characters, then a page',
    run: seen('public', { paths: { mappings: list(500, (index) => `/content/${'a/'.repeat(970)}${index}/:/p${index}/`) } }, '/p499/x'),
  }),
  at(['pathLength', 'bodyValues'], {
    name: '5,900 folders, then a page',
    run: seen(
      'folders',
      many(5900, (index) => `/target-${index}`, '/f'),
      '/f5899/x',
    ),
  }),
  at(['addressLength', 'foreignName', 'textLength'], {
    name: 'an address of 2,000 characters, a title and identifiers of 10,000',
    run: part('content', {
      title: 't'.repeat(LIMITS.textLength),
      source: { type: 'google', url: `https://drive.google.com/${'x'.repeat(1900)}`, id: 'i'.repeat(LIMITS.textLength) },
    }),
  }),
];

/** `npm run bench:limits [-- --only <text>] [-- --rounds <number>]`: the cost of each limit's input, as a Markdown table. */
const { values } = parseArgs({ options: { only: { type: 'string', default: '' }, rounds: { type: 'string', default: '3' } } });
const rounds = Number(values.rounds);
const BOUND = 50;

print(`${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} processors, Node ${process.versions.node}; the median of ${rounds} rounds\n`);
print('| Limits | Input | Longest block, processor ms | The same, elapsed ms | Total ms | Answers |');
print('| --- | --- | --- | --- | --- | --- |');
await buildBackend();
let over = 0;
for (const inputs of [CONFIGURATION_INPUTS, REQUEST_INPUTS, SOURCE_INPUTS]) {
  const chosen = inputs.filter(({ name, limits }) => `${name} ${limits.join(' ')}`.includes(values.only));
  if (chosen.length > 0) await observeInProgram(chosen);
}
for (const { name, limits, ...seen } of await observeFunctions(rounds, values.only)) show(limits, name, seen, []);
print(`\n${over === 0 ? 'None is' : `${over} are`} over ${BOUND} ms.`);
process.exitCode = over === 0 ? 0 : 1;

async function observeInProgram(inputs: readonly LimitInput[]): Promise<void> {
  const world = await startHostileWorld({ CODE_LISTING_TIME: '5', GITHUB_WEBHOOK_SECRET: WEBHOOK_SECRET });
  try {
    for (const input of inputs) {
      await input.prepare?.(world);
      const seen: Observed[] = [];
      for (let round = 0; round < rounds; round += 1) seen.push(await world.observe(input));
      const middle = (figure: (one: Observed) => number) => seen.map(figure).sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
      const found = { blocked: middle((one) => one.blocked), delay: middle((one) => one.delay), whole: middle((one) => one.whole) };
      show(input.limits, input.name, found, [...new Set(seen.flatMap(({ statuses }) => statuses))]);
    }
  } finally {
    await world.stop();
  }
}

function show(
  limits: readonly string[],
  name: string,
  { blocked, delay, whole }: Pick<Observed, 'blocked' | 'delay' | 'whole'>,
  statuses: readonly number[],
): void {
  if (blocked > BOUND) over += 1;
  const mark = blocked > BOUND ? '**' : '';
  print(
    `| ${limits.map((limit) => `\`${limit}\``).join(', ')} | ${name} | ${mark}${blocked}${mark} | ${delay} | ${whole} | ${statuses.join(', ')} |`,
  );
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
