import { callsAs, OPERATOR, startTestBackend } from '../support/backend.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { SITE_PART_NAMES } from '@repoless/contract/site.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { filledBy, placesOf, PUBLISHED_SHAPES } from './published-schema-table.ts';
import { PUBLISHED_SITE_PARTS, PUBLISHED_SITES } from './published-sites.ts';
const logged: string[] = [];
const backend = startBeforeAll(() => {
  const orgs = ['wknd', 'leaving', ...PUBLISHED.flatMap((one, index) => (one.kind === 'org' ? [orgName(index)] : []))];
  return startTestBackend({ orgs, logged: (line) => logged.push(line) });
});
beforeAll(async () => {
  expect((await call('PUT', '/config/wknd/profiles/Brand_1-x.json', { title: 'Brand' })).status).toBe(201);
});

const orgName = (index: number) => `org-${index}`;
const { call } = callsAs(backend, OPERATOR);

function addressOf({ kind }: Published, index: number): string {
  if (kind === 'org') return `/config/${orgName(index)}`;
  return kind === 'site' ? `/config/wknd/sites/site-${index}` : `/config/wknd/profiles/profile-${index}`;
}

/** A document without what the service adds by itself, and without values and hashes. */
function comparable(document: Document): unknown {
  const { created: _created, lastModified: _lastModified, name: _name, content, ...rest } = document;
  return withoutValues({ ...rest, ...(content === undefined ? {} : { content: { ...Object(content), contentBusId: '' } }) });
}

function withoutValues(document: Document): Document {
  const bare = ([name, { value: _value, hash: _hash, ...kept }]: [string, Document]) => [name, kept];
  const part = (name: string) =>
    document[name] === undefined ? {} : { [name]: Object.fromEntries(Object.entries<Document>(Object(document[name])).map(bare)) };
  return { ...document, ...part('secrets'), ...part('tokens') };
}

describe('configurations of the public service are accepted and read unchanged:', () => {
  it('the corpus has at least 60 configurations', () => expect(PUBLISHED.length).toBeGreaterThanOrEqual(60));

  it.each(['site', 'profile', 'org'] as const)('the corpus has every property and every named value of a %s', (kind) => {
    const shape = PUBLISHED_SHAPES[kind];
    const filled = new Set(PUBLISHED.flatMap((one) => (one.kind === kind ? filledBy(shape, one.document) : [])));
    expect(placesOf(shape).filter((member) => !filled.has(member))).toEqual([]);
  });

  it.each(PUBLISHED.map((one, index) => [`${one.kind} ${one.what}`, one, index] as const))('%s', async (_what, one, index) => {
    const address = addressOf(one, index);
    const { name, ...unnamed } = one.document;
    const sent: Document = name === undefined ? unnamed : { ...unnamed, name: `site-${index}` };
    const put = await call('PUT', `${address}.json`, sent);
    expect([200, 201], put.text).toContain(put.status);
    const read = await call('GET', `${address}.json`);
    expect(comparable(Object(read.json()))).toEqual(completed(comparable(sent)));
    const again = await call('PUT', `${address}.json?replace=true`, withoutValues(Object(read.json())));
    expect([again.status, again.headers['etag']], again.text).toEqual([200, read.headers['etag']]);
    const versions = await call('GET', `${address}/versions.json`);
    const last = await call('GET', `${address}/versions/${one.kind === 'org' ? 2 : 1}.json`);
    expect(comparable(Object(Object(last.json()).data))).toEqual(comparable(Object(read.json())));
    const shown = [put.text, read.text, again.text, versions.text, last.text];
    for (const text of shown) for (const hidden of [VALUE, HASH]) expect(text).not.toContain(hidden);
  });

  it('the log and the audit trail contain no value and no hash', async () => {
    const trail = await call('GET', '/config/wknd/log.json');
    expect(trail.text).toContain('"action": "put-site"');
    expect(logged.length).toBeGreaterThan(PUBLISHED.length);
    for (const text of [trail.text, ...logged]) for (const hidden of [VALUE, HASH]) expect(text).not.toContain(hidden);
  });
});

