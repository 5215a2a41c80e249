import { partEndpointId } from '@repoless/contract/endpoints.ts';
import { SITE_PART_NAMES, type SitePart } from '@repoless/contract/site.ts';
import { BODY_EXAMPLES } from '@repoless/service/http/openapi-examples.ts';
import type { TestAnswer } from '../support/ask.ts';
import { OPERATOR, siteBody } from '../support/backend.ts';

/** A write that succeeds and changes something. `before` creates what it needs. */
export interface Write {
  readonly path: string;
  readonly body?: unknown;
  readonly before?: () => Promise<unknown>;
}

export const SUBSCRIPTION = { channel: { type: 'webhook', url: 'https://hooks.example.com/repoless' } };
/** The value of a secret; it must appear nowhere. */
export const SECRET = 'a-secret-of-build-management';

export const org = (rest: string) => `/config/wknd${rest}`;
export const site = (name: string, rest = '.json') => org(`/sites/${name}${rest}`);
export const profile = (name: string, rest = '.json') => org(`/profiles/${name}${rest}`);

export const CODE = { code: { owner: 'wknd', repo: 'wknd' } };
export const content = { source: { url: 'https://content.example.com/wknd', type: 'markup', suffix: '.html' } };

/** What a part is set to: its example, unless the site has that already, or only one site may. */
function valueOf(part: SitePart): unknown {
  return OWN_VALUES[part] ?? BODY_EXAMPLES[partEndpointId('Site', part, 'set')];
}
const OWN_VALUES: Readonly<Partial<Record<SitePart, unknown>>> = {
  content,
  code: { owner: 'wknd', repo: 'another' },
  access: { admin: { requireAuth: 'auto' } },
  'access/admin': { requireAuth: true },
  public: { theme: 'dark' },
  extends: { profile: 'base' },
};

