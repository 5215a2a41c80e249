import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import { allEndpoints } from '#contract/endpoints.ts';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import type { TestBackend } from '../support/backend.ts';
import type { Answered } from '../support/ask.ts';

const CALLERS = {
  anonymous: undefined,
  stranger: 'sam.stranger@example.com',
  'admin of another site': 'nora.neighbour@example.com',
  config_admin: 'carl.config@example.com',
  admin: 'ada.admin@example.com',
  'org admin': 'otto.org@example.com',
} as const;

/** What each call answers, in the order of the callers above: let in, or refused as unknown (401) or as unfit (403). */
const EVERYONE = 'in  in  in  in  in  in';
const NOBODY = '401 401 401 401 401 401';
/** Only what the page has shown to its reader is let in, whoever asks. */
const PAGE_ALONE = '401 403 403 403 403 403';
const SIGNED_IN = '401 in  in  in  in  in';
const CONFIGURE = '401 403 403 in  in  in';
const ADMINISTER = '401 403 403 403 in  in';
const ORG_ALONE = '401 403 403 403 403 in';

const EXPECTED: Readonly<Record<string, string>> = {
  listSites: ORG_ALONE,
  getSite: CONFIGURE,
  putSite: CONFIGURE,
  postSite: CONFIGURE,
  deleteSite: ADMINISTER,
  listVersions: CONFIGURE,
  getVersion: CONFIGURE,
  getRobots: CONFIGURE,
  setRobots: CONFIGURE,
  deleteRobots: CONFIGURE,
  getSiteGroup: CONFIGURE,
  setSiteGroup: ADMINISTER,
  deleteSiteGroup: ADMINISTER,
  getOrg: ORG_ALONE,
  putOrg: ORG_ALONE,
  postOrg: ORG_ALONE,
  challengeOrg: SIGNED_IN,
  listSecrets: CONFIGURE,
  generateSecret: CONFIGURE,
  getSecret: CONFIGURE,
  setSecret: CONFIGURE,
  deleteSecret: CONFIGURE,
  getJob: CONFIGURE,
  getJobDetails: CONFIGURE,
  getNamedJob: CONFIGURE,
  startSync: CONFIGURE,
  stopJob: CONFIGURE,
  getCode: CONFIGURE,
  // Known by the key of the settings alone, whoever asks.
  pushed: NOBODY,
  branchDeleted: NOBODY,
  // Everybody gets as far as the check of the signature.
  githubWebhook: EVERYONE,
  login: EVERYONE,
  loginSite: EVERYONE,
  acknowledge: NOBODY,
  profile: SIGNED_IN,
  logout: EVERYONE,
  keys: EVERYONE,
  exchangeToken: EVERYONE,
  authorizeDevice: EVERYONE,
  deviceToken: EVERYONE,
  devicePage: EVERYONE,
  approveDevice: PAGE_ALONE,
  readAuthoring: SIGNED_IN,
  writeAuthoring: SIGNED_IN,
  getService: EVERYONE,
  getHealth: EVERYONE,
  getOpenApi: EVERYONE,
  'content:get': CONFIGURE,
  'content:set': CONFIGURE,
  'content:remove': CONFIGURE,
  'code:get': CONFIGURE,
  'code:set': CONFIGURE,
  'code:remove': CONFIGURE,
  'access:get': CONFIGURE,
  'access:set': ADMINISTER,
  'access:remove': ADMINISTER,
  'access/admin:get': CONFIGURE,
  'access/admin:set': ADMINISTER,
  'access/admin:remove': ADMINISTER,
  'access/site:get': CONFIGURE,
  'access/site:set': CONFIGURE,
  'access/site:remove': CONFIGURE,
  'access/preview:get': CONFIGURE,
  'access/preview:set': CONFIGURE,
  'access/preview:remove': CONFIGURE,
  'access/live:get': CONFIGURE,
  'access/live:set': CONFIGURE,
  'access/live:remove': CONFIGURE,
  'public:get': CONFIGURE,
  'public:set': CONFIGURE,
  'public:remove': CONFIGURE,
  'headers:get': CONFIGURE,
  'headers:set': CONFIGURE,
  'headers:remove': CONFIGURE,
  'folders:get': CONFIGURE,
  'folders:set': CONFIGURE,
  'folders:remove': CONFIGURE,
  'cdn:get': CONFIGURE,
  'cdn:set': CONFIGURE,
  'cdn:remove': CONFIGURE,
  'cdn/prod:get': CONFIGURE,
  'cdn/prod:set': CONFIGURE,
  'cdn/prod:remove': CONFIGURE,
  'sidekick:get': CONFIGURE,
  'sidekick:set': CONFIGURE,
  'sidekick:remove': CONFIGURE,
  'metadata:get': CONFIGURE,
  'metadata:set': CONFIGURE,
  'metadata:remove': CONFIGURE,
  'extends:get': CONFIGURE,
  'extends:set': CONFIGURE,
  'extends:remove': CONFIGURE,
};

