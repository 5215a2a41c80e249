import { partEndpointId } from '@repoless/contract/endpoints.ts';
import { PROFILE_PART_NAMES, SITE_PART_NAMES, type SitePart } from '@repoless/contract/site.ts';

const QUERY_YAML =
  'indices:\n  default:\n    include: [/**]\n    target: /query-index.json\n    properties:\n      title:\n        selectFirst: head > title\n        value: textContent(el)\n';
const SITEMAP_YAML = 'sitemaps:\n  default:\n    source: /query-index.json\n    destination: /sitemap.xml\n    lastmod: YYYY-MM-DD\n';

const github = { owner: 'wknd', repo: 'wknd', source: { type: 'github', url: 'https://github.com/wknd/wknd' } };
const content = {
  source: {
    url: 'https://author-p100-e200.adobeaemcloud.com/bin/franklin.delivery/wknd/wknd-de/main',
    type: 'markup',
    suffix: '.html',
  },
};
const admin = { role: { admin: ['ada.admin@example.com'], config_admin: ['p100-e200@techacct.example.com'] }, requireAuth: 'auto' };
const readers = { allow: ['*@example.com'], requireAuth: 'auto' };
const prod = { type: 'managed', host: 'www.example.com', route: ['/de/*'] };

/** For the parts of a site, and those of a profile, which have the same form. */
const PART_EXAMPLES: Readonly<Record<SitePart, unknown>> = {
  public: {
    paths: {
      mappings: ['/content/wknd/de/:/', '/content/wknd/de/configuration:/.helix/config.json'],
      includes: ['/content/wknd/de/'],
    },
  },
  access: { admin },
  'access/admin': admin,
  'access/site': readers,
  'access/preview': readers,
  'access/live': { ...readers, requireAuth: false },
  code: github,
  content: content,
  headers: { '/**': [{ key: 'x-frame-options', value: 'SAMEORIGIN' }] },
  folders: { '/products/': '/products/default' },
  cdn: { prod },
  'cdn/prod': prod,
  sidekick: { project: 'Tarnfell' },
  'cdn/preview': { host: 'preview.example.com' },
  'cdn/live': { host: 'live.example.com' },
  'cdn/review': { host: 'review.example.com' },
  metadata: { source: ['metadata.json'] },
  groups: { editors: { members: [{ email: 'ada.admin@example.com', name: 'Ada' }] } },
  robots: { txt: 'User-agent: *\nAllow: /\n' },
  events: { github: { target: 'wknd/events' } },
  features: { personalisation: { enabled: true } },
  limits: { pages: { description: 'Pages of the site', most: 5000 } },
  editor: { theme: 'dark' },
  extends: { profile: 'default' },
};

