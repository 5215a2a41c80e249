import { describe, expect, it } from 'vitest';
import { LIMITS } from '@repoless/contract/limits.ts';
import { callsAs, OPERATOR, publicPart, siteBody, startTestBackend } from '../support/backend.ts';
import { largeAnchoredQuery, largeQuery } from '../support/site-yaml-variants.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const QUERY = `version: 1
# Everything but drafts.
indices:
  base: &base
    include: ['/**']
    exclude: ['/drafts/**']
    target: /query-index.json
    properties: &properties
      title: { selectFirst: 'head > title', value: textContent(el) }
      tags: { select: 'meta[property="article:tag"]', values: 'attribute(el, "content")' }
  de:
    <<: *base
    include: ['/de/**']
    properties:
      <<: *properties
      lastModified: { select: none, value: 'parseTimestamp(headers["last-modified"], "ddd, DD MMM YYYY hh:mm:ss GMT")' }
`;
const SITEMAP = `sitemaps:
  markets:
    default: en
    lastmod: YYYY-MM-DD
    languages:
      en: { source: /query-index.json, destination: /sitemap.xml, hreflang: [en, x-default] }
      de: { source: /de/query-index.json, destination: /de/sitemap.xml, hreflang: de-CH, alternate: '/de/{path}' }
`;
const FILES = [
  ['query', QUERY],
  ['sitemap', SITEMAP],
] as const;
const yaml = { 'content-type': 'text/yaml' };
const path = (name: string, site = 'yaml') => `/config/wknd/sites/${site}/content/${name}.yaml`;
const property = (text: string) => `indices:\n  a:\n    properties:\n      title: ${text}\n`;

const backend = startBeforeAll(() => startTestBackend({ sites: { yaml: {}, kept: {}, hosts: {}, large: {} } }));
const { call } = callsAs(backend, OPERATOR);

const set = (name: string, body: string, { method = 'POST', site = 'yaml', query = '' } = {}) =>
  call(method, `${path(name, site)}${query}`, body, yaml);
const get = (address: string) => call('GET', address);

describe.each(FILES)('%s.yaml of a site', (name, text) => {
  it('is missing at first, set by PUT and POST, read unchanged, and removed', async () => {
    expect((await get(path(name))).code).toBe('PART_NOT_FOUND');
    for (const [method, status] of [
      ['PUT', 201],
      ['POST', 200],
    ] as const) {
      const answer = await set(name, text, { method });
      expect([answer.status, answer.text, answer.headers['content-type']]).toEqual([status, text, 'text/yaml; charset=utf-8']);
    }
    for (const newer of [`/wknd/sites/yaml/config/content/${name}.yaml`, `/wknd/sites/yaml/config/${name}.yaml`]) {
      expect(await get(newer)).toMatchObject({ status: 200, text: text });
    }
    expect((await call('DELETE', path(name))).status).toBe(204);
    expect((await get(path(name))).status).toBe(404);
    expect((await call('DELETE', path(name))).code).toBe('PART_NOT_FOUND');
    expect((await set(name, text, { query: '?dryRun=true' })).json()).toMatchObject({ dryRun: true, status: 201 });
    expect((await set(name, text)).status).toBe(201);
  });

  it('is versioned with the site, and restored with a version', async () => {
    const versions = async () => Object((await get('/config/wknd/sites/yaml/versions.json')).json()).current as number;
    await set(name, text);
    const before = await versions();
    await set(name, text);
    expect(await versions()).toBe(before);
    await call('DELETE', path(name));
    const restore = `/config/wknd/sites/yaml.json?restoreVersion=${before}`;
    expect((await call('POST', restore)).status).toBe(200);
    expect((await get(path(name))).text).toBe(text);
    const { entries } = Object((await get('/config/wknd/sites/yaml/log.json')).json());
    expect(entries.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining([`set-content/${name}.yaml`, `delete-content/${name}.yaml`]),
    );
  });

  it('is retained when the site is replaced without it', async () => {
    await set(name, text, { site: 'kept' });
    const site = '/config/wknd/sites/kept.json';
    for (const [method, query] of [
      ['POST', ''],
      ['PUT', '?replace=true'],
    ] as const) {
      const answer = await call(method, `${site}${query}`, siteBody('wknd', 'kept', { title: method }));
      expect([method, answer.status, answer.headers['x-warning']]).toEqual([method, 200, undefined]);
      expect((await get(path(name, 'kept'))).text).toBe(text);
    }
  });

  it('is served on both hosts, and only to readers if a host is guarded', async () => {
    const ask = (tier: 'preview' | 'live') => backend.visit(tier, 'main--hosts--wknd', `/helix-${name}.yaml`);
    expect((await ask('live')).status).toBe(404);
    await set(name, text, { site: 'hosts' });
    for (const tier of ['preview', 'live'] as const) {
      const answer = await ask(tier);
      expect([answer.status, answer.text, answer.headers['content-type']]).toEqual([200, text, 'text/yaml; charset=utf-8']);
      expect(answer.headers['etag']).toMatch(/^"/);
    }
    const access = '/config/wknd/sites/hosts/access/live.json';
    await call('POST', access, { allow: ['reader@example.com'] });
    expect([(await ask('live')).status, (await ask('preview')).status]).toEqual([401, 200]);
    await call('DELETE', access);
  });

  it('honours dry runs and preconditions', async () => {
    expect([200, 201]).toContain((await set(name, text)).status);
    const dryRun = await set(name, `# other\n${text}`, { query: '?dryRun=true' });
    expect(dryRun.json()).toMatchObject({ dryRun: true, status: 200, result: `# other\n${text}` });
    const read = await get(path(name));
    expect(read.text).toBe(text);
    const headers = { ...yaml, 'if-match': '"stale"' };
    expect((await call('POST', path(name), text, headers)).status).toBe(412);
    const fitting = { ...yaml, 'if-match': read.headers['etag'] ?? '' };
    expect((await call('POST', path(name), text, fitting)).status).toBe(200);
  });

  it.each(['text/yaml; charset=utf-8', 'application/yaml', 'text/x-yaml', 'application/x-yaml', 'text/plain;charset=UTF-8'])(
    'is accepted as %s',
    async (type) => {
      expect((await call('POST', path(name), text, { 'content-type': type })).status).toBe(200);
    },
  );

  it('needs the site and a body', async () => {
    expect((await set(name, text, { site: 'nowhere' })).code).toBe('SITE_NOT_FOUND');
    expect((await call('POST', path(name))).code).toBe('BODY_MISSING');
    expect((await call('POST', path(name), { indices: {} })).code).toBe('CONTENT_TYPE_UNSUPPORTED');
  });
});