describe('a site inherits everything from', () => {
  const profiles = PUBLISHED.flatMap((one, index) => (one.kind === 'profile' ? [[one.what, one, index] as const] : []));
  const plain = Object(PUBLISHED.find(({ what }) => what === 'plain')?.document);

  it.each(profiles)('the profile %s', async (_what, { document }, index) => {
    const { title: _title, description: _description, code = plain.code, content = plain.content, ...parts } = document;
    const own = { ...(document['code'] === undefined ? { code } : {}), ...(document['content'] === undefined ? { content } : {}) };
    const sent = { ...own, extends: { profile: `profile-${index}` } };
    expect((await call('PUT', `/config/wknd/sites/under-${index}.json`, sent)).status).toBe(201);
    const whole: Document = Object((await call('GET', `/config/wknd/aggregated/under-${index}.json`)).json());
    expect(comparable(whole)).toMatchObject(Object(completed(comparable({ ...parts, code, content }))));
    for (const name of SITE_PART_NAMES.filter((one) => one in parts)) {
      const part = await call('GET', `/config/wknd/aggregated/under-${index}/${name}.json`);
      expect([name, part.json()]).toEqual([name, whole[name]]);
    }
  });
});

/** The value with the service's default added: the suffix of markup. */
function completed(value: unknown): unknown {
  const document: Document = Object(value);
  const content: Document = Object(document['content']);
  const source: Document = Object(content['source']);
  return source['type'] === 'markup' ? { ...document, content: { ...content, source: { suffix: '.html', ...source } } } : document;
}

describe('credentials of a document are stored separately:', () => {
  it('a value admits its readers, and a redacted secret keeps the stored value', async () => {
    const path = '/config/wknd/sites/apart.json';
    const plain = Object(PUBLISHED.find(({ what }) => what === 'plain')?.document);
    const kept = { id: 'reader', type: 'hashed', created: plain.created, lastModified: plain.lastModified };
    const live = { access: { live: { secretId: ['reader'] } } };
    expect((await call('PUT', path, { ...plain, ...live, secrets: { reader: { ...kept, value: VALUE } } })).status).toBe(201);
    const visit = async (token: string) =>
      (await backend.visit('live', 'main--apart--wknd', '/no-page', { headers: { authorization: `token ${token}` } })).status;
    const opened = await visit(VALUE);
    expect([opened, await visit('another')].map((status) => status === 401 || status === 403)).toEqual([false, true]);
    expect((await call('PUT', path, { secrets: { reader: kept } })).status).toBe(200);
    expect(await visit(VALUE)).toBe(opened);
    expect(Object.keys(Object((await call('GET', '/config/wknd/sites/apart/secrets.json')).json()))).toEqual(['reader']);
  });
});

describe('a secret is removed with its entry in the document', () => {
  const plain = Object(PUBLISHED.find(({ what }) => what === 'plain')?.document);
  const secret = { id: 's', type: 'key', created: plain.created, lastModified: plain.lastModified };

  it.each([
    ['a profile', 'wknd', '/config/wknd/profiles/leaving.json', 'profiles/leaving/secret/'],
    ['an organization', 'leaving', '/config/leaving.json', 'secret/'],
  ])('of %s', async (_what, org, path, action) => {
    await call('PUT', path, {});
    const held = async () => Object((await call('GET', `/config/${org}/usage.json`)).json()).secrets.used as number;
    const before = await held();
    const secrets = { one: { ...secret, value: VALUE }, two: { ...secret, value: VALUE } };
    expect((await call('PUT', `${path}?replace=true`, { secrets })).status).toBe(200);
    expect(await held()).toBe(before + 2);
    // A secret sent back without its value is kept.
    expect((await call('PUT', `${path}?replace=true`, { title: 'One is left', secrets: { one: secret } })).status).toBe(200);
    expect(await held()).toBe(before + 1);
    expect((await call('PUT', `${path}?replace=true`, { title: 'None is left' })).status).toBe(200);
    expect(await held()).toBe(before);
    const { entries } = Object((await call('GET', `/config/${org}/log.json`)).json());
    const done = entries.map((entry: { action: string }) => entry.action).filter((one: string) => one.includes(action));
    expect(done.toSorted()).toEqual([`delete-${action}one`, `delete-${action}two`, `set-${action}one`, `set-${action}two`]);
  });
});

