import { describe, expect, test } from 'vitest';
import { describeChange } from '@repoless/core/history/describe-change.ts';
import type { StoredDocument } from '@repoless/core/history/history-port.ts';
import { changeSentence } from '@repoless/core/messages/change-sentence.ts';
import { english } from '@repoless/core/messages/english.ts';
import { createCatalogues } from '@repoless/core/messages/catalogue.ts';

const german = await createCatalogues()('de').read('history');

const SITE = {
  version: 1,
  name: 'wknd-de',
  created: '2026-03-04T05:06:07.000Z',
  lastModified: '2026-03-04T05:06:07.000Z',
  code: { owner: 'wknd', repo: 'wknd', source: { type: 'github', url: 'https://github.com/wknd/wknd' } },
  content: {
    contentBusId: 'a1',
    source: { type: 'markup', suffix: '.html', url: 'https://author.example.com/bin/franklin.delivery/wknd/wknd-de/main' },
  },
  access: {
    admin: { role: { admin: ['ada@example.com', 'ben@example.com'], config_admin: ['p100@techacct.example.com'] }, requireAuth: 'auto' },
  },
  public: {
    paths: { mappings: ['/content/wknd/de/:/', '/content/wknd/de/configuration:/.helix/config.json'], includes: ['/content/wknd/de/'] },
  },
};

const sentences = (before: StoredDocument | null | undefined, after: StoredDocument | null, messages = english.history) =>
  describeChange(before, after).map((change) => changeSentence(messages, change));

/** The site with another value at a path; undefined removes it. */
function siteWith(path: string, value: unknown): StoredDocument {
  const copy = structuredClone<Record<string, unknown>>(SITE);
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let parent = copy;
  for (const key of keys) {
    const next = parent[key];
    const child: Record<string, unknown> = typeof next === 'object' && next !== null ? { ...next } : {};
    parent[key] = child;
    parent = child;
  }
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
}

describe('the change of a site describes how much it publishes', () => {
  const nothing = ['Included paths: an empty list; nothing is included', 'Enthaltene Pfade: eine leere Liste; nichts ist enthalten'];
  const everything = [
    'No list of included paths; everything is included, unless a profile has a list',
    'Keine Liste enthaltener Pfade; alles ist enthalten, sofern kein Profil eine Liste hat',
  ];
  test.each<[string, StoredDocument | null | undefined]>([
    ['is created', undefined],
    ['is restored', null],
    ['had no paths', siteWith('public', undefined)],
  ])('if the site %s', (_case, before) => {
    for (const [value, [inEnglish, inGerman]] of [[[], nothing] as const, [undefined, everything] as const]) {
      const after = siteWith('public.paths.includes', value);
      expect(sentences(before, after)).toContain(inEnglish);
      expect(sentences(before, after, german)).toContain(inGerman);
    }
    const listed = sentences(before, SITE).join();
    expect(listed).toContain('Included paths: /content/wknd/de/ added');
    expect(listed).not.toMatch(/is included/);
  });
});

