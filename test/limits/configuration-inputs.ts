import { LIMITS } from '@repoless/contract/limits.ts';
import { part, seen } from '../faults/hostile-configurations.ts';
import { list, many } from '../faults/hostile-world.ts';
import type { HostileWorld } from '../faults/hostile-world.ts';
import { at } from './limit-input.ts';
import type { LimitInput } from './limit-input.ts';

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
const patterns = (begin: string) =>
  many(LIMITS.headerPatterns, (index) => [{ key: 'x-a', value: `${index}` }], `${begin.padEnd(LIMITS.headerPatternLength - 4, 'a')}`);

/** Changes what is there already: checked, compared, stored as a version, and told as a difference. */
const changed = (before: unknown, after: unknown) => async (world: HostileWorld) => [
  ...(await part('public', before)(world)),
  ...(await part('public', after, '?dryRun=true')(world)),
  ...(await part('public', after)(world)),
  await statusOf(world.call('GET', '/config/wknd/sites/odd/versions/1...2.json')),
];

export const CONFIGURATION_INPUTS: readonly LimitInput[] = [
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
  at(['bodyValues', 'toldErrors'], {
    name: '5,990 mappings of one path, each a mistake',
    run: part('public', { paths: { mappings: list(VALUES, () => '/content/a/:/p/') } }),
  }),
  at(['bodyValues', 'toldErrors'], {
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
  at(['BODY_LIMIT'], { name: 'numbers of 1 MB, more than are taken', run: part('public', `{"a":[${'1,'.repeat(BODY / 2)}1]}`) }),
  at(['bodyDepth'], {
    name: '100 lists of 60 levels',
    run: part(
      'public',
      many(95, () => JSON.parse(`${'['.repeat(60)}${']'.repeat(60)}`)),
    ),
  }),
  at(
    ['documentValues', 'documentBytes'],
    {
      name: 'a document of nearly the most values, changed in one of them',
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
    name: '60 patterns of 16,000 characters of headers, then a page that all fit',
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