const PARAMETERS: Readonly<Record<string, string>> = {
  org: 'wknd',
  site: 'matrix',
  ref: 'main',
  group: 'editors',
  version: '1',
  idp: 'idp',
  name: 'job-2026-01-01-00-00-00-00000000',
  owner: '100',
  repo: '200',
  host: 'author.example.com',
  path: '*',
  'path*': 'content/matrix.json',
};

/** Nothing listens there: the syncs that are begun end at once. */
const CODE_HOST = 'http://127.0.0.1:9';
const CODE = { code: { owner: 'wknd', repo: 'wknd' } };
const MATRIX_SITE = siteBody('wknd', 'matrix', {
  ...CODE,
  access: { admin: { role: { admin: [CALLERS.admin], config_admin: [CALLERS.config_admin] }, requireAuth: 'auto' } },
});

let backend: TestBackend;

beforeAll(async () => {
  backend = await startTestBackend({ settings: { CODE_HOST, CODE_RETRY_DELAY: '1' } });
  const neighbour = siteBody('wknd', 'another-site', {
    ...CODE,
    access: { admin: { role: { admin: [CALLERS['admin of another site']] } } },
  });
  const users = [OPERATOR, CALLERS['org admin']].map((email) => ({ email, roles: ['admin'] }));
  await done(backend.call('PUT', '/config/wknd.json', { as: OPERATOR, body: { users } }));
  await done(backend.call('PUT', '/config/wknd/sites/matrix.json', { as: OPERATOR, body: MATRIX_SITE }));
  await done(backend.call('PUT', '/config/wknd/sites/another-site.json', { as: OPERATOR, body: neighbour }));
});
afterAll(() => backend.stop());

describe.each(allEndpoints())('%s', (id, row) => {
  it.each(Object.entries(CALLERS))('answers %s as the table of permissions says', async (caller, email) => {
    const expected = EXPECTED[id]?.split(/ +/)[Object.keys(CALLERS).indexOf(caller)];
    expect(expected, `the table has no entry for ${id}: say who may call it`).toBeDefined();
    const answer = await backend.call(row.method, addressOf(row), { ...bodyOf(id, row), ...(email !== undefined && { as: email }) });
    expect(outcome(answer), `${answer.status} ${answer.text}`).toBe(expected);
    if (answer.status >= 500) expect(answer.headers['x-error-code']).not.toBe('INTERNAL');
  });
});

it('has no entry for a call that does not exist', () => {
  const known = new Set(allEndpoints().map(([id]) => id));
  expect(Object.keys(EXPECTED).filter((id) => !known.has(id))).toEqual([]);
});

/** Dry runs change nothing, so the callers do not disturb each other. */
function addressOf(row: Endpoint): string {
  const path = row.path.replaceAll(/\{(\w+\*?)\}/g, (_, name: string) => PARAMETERS[name] ?? '');
  return 'dryRun' in row.query.shape ? `${path}?dryRun=true` : path;
}

function bodyOf(id: string, row: Endpoint): { body?: unknown; headers?: Record<string, string> } {
  const [media] = row.body?.media ?? [];
  if (media === undefined) return {};
  if (media !== 'application/json') return { body: 'user_code=ABCD-EFGH&decision=allow&nonce=n', headers: { 'content-type': media } };
  return { body: id === 'putSite' || id === 'postSite' ? MATRIX_SITE : {} };
}

function outcome({ status, headers }: Answered): string {
  const code = headers['x-error-code'];
  if (code === 'NOT_AUTHENTICATED' || (status === 401 && code === undefined)) return '401';
  return code === 'NOT_AUTHORIZED' ? '403' : 'in';
}

async function done(answer: Promise<Answered>): Promise<void> {
  const { status, text } = await answer;
  if (status >= 300) throw new Error(`${status} ${text}`);
}