const examples: Readonly<Record<string, unknown>> = {
  putSite: { version: 1, code: github, content },
  postSite: { code: github, content, access: { admin } },
  setRobots: 'User-agent: *\nAllow: /\n',
  putSiteCheck: {
    version: 1,
    switched: true,
    environment: { author: 'https://author-p1-e2.example.com', technicalAccount: 'f2b1c0@techacct.example.com' },
    drifts: [{ field: 'siteName', authoring: 'wknd', service: 'wknd-de' }],
    findings: [{ check: 'project-type', verdict: 'fine', data: {} }],
  },
  putSiteQueryYaml: QUERY_YAML,
  postSiteQueryYaml: QUERY_YAML,
  putSiteSitemapYaml: SITEMAP_YAML,
  postSiteSitemapYaml: SITEMAP_YAML,
  setSiteGroup: { members: [{ email: 'ada.admin@example.com', name: 'Ada' }] },
  setSiteEditorEntry: { theme: 'dark' },
  setProfileEditorEntry: { theme: 'dark' },
  setOrgAccessAdmin: { apiKeyId: ['6f1f0a52-9d3c-4a52-8a1c-0d5c1a3e7b90'] },
  putProfile: { headers: { '/**': [{ key: 'x-frame-options', value: 'SAMEORIGIN' }] } },
  postProfile: { headers: { '/**': [{ key: 'x-frame-options', value: 'SAMEORIGIN' }] } },
  setProfileRobots: 'User-agent: *\nAllow: /\n',
  setProfileGroup: { members: [{ email: 'ada.admin@example.com', name: 'Ada' }] },
  nameVersion: { name: 'before the move' },
  nameProfileVersion: { name: 'before the move' },
  nameOrgVersion: { name: 'before the move' },
  putOrg: { users: [{ email: 'ada.admin@example.com', roles: ['admin'] }] },
  postOrg: { users: [{ email: 'ada.admin@example.com', roles: ['admin'] }] },
  setSecret: { value: 'the-secret-of-build-management' },
  generateSecret: { description: 'What the CDN shows' },
  generateProfileSecret: { description: 'What the CDN shows' },
  generateOrgSecret: { description: 'What the CDN shows' },
  setProfileSecret: { value: 'a-secret-of-your-own', description: 'For a program of ours' },
  setOrgSecret: { value: 'a-secret-of-your-own', description: 'For a program of ours' },
  createProfileApiKey: { description: 'Publishing of the sites of this profile', roles: ['publish'] },
  challengeOrg: { repository: 'wknd' },
  addOrgUser: { email: 'carl.config@example.com', roles: ['config_admin'] },
  setOrgUser: { email: 'carl.config@example.com', roles: ['admin'] },
  setOrgGroup: { members: [{ email: 'ada.admin@example.com', name: 'Ada' }, { email: '*@editors.example.com' }] },
  createOrgApiKey: { description: 'Publishing of all sites', roles: ['publish'], expiresIn: 2_592_000 },
  createApiKey: { description: 'Deployments of this site', roles: ['config_admin'] },
  readEvents: { upTo: 1 },
  startRollout: {
    title: 'Frame the sites nowhere',
    edits: [{ op: 'add', path: '/headers/~1**', value: { key: 'x-frame-options', value: 'DENY' }, by: 'key' }],
    sites: ['wknd-fr', 'wknd-de'],
    waves: [1, '100%'],
  },
  createSubscription: { kinds: ['sync-failed'], channel: { type: 'webhook', url: 'https://hooks.example.com/repoless' } },
  putSubscription: { kinds: ['sync-failed'], sites: ['wknd-de'], channel: { type: 'webhook', url: 'https://hooks.example.com/repoless' } },
  serveAssistant: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'rollouts', arguments: { organization: 'wknd' } } },
  exchangeToken: { token: 'a-token-of-the-authoring-system' },
  authorizeDevice: { client_id: 'nightly-build' },
  deviceToken: { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: 'the-device-code' },
  approveDevice: { user_code: 'ABCD-EFGH', decision: 'allow', nonce: 'the-nonce-of-the-page' },
  addRepositoryLog: {
    entries: [
      {
        id: '0d9ff2a4-52a7-4d9c-8b8c-0c5f0a2f3b11',
        time: '2026-01-31T09:00:00.000Z',
        user: 'ada.admin@example.com',
        action: 'link-repository',
        subject: '7',
        site: 'wknd-de',
        requestId: '5f0f6a1e-6f3a-4b52-8f0b-6a0f5f1f2c11',
      },
    ],
  },
  githubWebhook: { ref: 'refs/heads/main', repository: { name: 'wknd', owner: { login: 'wknd' } } },
  writeAuthoring: { './jcr:title': 'Tarnfell' },
  onboardRepository: {
    programId: '100',
    name: 'Storefront',
    cloneUrl: 'https://git.example.com/northwind/storefront.git',
    vendor: 'github-enterprise',
    accessToken: 'the-access-token-of-the-git-vendor',
  },
  retryRepository: { accessToken: 'the-access-token-of-the-git-vendor' },
  linkRepository: { site: 'wknd-de' },
  createSite: {
    site: 'wknd-fr',
    contentUrl: 'https://author-p100-e200.adobeaemcloud.com/bin/franklin.delivery/wknd/wknd-fr/main',
    technicalAccount: 'p100-e200@techacct.example.com',
  },
  serveCommit: { sha: null },
  syncCode: { branch: 'main' },
  receiveWebhook: { ref: 'refs/heads/main', after: 'da1560886d4f094c3e6c9ef40349f7d38b5d27d7' },
};

const partExamples = Object.fromEntries([
  ...SITE_PART_NAMES.map((part) => [partEndpointId('Site', part, 'set'), PART_EXAMPLES[part]]),
  ...PROFILE_PART_NAMES.map((part) => [partEndpointId('Profile', part, 'set'), PART_EXAMPLES[part]]),
]);

/** Example bodies of calls, by identifier; each is valid for its row. The OpenAPI document and the page at / show them. */
export const BODY_EXAMPLES: Readonly<Record<string, unknown>> = { ...examples, ...partExamples };

export const PARAMETER_EXAMPLES: Readonly<Record<string, string | number>> = {
  org: 'wknd',
  site: 'wknd-de',
  ref: 'main',
  version: 1,
  from: 1,
  to: 2,
  group: 'editors',
  user: '0b7c6a1e-5d0e-4c5e-9f0f-3f1f6f6d2c11',
  email: 'somebody.who.left@example.com',
  id: '6f1f0a52-9d3c-4a52-8a1c-0d5c1a3e7b90',
  profile: 'default',
  name: 'cm-byog',
  owner: '100',
  repo: '200',
  host: 'author-p100-e200.adobeaemcloud.com',
  path: 'content/wknd.json',
  part: 'headers.json',
  repository: '200',
  webhook: '0b6e5a52-3d0c-4f7e-9d43-6f1f0c5f5a10',
  delivery: '5f0c9e53-1c8a-4a53-8f6b-2f8d7c5a9b21',
  message: 'msg_3d1f0a52-9d3c-4a52-8a1c-0d5c1a3e7b90_1',
  rollout: '7c0d9b1e-54f1-4a0c-9f57-2f7a6d0c1b11',
  subscription: '3d1f0a52-9d3c-4a52-8a1c-0d5c1a3e7b90',
  branch: 'main',
  sha: 'main',
};
