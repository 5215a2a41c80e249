import { OPERATOR } from '../support/backend.ts';
import { type Hostile, type HostileWorld, list, many } from './hostile-world.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const BIG = 900_000;

/** Sets a part of a site; refusals come before anything is stored. */
export const part =
  (name: string, body: unknown, query = '') =>
  async (world: HostileWorld) => {
    await ready(world);
    const sent = typeof body === 'string' ? body : JSON.stringify(body);
    return [(await world.call('POST', `/config/wknd/sites/odd/${name}.json${query}`, { body: sent, headers: JSON_TYPE })).status];
  };
/** The same, followed by a visit to the site. */
export const seen = (name: string, body: unknown, path: string) => async (world: HostileWorld) => [
  ...(await part(name, body)(world)),
  (await world.visit('odd', path)).status,
];
const whole = (more: Readonly<Record<string, unknown>>) => async (world: HostileWorld) => [(await world.put('whole', more)).status];

async function ready(world: HostileWorld): Promise<void> {
  await world.put('odd', { content: { source: { url: `${world.elsewhere}/pages`, type: 'markup', suffix: '.html' } } });
}

const markup = (url: string) => ({ content: { source: { url, type: 'markup', suffix: '.html' } } });
const nested = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
const cube = (value: number) => list(40, (one) => list(40, (other) => list(2, (third) => value + one * other + third)));

