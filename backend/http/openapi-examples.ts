const github = { owner: 'wknd', repo: 'wknd', source: { type: 'github', url: 'https://github.com/wknd/wknd' } };
const content = {
  source: {
    url: 'https://author-p100-e200.adobeaemcloud.com/bin/franklin.delivery/wknd/wknd-de/main',
    type: 'markup',
    suffix: '.html',
  },
};
const admin = { role: { admin: ['ada.admin@example.com'], config_admin: ['p100-e200@techacct.example.com'] }, requireAuth: 'auto' };

/** Example bodies of calls, by identifier; each is valid for its row. */
export const BODY_EXAMPLES: Readonly<Record<string, unknown>> = {
  putSite: { version: 1, code: github, content },
  postSite: { code: github, content, access: { admin } },
  'public:set': {
    paths: {
      mappings: ['/content/wknd/de/:/', '/content/wknd/de/configuration:/.helix/config.json'],
      includes: ['/content/wknd/de/'],
    },
  },
  'access:set': { admin },
  'access/admin:set': admin,
  'code:set': github,
  'content:set': content,
  setRobots: 'User-agent: *\nAllow: /\n',
  setSiteGroup: { members: [{ email: 'ada.admin@example.com', name: 'Ada' }] },
  putOrg: { users: [{ email: 'ada.admin@example.com', roles: ['admin'] }] },
  postOrg: { users: [{ email: 'ada.admin@example.com', roles: ['admin'] }] },
  setSecret: { value: 'the-secret-of-build-management' },
  challengeOrg: { repository: 'wknd' },
};

/** Example values of path parameters, by name. */
export const PARAMETER_EXAMPLES: Readonly<Record<string, string | number>> = {
  org: 'wknd',
  site: 'wknd-de',
  ref: 'main',
  version: 1,
  group: 'editors',
  name: 'cm-byog',
  owner: '100',
  repo: '200',
  host: 'author-p100-e200.adobeaemcloud.com',
  path: 'content/wknd.json',
};