it.each([
  ['query', 'indices: [', 'query.yaml: Line 1: It cannot be parsed.'],
  ['query', 'indices:\n\ta: {}', 'query.yaml: It has a tab. Indent YAML with spaces.'],
  ['query', 'just a text', 'query.yaml: The file is not valid: Write an object.'],
  ['query', 'indices:\n  a: {}', 'query.yaml: indices.a.properties is not valid: Write the properties of the index.'],
  ['query', property('{ select: h1 }'), 'query.yaml: indices.a.properties.title is not valid: Write "select" or'],
  ['query', property('{ select: h1, value: x, values: y }'), 'query.yaml: indices.a.properties.title is not valid: Write "select" or'],
  ['query', property('{ selectFirst: h1, value: x, faceted: true }'), 'query.yaml: indices.a.properties.title is not valid'],
  [
    'query',
    `${property('{ select: h1, value: x }')}    source: pdf\n`,
    'query.yaml: indices.a.source is not valid: Write html or markdown.',
  ],
  [
    'query',
    `${property('{ select: h1, value: x }')}    include: { a: b }\n`,
    'query.yaml: indices.a.include is not valid: Write a text or a list of texts.',
  ],
  ['query', `${property('{ select: h1, value: x }')}    target: /ä.json\n`, 'query.yaml: indices.a.target is not valid: Write an address'],
  [
    'sitemap',
    'sitemaps:\n  a: { languages: { en: { hreflang: i-foo, destination: /s.xml } } }',
    'hreflang is not valid: Write a language such',
  ],
  ['sitemap', 'sitemaps:\n  a: { languages: { en: { hreflang: en } } }', 'sitemap.yaml: sitemaps.a.languages.en.destination is not valid'],
  [
    'sitemap',
    'sitemaps:\n  a: { languages: { en: { hreflang: "not a tag", destination: /s.xml } } }',
    'sitemap.yaml: sitemaps.a.languages.en.hreflang is not valid: Write a language such as de',
  ],
  [
    'sitemap',
    'sitemaps:\n  a: { languages: { en: { hreflang: en, destination: /s.xml, more: 1 } } }',
    'sitemap.yaml: sitemaps.a.languages.en is not valid: Unknown property "more".',
  ],
  ['query', `#${'x'.repeat(LIMITS.siteYamlLength)}`, 'A file has at most 262144 characters.'],
  ['query', `a: ${'['.repeat(LIMITS.projectFileDepth + 1)}`, 'query.yaml: It is nested more than 40 levels deep.'],
  ['query', 'a: b\n'.repeat(20_000), 'query.yaml: It has too many entries.'],
])('%s.yaml is refused with the reason: %j', async (name, text, sentence) => {
  const answer = await set(name, text, { method: 'PUT' });
  expect(answer).toMatchObject({ status: 400, code: 'BODY_INVALID', error: expect.stringContaining(sentence) });
});

