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
  const WRITES: Readonly<Record<string, Write>> = {
    putSite: { path: site('put'), body: siteBody('wknd', 'put', CODE) },
    postSite: { path: site('post'), body: siteBody('wknd', 'post', CODE) },
    deleteSite: { path: site('gone'), before: () => putSite('gone') },
    setRobots: { path: site('robots', '/robots.txt'), body: 'User-agent: *', before: () => putSite('robots') },
    deleteRobots: { path: site('no-robots', '/robots.txt'), before: () => putSite('no-robots', { robots: { txt: 'User-agent: *' } }) },
    putSiteQueryYaml: { path: site('put-query', '/content/query.yaml'), body: 'indices: {}\n', before: () => putSite('put-query') },
    postSiteQueryYaml: { path: site('post-query', '/content/query.yaml'), body: 'indices: {}\n', before: () => putSite('post-query') },
    deleteSiteQueryYaml: {
      path: site('no-query', '/content/query.yaml'),
      before: () => putSite('no-query', { query: { yaml: 'indices: {}\n' } }),
    },
    putSiteSitemapYaml: {
      path: site('put-sitemap', '/content/sitemap.yaml'),
      body: 'sitemaps: {}\n',
      before: () => putSite('put-sitemap'),
    },
    postSiteSitemapYaml: {
      path: site('post-sitemap', '/content/sitemap.yaml'),
      body: 'sitemaps: {}\n',
      before: () => putSite('post-sitemap'),
    },
    deleteSiteSitemapYaml: {
      path: site('no-sitemap', '/content/sitemap.yaml'),
      before: () => putSite('no-sitemap', { sitemap: { yaml: 'sitemaps: {}\n' } }),
    },
    setSiteGroup: { path: site('group', '/groups/team.json'), body: group(), before: () => putSite('group') },
    deleteSiteGroup: { path: site('no-group', '/groups/team.json'), before: () => putSite('no-group', { groups: { team: group() } }) },
    setSiteEditorEntry: { path: site('editor', '/editor/universal.json'), body: { theme: 'dark' }, before: () => putSite('editor') },
    deleteSiteEditorEntry: {
      path: site('no-editor', '/editor/universal.json'),
      before: () => putSite('no-editor', { editor: { universal: { theme: 'dark' } } }),
    },
    setProfileEditorEntry: {
      path: profile('editor', '/editor/universal.json'),
      body: { theme: 'dark' },
      before: () => putProfile('editor'),
    },
    deleteProfileEditorEntry: {
      path: profile('no-editor', '/editor/universal.json'),
      before: () => putProfile('no-editor', { editor: { universal: { theme: 'dark' } } }),
    },
    setOrgAccessAdmin: { path: org('/access/admin.json'), body: { apiKeyId: ['one'] } },
    deleteOrgAccessAdmin: { path: org('/access/admin.json'), before: () => done('POST', org('/access/admin.json'), { apiKeyId: ['two'] }) },
    setSecret: { path: site('secret', '/secrets/cm-byog.json'), body: { value: SECRET }, before: () => putSite('secret') },
    generateSecret: { path: site('generated', '/secrets.json'), before: () => putSite('generated') },
    deleteSecret: {
      path: site('no-secret', '/secrets/cm-byog.json'),
      before: async () => {
        await putSite('no-secret');
        await done('POST', site('no-secret', '/secrets/cm-byog.json'), { value: SECRET });
      },
    },
    generateProfileSecret: { path: profile('generated', '/secrets.json'), before: () => putProfile('generated') },
    setProfileSecret: { path: profile('secret', '/secrets/own.json'), body: { value: SECRET }, before: () => putProfile('secret') },
    deleteProfileSecret: {
      path: profile('no-secret', '/secrets/own.json'),
      before: async () => {
        await putProfile('no-secret');
        await done('POST', profile('no-secret', '/secrets/own.json'), { value: SECRET });
      },
    },
    generateOrgSecret: { path: org('/secrets.json') },
    setOrgSecret: { path: org('/secrets/own.json'), body: { value: SECRET } },
    deleteOrgSecret: { path: org('/secrets/old.json'), before: () => done('POST', org('/secrets/old.json'), { value: SECRET }) },
    createSiteToken: { path: site('token', '/tokens.json'), before: () => putSite('token') },
    deleteSiteToken: {
      path: site('no-token', '/tokens/old.json'),
      before: () => putSite('no-token', { tokens: { old: { id: 'old' } } }),
    },
    createProfileToken: { path: profile('token', '/tokens.json'), before: () => putProfile('token') },
    deleteProfileToken: {
      path: profile('no-token', '/tokens/old.json'),
      before: () => putProfile('no-token', { tokens: { old: { id: 'old' } } }),
    },
    nameVersion: { path: site('version', '/versions/1.json'), body: { name: 'first' }, before: () => putSite('version') },
    deleteVersion: { path: site('no-version', '/versions/1.json'), before: () => twice((title) => putSite('no-version', { title })) },
    putProfile: { path: profile('put'), body: { title: 'Put' } },
    postProfile: { path: profile('post'), body: { title: 'Post' } },
    deleteProfile: { path: profile('gone'), before: () => putProfile('gone') },
    setProfileRobots: { path: profile('robots', '/robots.txt'), body: 'User-agent: *', before: () => putProfile('robots') },
    deleteProfileRobots: {
      path: profile('no-robots', '/robots.txt'),
      before: () => putProfile('no-robots', { robots: { txt: 'User-agent: *' } }),
    },
    setProfileGroup: { path: profile('group', '/groups/team.json'), body: group(), before: () => putProfile('group') },
    deleteProfileGroup: {
      path: profile('no-group', '/groups/team.json'),
      before: () => putProfile('no-group', { groups: { team: group() } }),
    },
    nameProfileVersion: { path: profile('version', '/versions/1.json'), body: { name: 'first' }, before: () => putProfile('version') },
    deleteProfileVersion: {
      path: profile('no-version', '/versions/1.json'),
      before: () => twice((title) => putProfile('no-version', { title })),
    },
    putOrg: { path: org('.json'), body: { title: 'Put' } },
    postOrg: { path: org('.json'), body: { title: 'Post' } },
    nameOrgVersion: { path: org('/versions/1.json'), body: { name: 'claimed' } },
    deleteOrgVersion: { path: org('/versions/1.json'), before: () => twice((title) => done('PUT', org('.json'), { title })) },
    addOrgUser: { path: org('/users.json'), body: { email: 'new@example.com', roles: ['author'] } },
    setOrgUser: { path: org('/users/set.json'), body: { email: 'set@example.com', roles: ['publish'] }, before: () => addUser('set') },
    deleteOrgUser: { path: org('/users/del.json'), before: () => addUser('del') },
    setOrgGroup: { path: org('/groups/team.json'), body: group() },
    deleteOrgGroup: { path: org('/groups/old.json'), before: () => done('POST', org('/groups/old.json'), group()) },
    createApiKey: { path: site('key', '/apiKeys.json'), body: { roles: ['author'] }, before: () => putSite('key') },
    createProfileApiKey: { path: profile('key', '/apiKeys.json'), body: { roles: ['author'] }, before: () => putProfile('key') },
    createOrgApiKey: { path: org('/apiKeys.json'), body: { roles: ['author'] } },
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