/** Fields of a site by count, length and depth. */
export const HOSTILE_CONFIGURATIONS: readonly Hostile[] = [
  {
    name: 'public: 5,999 keys',
    run: part(
      'public',
      many(5999, (index) => index),
    ),
  },
  {
    name: 'public: 6,001 keys',
    run: part(
      'public',
      many(6001, (index) => index),
    ),
  },
  { name: 'public: 300,000 numbers', run: part('public', `{"a":[${'1,'.repeat(300_000)}1]}`) },
  { name: 'public: a text of 900 kB', run: part('public', { a: 'x'.repeat(BIG) }) },
  { name: 'public: a name of 900 kB', run: part('public', { ['x'.repeat(BIG)]: 1 }) },
  { name: 'public: 900 kB of escapes', run: part('public', `{"a":"${'\\u0041'.repeat(150_000)}"}`) },
  { name: 'public: 60 levels', run: part('public', nested(60)) },
  { name: 'public: 250,000 levels', run: part('public', nested(250_000)) },
  { name: 'public: 500,000 levels that are never closed', run: part('public', '['.repeat(500_000)) },
  { name: 'public: numbers of 900 kB', run: part('public', `{"a":${'9'.repeat(BIG)}}`) },
  { name: 'public: 60,000 times the same key', run: part('public', `{${'"a":1,'.repeat(60_000)}"a":1}`) },
  { name: 'public: the key __proto__', run: part('public', '{"a":{"__proto__":{"b":1}}}') },
  { name: 'public: U+0000', run: part('public', '{"a":"\\u0000"}') },
  { name: 'public: halves of surrogate pairs', run: part('public', '{"\\ud800":"\\udfff"}') },
  { name: 'public: 900 kB of spaces', run: part('public', `{}${' '.repeat(BIG)}`) },
  {
    name: 'a difference of lists of lists of lists',
    run: async (world) => [
      ...(await part('public', { a: cube(0) })(world)),
      (await world.call('POST', '/config/wknd/sites/odd/public.json?dryRun=true', { body: { a: cube(7) } })).status,
      (await world.call('POST', '/config/wknd/sites/odd/public.json', { body: { a: cube(7) } })).status,
      (await world.call('GET', '/config/wknd/sites/odd/versions/1...2.json')).status,
      (await world.call('GET', '/config/wknd/sites/odd/versions/2...3.json')).status,
    ],
  },
  {
    name: 'a difference of 5,900 values below a name of 1,000 characters, 5 deep',
    run: async (world) => {
      const deep = (value: number) =>
        list(5, (level) => `${level}`.repeat(1000)).reduce<unknown>(
          (below, name) => ({ [name]: below }),
          many(5900, () => value),
        );
      return [
        ...(await part('public', deep(1))(world)),
        (await world.call('POST', '/config/wknd/sites/odd/public.json?dryRun=true', { body: deep(2) })).status,
      ];
    },
  },
  {
    name: 'access: 3,000 wrong members of a role with a name of 500 kB',
    run: part('access', { admin: { role: { ['a'.repeat(500_000)]: list(3000, () => '?') } } }),
  },
  {
    name: 'access: 3,000 wrong members of a role with a name of 1,000 characters',
    run: part('access', { admin: { role: { ['a'.repeat(1000)]: list(3000, () => ' ') } } }),
  },
  { name: 'access: members of 900 kB', run: part('access', { admin: { role: { admin: [OPERATOR, 'a@'.repeat(BIG / 2)] } } }) },
  {
    name: 'access: 900 members of 320 characters that are almost valid',
    run: part('access', { admin: { role: { admin: list(900, (index) => `${'a|'.repeat(155)}${index} `) } } }),
  },
  { name: 'access: 5,900 keys', run: part('access/live', { apiKeyId: list(5900, (index) => `k${index}`) }) },
  { name: 'access: 5,900 secrets, then visited', run: seen('access/live', { secretId: list(5900, (index) => `s${index}`) }, '/') },
  {
    name: 'groups: 1,400 groups in a chain',
    run: whole({ groups: many(1400, (index) => ({ members: [{ email: `groups/g${index + 1}` }] }), 'g') }),
  },
  { name: 'groups: a ring', run: whole({ groups: many(500, (index) => ({ members: [{ email: `groups/g${(index + 1) % 500}` }] }), 'g') }) },
  {
    name: 'groups: one of 2,900 members',
    run: whole({ groups: { one: { members: list(2900, (index) => ({ email: `a${index}@example.com` })) } } }),
  },
  {
    name: 'mappings: 5,900, then visited',
    run: seen('public', { paths: { mappings: list(5900, (index) => `/content/a${index}/:/p${index}/`) } }, '/p5899/x'),
  },
  { name: 'mappings: 5,900 on one path', run: part('public', { paths: { mappings: list(5900, () => '/content/a/:/p/') } }) },
  {
    name: 'mappings: one of 900 kB, then visited',
    run: seen('public', { paths: { mappings: [`/content/${'a/'.repeat(BIG / 2)}:/`] } }, '/x'),
  },
  { name: 'mappings: 900 kB of dots', run: part('public', { paths: { mappings: [`/${'./'.repeat(BIG / 2)}:/`] } }) },
  { name: 'mappings: half a surrogate pair, then visited', run: seen('public', { paths: { mappings: ['/content/\ud800/:/'] } }, '/x') },
  {
    name: 'includes: 5,900, then visited',
    run: seen('public', { paths: { includes: list(5900, (index) => `/content/a${index}/`) } }, '/content/a1/x'),
  },
  {
    name: 'folders: 5,900, then visited',
    run: seen(
      'folders',
      many(5900, (index) => `/target-${index}`, '/f'),
      '/f5899/x',
    ),
  },
  { name: 'folders: one of 900 kB, then visited', run: seen('folders', { '/f': `/${'a'.repeat(BIG)}` }, '/f/x') },
  { name: 'folders: a name of 900 kB', run: part('folders', { [`/${'a'.repeat(BIG)}`]: '/x' }) },
  {
    name: 'headers: 201 patterns',
    run: part(
      'headers',
      many(201, () => [{ key: 'a', value: 'b' }], '/'),
    ),
  },
  {
    name: 'headers: 100 of 8,192 characters, then visited',
    run: seen('headers', { '/**': list(100, (index) => ({ key: `x-${index}`, value: 'v'.repeat(8192) })) }, '/x'),
  },
  { name: 'headers: line breaks', run: part('headers', { '/**': [{ key: 'a', value: 'b\r\nset-cookie: c' }] }) },
  { name: 'content: an address of 900 kB', run: whole(markup(`http://example.com/${'a'.repeat(BIG)}`)) },
  {
    name: 'content: an address of 2,000 characters, then visited',
    run: seen('content', markup(`http://127.0.0.1:9/${'a'.repeat(1900)}`).content, '/x'),
    alsoCorrect: [502],
  },
  { name: 'content: 900 kB of percent signs', run: whole(markup(`http://example.com/${'%25'.repeat(BIG / 3)}`)) },
  {
    name: 'content: title and identifiers of 400 kB',
    run: part('content', {
      title: 't'.repeat(400_000),
      source: { type: 'google', url: 'https://drive.google.com/x', id: 'i'.repeat(400_000) },
    }),
  },
  { name: 'code: an owner of 900 kB', run: part('code', { owner: 'o'.repeat(BIG), repo: 'r' }) },
  {
    name: 'code: addresses of 400 kB',
    run: part('code', {
      owner: 'o',
      repo: 'r',
      source: {
        type: 'byogit',
        url: `https://a.example/${'a'.repeat(400_000)}`,
        raw_url: `https://a.example/${'a'.repeat(400_000)}`,
        secretId: 'cm-byog',
      },
    }),
  },
  { name: 'code: 5,900 further members', run: part('code', { owner: 'wknd', repo: 'wknd', ...many(5900, () => 1) }) },
  { name: 'cdn: a host of 900 kB that is almost valid', run: part('cdn', { prod: { type: 'managed', host: `${'a.'.repeat(BIG / 2)}!` } }) },
  { name: 'cdn: 5,900 unknown members', run: part('cdn', { prod: { type: 'managed', host: 'a.example', ...many(5900, () => 1) } }) },
  {
    name: 'sidekick: 900 plugins, each wrong four times',
    run: part('sidekick', { plugins: list(900, () => ({ id: 1, title: 1, url: 1, badgeVariant: 'x' })) }),
  },
  { name: 'sidekick: a host of 900 kB that is almost valid', run: part('sidekick', { host: `${'a-'.repeat(BIG / 2)}` }) },
  { name: 'metadata: 5,900 sources', run: part('metadata', { source: list(5900, (index) => `/m${index}.json`) }) },
  { name: 'robots: 900 kB', run: whole({ robots: { txt: 'Disallow: /\n'.repeat(70_000) } }) },
  { name: 'robots: U+0000', run: whole({ robots: { txt: '\0' } }) },
  { name: 'a title of 900 kB', run: whole({ title: 't'.repeat(BIG) }) },
  { name: '5,900 unknown parts', run: whole(many(5900, () => 1)) },
  { name: 'an unknown part with a name of 900 kB', run: whole({ ['p'.repeat(BIG)]: 1 }) },
];