/** The writes by their rows. `done` makes a call as an administrator that must succeed. */
export function auditedWrites(done: (method: string, path: string, body?: unknown) => Promise<TestAnswer>) {
  const putSite = (name: string, more: Readonly<Record<string, unknown>> = {}) =>
    done('PUT', site(name), siteBody('wknd', name, { ...CODE, ...more }));
  const putProfile = (name: string, more: Readonly<Record<string, unknown>> = {}) => done('PUT', profile(name), more);
  async function addUser(id: string): Promise<void> {
    const users = [
      { email: OPERATOR, roles: ['admin'] },
      { id, email: `${id}@example.com`, roles: ['author'] },
    ];
    await done('PUT', org('.json'), { users });
  }
  /** A write below a site that is put first; `has`: properties that the site then has. */
  const onSite = (
    name: string,
    rest: string,
    { body, has = {} }: { body?: unknown; has?: Readonly<Record<string, unknown>> } = {},
  ): Write => ({
    path: site(name, rest),
    body,
    before: () => putSite(name, has),
  });
  const onProfile = (
    name: string,
    rest: string,
    { body, has = {} }: { body?: unknown; has?: Readonly<Record<string, unknown>> } = {},
  ): Write => ({
    path: profile(name, rest),
    body,
    before: () => putProfile(name, has),
  });
  /** A write to what the body creates first. */
  const onPosted = (path: string, body: unknown, before?: () => Promise<unknown>): Write => ({
    path,
    before: async () => {
      await before?.();
      await done('POST', path, body);
    },
  });
  const [query, sitemap, editor] = ['indices: {}\n', 'sitemaps: {}\n', { universal: { theme: 'dark' } }];
  const [queryYaml, sitemapYaml, universal] = ['/content/query.yaml', '/content/sitemap.yaml', '/editor/universal.json'];
  const [secret, author] = [{ value: SECRET }, { roles: ['author'] }];
  const WRITES: Readonly<Record<string, Write>> = {
    putSite: { path: site('put'), body: siteBody('wknd', 'put', CODE) },
    postSite: { path: site('post'), body: siteBody('wknd', 'post', CODE) },
    deleteSite: onSite('gone', '.json'),
    setRobots: onSite('robots', '/robots.txt', { body: 'User-agent: *' }),
    deleteRobots: onSite('no-robots', '/robots.txt', { has: { robots: { txt: 'User-agent: *' } } }),
    putSiteQueryYaml: onSite('put-query', queryYaml, { body: query }),
    postSiteQueryYaml: onSite('post-query', queryYaml, { body: query }),
    deleteSiteQueryYaml: onSite('no-query', queryYaml, { has: { query: { yaml: query } } }),
    putSiteSitemapYaml: onSite('put-sitemap', sitemapYaml, { body: sitemap }),
    postSiteSitemapYaml: onSite('post-sitemap', sitemapYaml, { body: sitemap }),
    deleteSiteSitemapYaml: onSite('no-sitemap', sitemapYaml, { has: { sitemap: { yaml: sitemap } } }),
    setSiteGroup: onSite('group', '/groups/team.json', { body: group() }),
    deleteSiteGroup: onSite('no-group', '/groups/team.json', { has: { groups: { team: group() } } }),
    setSiteEditorEntry: onSite('editor', universal, { body: editor.universal }),
    deleteSiteEditorEntry: onSite('no-editor', universal, { has: { editor } }),
    setProfileEditorEntry: onProfile('editor', universal, { body: editor.universal }),
    deleteProfileEditorEntry: onProfile('no-editor', universal, { has: { editor } }),
    setOrgAccessAdmin: { path: org('/access/admin.json'), body: { apiKeyId: ['one'] } },
    deleteOrgAccessAdmin: onPosted(org('/access/admin.json'), { apiKeyId: ['two'] }),
    setSecret: onSite('secret', '/secrets/cm-byog.json', { body: secret }),
    generateSecret: onSite('generated', '/secrets.json'),
    deleteSecret: onPosted(site('no-secret', '/secrets/cm-byog.json'), secret, () => putSite('no-secret')),
    generateProfileSecret: onProfile('generated', '/secrets.json'),
    setProfileSecret: onProfile('secret', '/secrets/own.json', { body: secret }),
    deleteProfileSecret: onPosted(profile('no-secret', '/secrets/own.json'), secret, () => putProfile('no-secret')),
    generateOrgSecret: { path: org('/secrets.json') },
    setOrgSecret: { path: org('/secrets/own.json'), body: secret },
    deleteOrgSecret: onPosted(org('/secrets/old.json'), secret),
    createSiteToken: onSite('token', '/tokens.json'),
    deleteSiteToken: onSite('no-token', '/tokens/old.json', { has: { tokens: { old: { id: 'old' } } } }),
    createProfileToken: onProfile('token', '/tokens.json'),
    deleteProfileToken: onProfile('no-token', '/tokens/old.json', { has: { tokens: { old: { id: 'old' } } } }),
    nameVersion: onSite('version', '/versions/1.json', { body: { name: 'first' } }),
    deleteVersion: { path: site('no-version', '/versions/1.json'), before: () => twice((title) => putSite('no-version', { title })) },
    putProfile: { path: profile('put'), body: { title: 'Put' } },
    postProfile: { path: profile('post'), body: { title: 'Post' } },
    deleteProfile: onProfile('gone', '.json'),
    setProfileRobots: onProfile('robots', '/robots.txt', { body: 'User-agent: *' }),
    deleteProfileRobots: onProfile('no-robots', '/robots.txt', { has: { robots: { txt: 'User-agent: *' } } }),
    setProfileGroup: onProfile('group', '/groups/team.json', { body: group() }),
    deleteProfileGroup: onProfile('no-group', '/groups/team.json', { has: { groups: { team: group() } } }),
    nameProfileVersion: onProfile('version', '/versions/1.json', { body: { name: 'first' } }),
    deleteProfileVersion: {
      path: profile('no-version', '/versions/1.json'),
      before: () => twice((title) => putProfile('no-version', { title })),
    },
    putOrg: { path: org('.json'), body: { title: 'Put' } },
    postOrg: { path: org('.json'), body: { title: 'Post' } },
    nameOrgVersion: { path: org('/versions/1.json'), body: { name: 'claimed' } },
    deleteOrgVersion: { path: org('/versions/1.json'), before: () => twice((title) => done('PUT', org('.json'), { title })) },
    addOrgUser: { path: org('/users.json'), body: { email: 'new@example.com', ...author } },
    setOrgUser: { path: org('/users/set.json'), body: { email: 'set@example.com', roles: ['publish'] }, before: () => addUser('set') },
    deleteOrgUser: { path: org('/users/del.json'), before: () => addUser('del') },
    setOrgGroup: { path: org('/groups/team.json'), body: group() },
    deleteOrgGroup: onPosted(org('/groups/old.json'), group()),
    createApiKey: onSite('key', '/apiKeys.json', { body: author }),
    createProfileApiKey: onProfile('key', '/apiKeys.json', { body: author }),
    createOrgApiKey: { path: org('/apiKeys.json'), body: author },
    // These sites have nothing to remove, so only the start is recorded.
    startRollout: {
      path: org('/rollouts.json'),
      body: { title: 'Nothing', edits: [{ op: 'remove', path: '/robots' }], sites: ['rolled'] },
      before: () => putSite('rolled'),
    },
    createSubscription: { path: org('/subscriptions.json'), body: SUBSCRIPTION },
    startSync: { path: '/code/wknd/sync/main/*', before: () => putSite('sync') },
    startBranchSync: { path: '/code/wknd/branch-sync/main', before: () => putSite('branch-sync') },
  };
  /** A part of a site, `setSitePublic`, or of a profile, `deleteProfilePublic`. */
  function partWrite(id: string): Write | undefined {
    const owner = id.includes('Profile') ? 'Profile' : 'Site';
    const operation = id.startsWith('delete') ? 'remove' : 'set';
    const known = SITE_PART_NAMES.find((part) => partEndpointId(owner, part, operation) === id);
    if (known === undefined) return undefined;
    const name = `${operation}-${known.replace('/', '-')}`;
    const path = owner === 'Site' ? site(name, `/${known}.json`) : profile(name, `/${known}.json`);
    const make = (more: Readonly<Record<string, unknown>>) =>
      owner === 'Site' ? putSite(name, { extends: { profile: 'base' }, ...more }) : putProfile(name, more);
    if (operation === 'remove') return { path, before: () => make(nested(known)) };
    if (known === 'extends') return { path, body: valueOf(known), before: () => putSite(name) };
    return { path, body: valueOf(known), before: () => make({}) };
  }
  return { putSite, putProfile, writeOf: (id: string): Write | undefined => WRITES[id] ?? partWrite(id) };
}

function nested(part: SitePart): Record<string, unknown> {
  return part.split('/').reduceRight<unknown>((value, key) => ({ [key]: value }), valueOf(part)) as Record<string, unknown>;
}

function group() {
  return { members: [{ email: 'eda@example.com' }] };
}

/** Writes twice, so that a previous version exists. */
export async function twice(write: (title: string) => Promise<unknown>): Promise<void> {
  for (const title of ['One', 'Two']) await write(title);
}