describe('at the addresses of the entries of a document,', () => {
  const plain = Object(PUBLISHED.find(({ what }) => what === 'plain')?.document);
  const times = { created: plain.created, lastModified: plain.lastModified };

  it('a secret named in a document can be listed, read, and removed from both places', async () => {
    const secrets = { named: { id: 'n', type: 'hashed', ...times }, valued: { id: 'v', type: 'key', ...times, value: VALUE } };
    await call('PUT', '/config/wknd/sites/listed.json', { ...plain, secrets });
    const names = async () => Object.keys(Object((await call('GET', '/config/wknd/sites/listed/secrets.json')).json()));
    expect(await names()).toEqual(['named', 'valued']);
    for (const name of await names()) {
      const read = await call('GET', `/config/wknd/sites/listed/secrets/${name}.json`);
      const remove = (etag: string) =>
        backend.call('DELETE', `/config/wknd/sites/listed/secrets/${name}.json`, { as: OPERATOR, headers: { 'if-match': etag } });
      expect((await remove('"another"')).status).toBe(412);
      expect((await remove(String(read.headers['etag']))).status).toBe(204);
    }
    expect(await names()).toEqual([]);
    expect(Object((await call('GET', '/config/wknd/sites/listed.json')).json())).not.toHaveProperty('secrets');
    expect((await call('DELETE', '/config/wknd/sites/listed/secrets/named.json')).status).toBe(404);
  });

  it.each([
    ['application/json', JSON.stringify({ txt: 'User-agent: *' })],
    ['application/x-www-form-urlencoded', 'txt=User-agent%3A+*'],
    ['text/plain', 'User-agent: *'],
  ])('robots.txt is accepted as %s', async (media, body) => {
    await call('PUT', '/config/wknd/sites/robots.json', plain);
    const path = '/config/wknd/sites/robots/robots.txt';
    expect((await backend.call('POST', path, { as: OPERATOR, body, headers: { 'content-type': media } })).text).toBe('User-agent: *');
    expect((await call('GET', path)).text).toBe('User-agent: *');
    expect((await call('GET', '/config/wknd/sites/robots/robots.json')).json()).toEqual({ txt: 'User-agent: *' });
    expect((await call('DELETE', path)).status).toBe(204);
  });

  it('a list of users adds new ones, accepts existing ones unchanged, and removes no one', async () => {
    const path = '/config/wknd/users.json';
    const before: unknown[] = (await call('GET', path)).json() as unknown[];
    const users = [
      { id: 'ada', email: 'ada@example.com', roles: ['media_author'] },
      { id: 'eda', email: 'eda@example.com', roles: ['author', 'publish'] },
    ];
    expect((await call('POST', path, users)).json()).toEqual(users);
    expect((await call('GET', path)).json()).toEqual([...before, ...users]);
    expect((await call('POST', path, [...before, ...users])).status).toBe(200);
    const other = { ...users[0], roles: ['author'] };
    expect((await call('POST', path, [other])).json()).toEqual([other]);
    expect((await call('GET', path)).json()).toEqual([...before, other, users[1]]);
    expect(await call('POST', path, [{ email: 'EDA@example.com', roles: ['admin'] }])).toMatchObject({ status: 409, code: 'USER_EXISTS' });
    expect((await call('POST', path, [...users, ...users])).code).toBe('BODY_INVALID');
  });

  it('setting a part of a site keeps the other parts', async () => {
    await call('PUT', '/config/wknd/sites/beside.json', { ...plain, limits: { pages: { most: 1 } }, tokens: { one: { hash: HASH } } });
    expect((await call('POST', '/config/wknd/sites/beside/features.json', { fast: {} })).json()).toEqual({ fast: {} });
    expect((await call('PUT', '/config/wknd/sites/beside.json', { title: 'Beside' })).json()).toMatchObject({
      limits: { pages: { most: 1 } },
      features: { fast: {} },
      tokens: { one: {} },
    });
    expect((await call('GET', '/config/wknd/sites/beside/tokens.json')).text).not.toContain(HASH);
  });
});

