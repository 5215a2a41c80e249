import type { SiteYamlName } from '@repoless/contract/site-parts.ts';

export interface Variant {
  readonly name: SiteYamlName;
  readonly text: string;
}

type Members = Readonly<Record<string, unknown>>;

const PROPERTY = { select: 'head > meta[name="topic"]', value: 'attribute(el, "content")', faceted: true };
const QUERY: Members = {
  version: 1,
  indices: {
    tours: {
      source: 'html',
      fetch: 'https://{repo}--{owner}.example/{path}',
      target: '/tours/query-index.json',
      include: ['/tours/**'],
      exclude: ['/tours/drafts/**'],
      properties: {
        topic: PROPERTY,
        title: { selectFirst: 'h1', value: 'textContent(el)' },
        tags: { select: 'li', values: 'textContent(el)' },
      },
      queries: { all: { query: 'tours', hitsPerPage: 10, cache: 300, parameters: ['topic'], filters: 'topic:${topic}' } },
    },
  },
};
const SITEMAP: Members = {
  index: ['/sitemap-index.xml'],
  sitemaps: {
    tours: {
      source: '/tours/query-index.json',
      origin: 'https://park.example',
      destination: '/tours/sitemap.xml',
      lastmod: 'YYYY-MM-DD',
      extension: '.html',
      languages: {
        de: {
          source: '/de/query-index.json',
          destination: '/de/sitemap.xml',
          hreflang: ['de', 'de-AT'],
          alternate: '/de/{path}',
          extension: '.html',
        },
      },
    },
  },
};

/** Values to put in place of each member, which is also tried unchanged and left out. */
const VALUES: readonly unknown[] = [undefined, null, '', '10', 1.5, true, [], ['park'], [null], ['a', 'b'], {}];
/** Files that consist of one value. */
const FILES = [
  '',
  '# none yet\n',
  'null',
  'false',
  'true',
  '0',
  '5',
  'park',
  '""',
  '[]',
  '- indices: {}',
  '{}',
  '"false"',
  '---\n',
  '...\n',
];

const TARGETS = [
  [
    '/index.json',
    'index.json',
    '../index.json?a=b#c',
    '//host/x',
    'https://user@host:8080/x',
    '/a b',
    '/ä.json',
    '/%C3%A4.json',
    '/a[b].json',
  ],
  [
    '/a{b}.json',
    '/a%zz',
    '/a|b',
    '/a\\b',
    '#',
    '?',
    ':',
    'a:b',
    '/a"b',
    "/a'b",
    '/<a>',
    '/a^b',
    '/`a`',
    'https://[::1]/x',
    '',
    '/a,b;c=d',
    '/~a',
  ],
].flat();
const TEMPLATES = [
  [
    'https://{repo}/{path}',
    '{+path}',
    '{path:3}',
    '{path*}',
    '{a,b}',
    '/{',
    '/}',
    '/{}',
    '/{a b}',
    '/ä',
    '/a b',
    '/%zz',
    '/%20',
    '/a"b',
    "/a'b",
  ],
  ['/<a>', '/a\\b', '/a^b', '/{a}{b}', '/{?a,b*}', '/{%20}', '/[a]', '/a|b', ''],
].flat();
const LANGUAGES = [
  ['en-GB-oed', 'en-gb-oed', 'i-foo', 'i-klingon', 'I-klingon', 'i-default', 'sgn-BE-FR', 'art-lojban', 'zh-min', 'zh-min-nan', 'zh-xiang'],
  [
    'de',
    'DE',
    'de-CH',
    'de_CH',
    'd',
    'x',
    'x-default',
    'X-default',
    'x-a-b',
    'x-123456789',
    'zh-Hant-TW',
    'zh-yue-Hant-HK',
    'es-419',
    'de-1996',
  ],
  [
    'sl-rozaj-biske',
    'en-US-u-islamcal',
    'en-a-bb-x-cc',
    'en-x',
    'en-a',
    'de--CH',
    '-de',
    'de-',
    'german',
    'deutschlands',
    'abcd',
    'abcdefghi',
    'de-CHE',
  ],
  [
    'de-latn-ch',
    'no',
    'yes',
    '12',
    '1a',
    'de-12',
    'de-abc-def-ghi',
    'de-abc-def-ghi-jkl',
    'de CH',
    'de-CH ',
    ' de',
    'de\n',
    'ä',
    'i-ami-x',
    'zh-min-foo',
  ],
].flat();

