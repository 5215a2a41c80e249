import { describe, expect, it } from 'vitest';
import { Problem } from '@repoless/contract/errors.ts';
import { OPERATOR, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const host = 'www.example.com';
const source = { url: 'https://content.example.com/x' };

/** Valid by the published schema (docs/design-facts.md 4.1), by part: each is stored and read back unchanged. */
const VALID: Readonly<Record<string, readonly unknown[]>> = {
  cdn: [{ prod: { host } }, { live: { host }, preview: { host }, review: { host } }],
  'cdn/prod': [
    { host },
    { type: 'fastly', host: '', serviceId: '1', authToken: '2', route: ['/de'] },
    { type: 'cloudflare', host, plan: 'free', zoneId: '1', apiToken: '2' },
    { type: 'akamai', host, endpoint: 'e', clientSecret: 's', clientToken: 't', accessToken: 'a' },
    { type: 'managed', host },
    { type: 'managed', host, envId: '1' },
    { type: 'cloudfront', host, distributionId: '1', accessKeyId: '2', secretAccessKey: '3' },
  ],
  sidekick: [
    {
      project: 'Store',
      host,
      wordSaveDelay: 5,
      trustedHosts: [host],
      plugins: [{ id: 'a', environments: ['edit'], badgeVariant: 'celery', titleI18n: { 'de-CH': 'Titel' }, anything: { more: 1 } }],
      specialViews: [{ id: 'v', path: '/**.json', viewer: '/viewer.html' }],
    },
  ],
  metadata: [{ source: ['metadata.json'] }, {}],
  headers: [{ '/**': [{ key: 'x-a', value: 'b' }], 'products/*': [{ key: 'x-a', value: 'b' }] }],
  folders: [{ '/products/': '/products/default', '/a_b.c': 'default' }],
  'access/admin': [
    { role: { admin: [OPERATOR], media_author: ['*@example.com'] }, requireAuth: 'auto', defaultRole: ['author'], apiKeyId: ['k'] },
  ],
  'access/live': [{ allow: ['/groups/readers'], secretId: ['a+/b='], apiKeyId: [] }],
  code: [{ owner: 'wknd', repo: 'wknd', title: 'Code', note: { kept: true } }],
  content: [
    { source: { ...source, type: 'google', id: 'folder' } },
    { source: { ...source, type: 'onedrive', tenantId: 't', itemId: 'i' } },
    { source: { ...source, type: 'markup', suffix: '.html' }, overlay: { type: 'markup', url: source.url } },
  ],
};

/** Invalid by that schema, with a part of the message. */
const INVALID: readonly (readonly [part: string, body: unknown, pointer: string, sentence: string])[] = [
  [
    'cdn',
    { prod: { type: 'nothing' } },
    '/prod/type',
    'The type of a CDN is "fastly", "cloudflare", "akamai", "managed", or "cloudfront", not "nothing".',
  ],
  ['cdn/prod', { type: 'fastly', host }, '/serviceId', 'The CDN needs this'],
  ['cdn/prod', { type: 'managed', host, colour: 'red' }, '/colour', 'Unknown property "colour".'],
  ['cdn/prod', { host: 'https://www.example.com/' }, '/host', 'Write a host name such as www.example.com'],
  ['cdn/prod', {}, '/host', 'Write a host name such as www.example.com'],
  ['cdn', { prod: { host }, test: { host } }, '/test', 'Unknown property "test".'],
  ['sidekick', { colour: 'red' }, '/colour', 'Unknown property "colour".'],
  ['sidekick', { plugins: ['a'] }, '/plugins/0', 'Write an object here.'],
  ['sidekick', { plugins: [{ id: 'a', environments: ['moon'] }] }, '/plugins/0/environments/0', 'Write "any" or "dev"'],
  ['sidekick', { specialViews: [{ id: 'a' }] }, '/specialViews/0/path', 'This is required; write a string.'],
  ['metadata', { format: 'json' }, '/format', 'Unknown property "format".'],
  ['metadata', { source: 'metadata.json' }, '/source', 'Write an array here.'],
  ['headers', { '/a b': [] }, '/~1a b', 'Write a path such as'],
  ['headers', { '/**': [{ key: 'x-a' }] }, '/~1**/0/value', 'This is required'],
  ['folders', { products: '/default' }, '/products', 'Write a public path such as /products'],
  ['folders', { '/products': 1 }, '/~1products', 'Write a string here.'],
  ['access/admin', { requireAuth: 'true' }, '/requireAuth', 'Write true, false or "auto"'],
  ['access/admin', { role: { Admin: [OPERATOR] } }, '/role/Admin', '"Admin" is not a valid role name'],
  ['access/admin', { defaultRole: ['Owner'] }, '/defaultRole/0', '"Owner" is not a valid role name'],
  ['access/site', { secretId: ['a b'] }, '/secretId/0', 'Write the name of a secret.'],
  ['content', { source: { ...source, type: 'google' } }, '/source/id', 'Write the identifier of the folder at Google Drive.'],
  ['content', { source: { ...source, type: 'markup', url: 'onedrive:/drives/x' } }, '/source/url', 'Write an http(s) address.'],
  ['content', { source: { ...source, type: 'markup', id: 'x' } }, '/source/id', 'A content source of the type "markup" has no id.'],
  ['extends', { profile: 'a b' }, '/profile', 'A profile name holds letters, digits, "-" and "_".'],
];

/** Placeholders copied from manuals, and values of another form. */
const WRONG_FORMS: readonly (readonly [part: string, body: unknown, pointer: string, sentence: string])[] = [
  [
    'access/admin',
    { role: { admin: [OPERATOR, '<EMAIL>'] } },
    '/role/admin/1',
    '"<EMAIL>" is a placeholder. Write an e-mail address such as ada@example.com',
  ],
  [
    'access/admin',
    { role: { admin: [OPERATOR], config_admin: ['<TECHNICAL_ACCOUNT_ID>'] } },
    '/role/config_admin/0',
    '"<TECHNICAL_ACCOUNT_ID>" is a placeholder.',
  ],
  [
    'access/admin',
    { role: { admin: [OPERATOR], config_admin: ['abc'] } },
    '/role/config_admin/0',
    '"abc" is not allowed here. Use an e-mail address such as ada@example.com, a technical account such as 0A1B2C3D@techacct.example.com',
  ],
  ['access/admin', { role: { admin: [OPERATOR, ''] } }, '/role/admin/1', 'An empty string is not allowed here'],
  ['groups/team', { members: [{ email: '<EMAIL>' }] }, '/members/0/email', '"<EMAIL>" is a placeholder.'],
  [
    'secrets/cm-byog',
    { value: '<SECRET_VALUE>' },
    '/value',
    '"<SECRET_VALUE>" is a placeholder. Write the value of the secret in its place.',
  ],
  ['public', { paths: { mappings: ['/content/<site>/:/'] } }, '/paths/mappings/0', 'holds a placeholder in angle brackets'],
  [
    'content',
    { source: { url: 'https://author-p<program_id>-e1.example.com/', type: 'markup' } },
    '/source/url',
    '"<program_id>" is a placeholder.',
  ],
  [
    'code',
    { source: { type: 'byogit', owner: '100', repo: '7', url: 'https://x.example.com/<a>', raw_url: 'https://x.example.com' } },
    '/source/url',
    '"<a>" is a placeholder.',
  ],
];
const backend = startBeforeAll(() => startTestBackend({ sites: { first: {} } }));

const call = (method: string, part: string, body?: unknown) =>
  backend.call(method, `/config/wknd/sites/first/${part}.json`, { as: OPERATOR, ...(body !== undefined && { body }) });

describe('a part that is valid by the published schema is stored unchanged:', () => {
  it.each(Object.entries(VALID).flatMap(([part, bodies]) => bodies.map((body): [string, unknown] => [part, body])))(
    '%s: %j',
    async (part, body) => {
      expect((await call('POST', part, body)).status).toBe(200);
      expect((await call('GET', part)).json()).toMatchObject(Object(body));
      // A site cannot be without these.
      expect((await call('DELETE', part)).status).toBe(part === 'code' || part === 'content' ? 400 : 204);
    },
  );

  it('a github source at another host is an external repository, and is stored unchanged', async () => {
    const [url, raw_url] = ['https://git.example.com/api', 'https://git.example.com/raw'];
    const external = { owner: '100', repo: '7', source: { type: 'github', url, raw_url, secretId: 'cm-byog' } };
    const stored = Object((await call('POST', 'code', external)).json());
    expect(stored.source).toEqual({ type: 'github', url, raw_url, secretId: 'cm-byog' });
    const { raw_url: _raw, ...without } = external.source;
    expect((await call('POST', 'code', { ...external, source: without })).error).toContain('An external repository also needs a raw_url.');
  });
});

describe('an invalid part is refused with the error and its pointer, and nothing is stored:', () => {
  it.each([...INVALID, ...WRONG_FORMS])('%s: %j', async (part, body, pointer, sentence) => {
    const before = (await backend.call('GET', '/config/wknd/sites/first.json', { as: OPERATOR })).text;
    const answer = await call('POST', part, body);
    expect(answer, answer.text).toMatchObject({ status: 400, code: 'BODY_INVALID' });
    const errors = Problem.parse(answer.json()).errors ?? [];
    expect(errors.map((error) => error.pointer)).toContain(pointer);
    expect(errors.find((error) => error.pointer === pointer)?.detail).toContain(sentence);
    expect((await backend.call('GET', '/config/wknd/sites/first.json', { as: OPERATOR })).text).toBe(before);
  });
});

it('defaultRole applies to everyone who is signed in and has no other role', async () => {
  const access = { admin: { role: { admin: [OPERATOR], config_admin: ['carl@example.com'] }, defaultRole: ['develop'] } };
  expect((await call('POST', 'access', access)).status).toBe(200);
  const jobs = (as?: string) => backend.call('GET', '/job/wknd/first/main/code', as === undefined ? {} : { as });
  const config = (as: string) => backend.call('GET', '/config/wknd/sites/first.json', { as });
  expect([(await jobs('sam@example.com')).status, (await jobs()).status]).toEqual([200, 401]);
  expect([(await config('sam@example.com')).status, (await config('carl@example.com')).status]).toEqual([403, 200]);
});