it.each([
  ['events', { github: { target: 'no repository' } }, '/events/github/target'],
  ['events', {}, '/events/github'],
  ['features', { fast: true }, '/features/fast'],
  ['limits', { pages: { description: 1 } }, '/limits/pages/description'],
  ['secrets', { one: { type: 'key' } }, '/secrets/one/id'],
  ['secrets', { 'a b': { id: 'x' } }, '/secrets/a b'],
  ['apiKeys', { one: { id: 'a b' } }, '/apiKeys/one/id'],
  ['tokens', { one: { value: 'x' } }, '/tokens/one/value'],
])('a document that is invalid by the published schema is refused: %s %j', async (part, value, pointer) => {
  const answer = await call('PUT', '/config/wknd/sites/invalid.json', {
    ...Object(PUBLISHED.find(({ what }) => what === 'plain')?.document),
    [part]: value,
  });
  expect(answer).toMatchObject({ status: 400, code: 'BODY_INVALID', text: expect.stringContaining(`"pointer": "${pointer}"`) });
});

it.each(['/code/wknd/first', '/code/wknd/first/', '/code/wknd/first?page=1'])('%s is refused because it names no branch', async (path) => {
  const answer = await call('GET', path);
  expect([answer.status, answer.error]).toEqual([404, 'The address of code needs a branch. Write "/code/wknd/first/main".']);
});

export type Document = Readonly<Record<string, unknown>>;
export interface Published {
  readonly kind: 'site' | 'profile' | 'org';
  readonly what: string;
  readonly document: Document;
}

const TIME = '2024-03-05T06:07:08.000Z';
const times = { version: 1, created: TIME, lastModified: '2025-04-06T07:08:09.123Z' };
const user = (email: string, ...roles: string[]) => ({ id: Buffer.from(email).toString('base64url'), email, roles });
const secret = (more: Document = {}) => ({ id: 'c2VjcmV0', type: 'hashed', created: TIME, lastModified: TIME, ...more });
export const HASH = 'q1w2e3r4t5y6u7i8o9p0_a-s=';
export const VALUE = 'the-value-that-nobody-reads-again';
const apiKey = (more: Document = {}) => ({
  id: 'a/b+c_d-e',
  created: TIME,
  expiration: '2030-01-01T00:00:00.000Z',
  roles: ['publish', 'media_author'],
  subject: 'wknd/site',
  ...more,
});

const admin = user('operator@example.com', 'admin');
const ORGS: Readonly<Record<string, Document>> = {
  'with a title and users': {
    title: 'Northwind',
    description: 'Outdoor',
    users: [admin, { ...user('ada@example.com', 'author'), name: 'Ada' }],
  },
  'with every role of the published list': {
    users: [
      admin,
      user(
        'all@example.com',
        'author',
        'publish',
        'develop',
        'basic_author',
        'basic_publish',
        'config',
        'config_admin',
        'view',
        'media_author',
      ),
    ],
  },
  'with a user without roles': { users: [admin, user('none@example.com')] },
  'with groups': {
    users: [admin, user('/groups/editors', 'author')],
    groups: { editors: { members: [{ email: 'ada@example.com', name: 'Ada', department: 'Web' }] }, 'Old_Team=': { members: [] } },
  },
  'with redacted secrets': { users: [admin], secrets: { deploy: secret(), signing: secret({ type: 'key', description: 'Signs' }) } },
  'with the hash of a secret': { users: [admin], secrets: { 'reader-1': secret({ hash: HASH }) } },
  'with the value of a secret': { users: [admin], secrets: { vendor: secret({ type: 'key', value: VALUE }) } },
  'with API keys': { users: [admin], apiKeys: { ci: apiKey(), cd: apiKey({ description: 'Deployments' }) } },
  'with tokens': { users: [admin], tokens: { old: { id: 'old', hash: HASH, created: TIME }, bare: {} } },
  'with keys that administer': { users: [admin], access: { admin: { apiKeyId: ['a', 'b'] } } },
  'with a registry of its own': { users: [admin], registry: 'custom', access: {} },
  'with the registry of an identity provider': { users: [admin], registry: 'ims' },
  'with the registry of the code host': { users: [admin], registry: 'github', access: { admin: {} } },
  'with an editor': { users: [admin], editor: { theme: { dark: true }, plugins: ['one'] } },
};