const property = '{ selectFirst: h1, value: textContent(el) }';
/** Variants of YAML syntax rather than of the schema. */
const SYNTAX: readonly Variant[] = (
  [
    ['query', `indices:\n  a: &a\n    properties: { t: ${property} }\n  b: *a\n`],
    [
      'query',
      `indices:\n  a: &a\n    properties: &p { t: ${property} }\n  b:\n    <<: *a\n    properties:\n      <<: *p\n      u: ${property}\n`,
    ],
    ['query', `indices:\n  a: &a\n    properties: { t: ${property} }\n  b: { <<: [*a, *a] }\n`],
    ['query', 'a: &a [1]\nb:\n  <<: *a\n'],
    ['query', 'a: &a 5\nb: { <<: *a }\n'],
    ['query', 'indices: *nothing'],
    ['query', 'indices: &a\n  a: *a'],
    ['query', `indices:\n  a: { properties: { t: ${property} } }\n  a: { properties: {} }\n`],
    ['query', 'indices: {}\n---\nindices: {}\n'],
    ['query', '%YAML 1.1\n---\nindices: {}\n'],
    ['query', 'indices: !own {}'],
    ['query', 'indices:\n\ta: {}'],
    ['query', '? [a]\n: b'],
    ['query', 'indices: ['],
    ['query', 'indices: {}\n}'],
    ['query', '\uFEFFindices: {}'],
    ['query', 'indices: {}\r\nversion: 1\r\n'],
    ['query', '__proto__: { indices: 5 }'],
    ['query', 'indices: { __proto__: { properties: {} } }'],
    ['query', 'indices: { constructor: { properties: {} } }'],
    ['query', 'indices: { toString: 5 }'],
    [
      'query',
      `indices:\n  a:\n    properties:\n      t:\n        select: |\n          h1,\n          h2\n        value: >-\n          match(el,\n          '.*')\n`,
    ],
    ['query', `indices: { a: { properties: { t: { select: 2024-01-01, value: 0x1F } } } }`],
    ['query', `indices: { a: { properties: { t: { select: .inf, value: ~ } } } }`],
    ['query', `indices: { a: { properties: {}, include: &l [5, ~], exclude: *l, queries: { q: { parameters: *l } } } }`],
    ['query', `indices: { a: { properties: {}, queries: { q: { cache: 1e3, hitsPerPage: 0x10 } } } }`],
    ['query', `indices: { a: { properties: {}, queries: { q: { cache: "1e3", hitsPerPage: " 7 " } } } }`],
    ['query', `x: &x { k: v }\n${Array.from({ length: 150 }, (_, at) => `b${at}: { <<: *x }`).join('\n')}`],
    ...[50, 99, 101, 150].map((count) => ['query', `x: &x v\nb: [${'*x, '.repeat(count)}]`] as const),
    ['sitemap', 'index: /sitemap.xml\nsitemaps: {}'],
    ['sitemap', 'sitemaps: { a: { lastmod: 2024, origin: , source: [x] } }'],
    ['sitemap', 'sitemaps:\n  a: &a { origin: https://park.example }\n  b:\n    <<: *a\n    lastmod: 2024-01-01\n'],
    ['sitemap', 'sitemaps: { a: { languages: { en: { destination: /x, hreflang: yes } } } }'],
  ] as const
).map(([name, text]) => ({ name, text }));

/** The files, with each value in place of each of their members; always the same table. */
export function siteYamlVariants(): Variant[] {
  const files = { query: QUERY, sitemap: SITEMAP } as const;
  const mutated = (['query', 'sitemap'] as const).flatMap((name) => [
    ...FILES.map((text) => ({ name, text })),
    ...pathsOf(files[name]).flatMap((path) =>
      VALUES.map((value) => ({ name, text: JSON.stringify(withValue(files[name], path, value), null, 2) })),
    ),
  ]);
  const index = (member: string, text: string) => ({
    name: 'query' as const,
    text: JSON.stringify({ indices: { a: { properties: {}, [member]: text } } }),
  });
  const language = (hreflang: unknown) => ({
    name: 'sitemap' as const,
    text: JSON.stringify({ sitemaps: { a: { languages: { de: { destination: '/s.xml', hreflang } } } } }),
  });
  return [
    ...mutated,
    ...TARGETS.map((text) => index('target', text)),
    ...TEMPLATES.map((text) => index('fetch', text)),
    ...LANGUAGES.map(language),
    ...LANGUAGES.filter((_, at) => at % 5 === 0).map((one) => language(['de', one])),
    ...SYNTAX,
  ];
}

/** The path of every member of an object, including nested objects and the first item of each list. */
function pathsOf(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [[name], ...pathsOf(member).map((rest) => [name, ...rest])]);
}

function withValue(whole: unknown, [first = '', ...rest]: readonly string[], value: unknown): unknown {
  if (Array.isArray(whole))
    return whole.map((item, at) => (String(at) === first ? (rest.length === 0 ? (value ?? null) : withValue(item, rest, value)) : item));
  const members = Object.entries(Object(whole));
  return Object.fromEntries(
    members.map(([name, member]) => [name, name === first ? (rest.length === 0 ? value : withValue(member, rest, value)) : member]),
  );
}

/** Definitions of a large project's size: one per market, with many properties. */
export function largeQuery(markets: number, properties: number): string {
  const property = (at: number) =>
    `      topic-${at}:\n        select: head > meta[name="topic-${at}"]\n        value: attribute(el, "content")\n`;
  const index = (at: number) =>
    `  market-${at}:\n    include:\n      - /market-${at}/**\n    exclude: /market-${at}/drafts/**\n    target: /market-${at}/query-index.json\n    properties:\n`;
  return `version: 1\nindices:\n${list(markets, (at) => index(at) + list(properties, property))}`;
}

/** The same with the shared properties in one anchor. */
export function largeAnchoredQuery(markets: number, properties: number): string {
  const property = (at: number) =>
    `      own-${at}: { select: 'meta[name="own-${at}"]', values: 'attribute(el, "content")', faceted: false }\n`;
  const base = `  base: &base\n    include: ['/**']\n    target: /query-index.json\n    properties: &shared\n      title: { selectFirst: h1, value: textContent(el) }\n`;
  const index = (at: number) =>
    `  market-${at}:\n    <<: *base\n    include: [/market-${at}/**]\n    target: /market-${at}/query-index.json\n    properties:\n      <<: *shared\n`;
  return `indices:\n${base}${list(markets, (at) => index(at) + list(properties, property))}`;
}

function list(count: number, line: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => line(at)).join('');
}