describe('the description of a change', () => {
  test.each<[string, StoredDocument, readonly string[]]>([
    ['a new secret', siteWith('secrets', { reader: { id: 'r' } }), ['Secrets: reader added']],
    ['a new API key', siteWith('apiKeys', { ci: { id: 'a' } }), ['API keys of another service: ci added']],
    ['a new token', siteWith('tokens', { old: {} }), ['Tokens: old added']],
    ['a limit', siteWith('limits', { pages: { most: 5 } }), ['Limits: pages added']],
    ['a feature', siteWith('features', { fast: {} }), ['Features: fast added']],
    ['a setting of the editor', siteWith('editor', { theme: 'dark' }), ['Editor settings: theme added']],
    [
      'the repository that receives events',
      siteWith('events.github.target', 'wknd/all'),
      ['Repository that receives events set to wknd/all'],
    ],
    ['the registry', siteWith('registry', 'custom'), ['Registry set to custom']],
    ['the host for reviews', siteWith('cdn.review.host', 'review.example.com'), ['Review host set to review.example.com']],
    ['roles for everyone', siteWith('access.admin.defaultRole', ['author']), ['Roles of every signed-in user: author added']],
    [
      'a removed list of included paths',
      siteWith('public.paths.includes', undefined),
      ['Included paths removed (was ["/content/wknd/de/"]); everything is included'],
    ],
    ['an emptied list of included paths', siteWith('public.paths.includes', []), ['Included paths: all removed (/content/wknd/de/)']],
    ['a role without members', siteWith('access.admin.role.publish', []), ['/access/admin/role/publish set to []']],
    ['an empty part', siteWith('folders', {}), ['/folders set to {}']],
    ['a removed administrator', siteWith('access.admin.role.admin', ['ada@example.com']), ['Administrators: ben@example.com removed']],
    [
      'a replaced administrator',
      siteWith('access.admin.role.admin', ['ada@example.com', 'eve@example.com']),
      ['Administrators: ben@example.com removed, eve@example.com added'],
    ],
    [
      'removed access',
      siteWith('access', undefined),
      [
        'Administrators: all removed (ada@example.com, ben@example.com)',
        'Configuration administrators: all removed (p100@techacct.example.com)',
        'Sign-in required to administer removed (was auto)',
      ],
    ],
    [
      'another technical account',
      siteWith('access.admin.role.config_admin', ['p300@techacct.example.com']),
      ['Configuration administrators: p100@techacct.example.com removed, p300@techacct.example.com added'],
    ],
    [
      'a removed mapping',
      siteWith('public.paths.mappings', ['/content/wknd/de/configuration:/.helix/config.json']),
      ['Mapping: /content/wknd/de/:/ removed'],
    ],
    [
      'a mapping to another path',
      siteWith('public.paths.mappings', ['/content/wknd/at/:/', '/content/wknd/de/configuration:/.helix/config.json']),
      ['Mapping of / changed from /content/wknd/de/ to /content/wknd/at/'],
    ],
    ['mappings in another order', siteWith('public.paths.mappings', SITE.public.paths.mappings.toReversed()), ['Mapping: reordered']],
    [
      'a new included path',
      siteWith('public.paths.includes', ['/content/wknd/de/', '/content/dam/']),
      ['Included paths: /content/dam/ added'],
    ],
    [
      'another content source',
      siteWith('content', { contentBusId: 'b2', source: { ...SITE.content.source, url: 'https://other.example.com/x' } }),
      [`Content source changed from ${SITE.content.source.url} to https://other.example.com/x`],
    ],
    [
      'another repository on the code host',
      siteWith('code', { owner: 'acme', repo: 'shop', source: { type: 'github', url: 'https://github.com/acme/shop' } }),
      ['Code repository changed from wknd/wknd to acme/shop'],
    ],
    [
      'an external repository',
      siteWith('code', {
        owner: '100',
        repo: 'r1',
        source: { type: 'byogit', url: 'https://build.example.com', raw_url: 'https://raw.example.com', secretId: 'cm-byog' },
      }),
      [
        'Code repository changed from wknd/wknd to 100/r1',
        'Type of the code source changed from github to byogit',
        'Address of the code source changed from https://github.com/wknd/wknd to https://build.example.com',
        'Raw address of the code source set to https://raw.example.com',
        'Secret of the repository set to cm-byog',
      ],
    ],
    [
      'headers, folders and robots.txt',
      {
        ...SITE,
        headers: { '/**': [{ key: 'X-Frame-Options', value: 'DENY' }] },
        folders: { '/a': '/b' },
        robots: { txt: 'User-agent: *\nDisallow: /' },
      },
      ['Headers of /**: X-Frame-Options: DENY added', 'Folder mapping: /a → /b added', 'robots.txt set'],
    ],
    ['a profile', { ...SITE, extends: { profile: 'shared' } }, ['Profile set to shared']],
    [
      'a group and the readers of a host',
      {
        ...SITE,
        groups: { team: { members: [{ email: 'eve@example.com' }] } },
        access: { ...SITE.access, preview: { allow: ['*@example.com'], requireAuth: true } },
      },
      [
        'Readers allowed on the preview host: *@example.com added',
        'Sign-in required on the preview host set to true',
        'Groups: team added',
        'Group team: eve@example.com added',
      ],
    ],
    [
      'a property without its own message, by its pointer',
      {
        ...SITE,
        cdn: { prod: { host: 'www.example.com', type: 'fastly' } },
        sidekick: { plugins: ['a'] },
        public: { ...SITE.public, 'a/b': { c: 1 } },
      },
      ['/public/a~1b/c set to 1', 'Production host set to www.example.com', '/cdn/prod/type set to fastly', '/sidekick/plugins: a added'],
    ],
    [
      'only what the service sets',
      { ...SITE, lastModified: '2027-01-01T00:00:00.000Z', content: { ...SITE.content, contentBusId: 'b2' } },
      ['Nothing changed'],
    ],
  ])('%s', (_name, after, expected) => {
    expect(sentences(SITE, after)).toEqual(expected);
  });

  test('covers the first storing, removal and restoring of a site', () => {
    const [first, ...others] = sentences(undefined, SITE);
    expect(first).toBe('Stored for the first time');
    expect(others).toContain('Administrators: ada@example.com, ben@example.com added');
    expect(others).toContain('Code repository set to wknd/wknd');
    expect(sentences(SITE, null)).toEqual(['Removed']);
    expect(sentences(null, SITE)[0]).toBe('Stored again after its removal');
  });

  test('distinguishes users of an organization by their e-mail address', () => {
    const org = (users: readonly { id: string; email: string; roles: readonly string[] }[]) => ({ version: 1, name: 'wknd', users });
    const ada = { id: 'u1', email: 'ada@example.com', roles: ['admin'] };
    const ben = { id: 'u2', email: 'ben@example.com', roles: ['author', 'publish'] };
    expect(sentences(org([ada, ben]), org([{ ...ben, roles: ['config', 'author'] }]))).toEqual([
      'Users of the organization: ada@example.com removed',
      'Roles of ben@example.com: publish removed, config added',
    ]);
    expect(sentences(org([ada]), org([]))).toEqual(['Users of the organization: all removed (ada@example.com)']);
  });

  test('counts many entries, and does not repeat long values', () => {
    const many = Array.from({ length: 200 }, (_, index) => `user-${index}@example.com`);
    expect(sentences(siteWith('access.admin.role.admin', []), siteWith('access.admin.role.admin', many))).toEqual([
      'Administrators: user-0@example.com, user-1@example.com, user-2@example.com, user-3@example.com, user-4@example.com, user-5@example.com and 194 more added',
    ]);
    expect(sentences({ ...SITE, description: 'x'.repeat(500) }, { ...SITE, description: 'y'.repeat(500) })).toEqual([
      'Description changed',
    ]);
  });

  test('is available in German', () => {
    expect(sentences(SITE, siteWith('access.admin.role.admin', ['ada@example.com']), german)).toEqual([
      'Administratoren: ben@example.com entfernt',
    ]);
  });

  test('reports a changed order of the paths of headers, of which the last one wins', () => {
    const headers = { '/**': [{ key: 'x-a', value: '1' }], '/b': [{ key: 'x-a', value: '2' }] };
    const reordered = Object.fromEntries(Object.entries(headers).toReversed());
    expect(sentences({ ...SITE, headers }, { ...SITE, headers: reordered })).toEqual(['Paths of headers: reordered']);
    expect(sentences({ ...SITE, headers }, { ...SITE, headers: reordered }, german)).toEqual(['Pfade der Header: neu geordnet']);
    expect(sentences({ ...SITE, headers }, { ...SITE, headers: { ...headers } })).not.toContain('Paths of headers: reordered');
  });

  test('accepts data of an unknown form', () => {
    expect(sentences({ access: 'open', users: 5, groups: [], public: null, headers: { a: 1 } }, SITE).length).toBeGreaterThan(3);
    expect(sentences(SITE, { access: [], public: { paths: 'none' }, code: 7, content: [] }).length).toBeGreaterThan(3);
  });
});