const withSecrets = {
  'with redacted secrets': { secrets: { reader: secret({ description: 'For the crawler' }), vendor: secret({ type: 'key' }) } },
  'with the hash of a secret': { secrets: { 'reader_2=': secret({ hash: HASH }) } },
  'with the value of a secret': { secrets: { vendor: secret({ type: 'key', value: VALUE }), reader: secret({ value: VALUE }) } },
  'with API keys': { apiKeys: { 'key-1': apiKey(), KEY_2: apiKey({ description: 'Publishing', roles: [] }) } },
  'with tokens': { tokens: { 'token-1': { id: 'token-1', hash: HASH, created: TIME }, 'token_2=': { id: 'x' }, empty: {} } },
};

/** A profile may have everything that a site may, except a name, a profile and the secret of a repository. */
function asProfile({ name: _name, extends: _extends, ...parts }: Document): Document {
  const code: Document = Object(parts['code']);
  const { secretId: _secretId, ...source }: Document = Object(code['source']);
  return parts['code'] === undefined ? parts : { ...parts, code: { ...code, source } };
}

const PROFILES: Readonly<Record<string, Document>> = {
  ...mapped(PUBLISHED_SITES, asProfile),
  ...withSecrets,
  'that is empty': {},
  'with a title': { title: 'Brand', description: 'All sites of the brand' },
  'with code and content': { code: PUBLISHED_SITES.plain?.['code'], content: PUBLISHED_SITES.plain?.['content'] },
  'with headers and folders': { headers: PUBLISHED_SITE_PARTS['headers'], folders: PUBLISHED_SITE_PARTS['folders'] },
  'with hosts': { cdn: PUBLISHED_SITE_PARTS['cdn'] },
  'with people': { access: PUBLISHED_SITE_PARTS['access'], groups: PUBLISHED_SITE_PARTS['groups'] },
  'with credentials': {
    secrets: { redacted: secret(), hashed: secret({ hash: HASH }), sealed: secret({ type: 'key', value: VALUE }) },
    tokens: { first: { id: 'first', hash: HASH, created: TIME } },
    apiKeys: { ci: apiKey() },
  },
  'with a sidekick': { sidekick: PUBLISHED_SITE_PARTS['sidekick'], metadata: { source: ['metadata.json', 'more.json'] } },
  'with parts without effect': {
    events: PUBLISHED_SITE_PARTS['events'],
    features: PUBLISHED_SITE_PARTS['features'],
    limits: PUBLISHED_SITE_PARTS['limits'],
    editor: PUBLISHED_SITE_PARTS['editor'],
  },
  'with robots.txt and a public part': { robots: { txt: 'User-agent: *\n' }, public: { theme: 'dark', levels: [1, 2, { three: null }] } },
};

/** Realistic configurations of the public service, each valid by its published schema. */
export const PUBLISHED: readonly Published[] = [
  ...Object.entries({ ...PUBLISHED_SITES, ...mapped(withSecrets, (parts) => ({ ...PUBLISHED_SITES.plain, ...parts })) }).map(
    ([what, document]) => ({ kind: 'site', what, document: { ...times, ...document } }) as const,
  ),
  ...Object.entries(PROFILES).map(([what, document]) => ({ kind: 'profile', what, document: { ...times, ...document } }) as const),
  ...Object.entries(ORGS).map(([what, document]) => ({ kind: 'org', what, document: { ...times, ...document } }) as const),
];

function mapped(entries: Readonly<Record<string, Document>>, map: (entry: Document) => Document): Record<string, Document> {
  return Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, map(entry)]));
}