it('an empty definition and one with unknown members are accepted', async () => {
  for (const text of ['# none yet\n', 'indices: {}\n', 'version: 2\nauto-generated: true\nindices: {}\n'])
    expect([200, 201], text).toContain((await set('query', text)).status);
});

it.each([
  [
    'query',
    'a list of one, texts for numbers and nothing',
    'indices:\n  a:\n    properties: {}\n    include: /blog/**\n    exclude:\n    queries: { all: { cache: "300", hitsPerPage: "10" } }\n',
  ],
  [
    'sitemap',
    'a text for a list, a number for a text, and nothing',
    'index: /sitemap.xml\nsitemaps:\n  a: { origin: , lastmod: 2024, languages: { en: { destination: /s.xml, hreflang: en-GB-oed } } }\n',
  ],
  ['query', '27 kB of 5,300 tokens', largeQuery(12, 20)],
  ['query', '50 kB of 10,000 tokens', largeQuery(16, 28)],
  ['query', '104 kB of 23,000 tokens, shared by anchors', largeAnchoredQuery(118, 8)],
])('%s.yaml with %s is stored and read byte for byte', async (name, _, text) => {
  const answer = await set(name, text, { site: 'large', method: 'PUT' });
  expect([answer.status, answer.error, answer.text === text]).toEqual([201, undefined, true]);
  expect((await get(path(name, 'large'))).text === text).toBe(true);
  expect((await backend.visit('live', 'main--large--wknd', `/helix-${name}.yaml`)).text === text).toBe(true);
  expect((await call('DELETE', path(name, 'large'))).status).toBe(204);
});

it('a site can be written with the files, and is refused with a pointer to an invalid one', async () => {
  const site = '/config/wknd/sites/whole.json';
  const body = siteBody('wknd', 'whole', { public: publicPart('whole'), query: { yaml: QUERY }, sitemap: { yaml: 'sitemaps: 1' } });
  const refused = await call('PUT', site, body);
  expect([refused.status, Object(refused.json()).errors]).toEqual([400, [expect.objectContaining({ pointer: '/sitemap/yaml' })]]);
  expect((await call('PUT', site, { ...body, sitemap: { yaml: SITEMAP } })).status).toBe(201);
  expect((await get(path('sitemap', 'whole'))).text).toBe(SITEMAP);
});
