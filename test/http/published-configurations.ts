import { PUBLISHED_SITE_PARTS, PUBLISHED_SITES } from './published-sites.ts';

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

/** What a site may have, a profile may have, but for a name, a profile of its own and the secret of a repository. */
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
  'with parts that mean nothing here': {
    events: PUBLISHED_SITE_PARTS['events'],
    features: PUBLISHED_SITE_PARTS['features'],
    limits: PUBLISHED_SITE_PARTS['limits'],
    editor: PUBLISHED_SITE_PARTS['editor'],
  },
  'with robots.txt and a public part': { robots: { txt: 'User-agent: *\n' }, public: { theme: 'dark', levels: [1, 2, { three: null }] } },
};

/** Configurations as companies have them at the public service, each valid by its published schema. */
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
