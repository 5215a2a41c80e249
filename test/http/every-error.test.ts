import { createServer } from 'node:http';
import { beforeAll, expect, it } from 'vitest';
import { COMMON_ERRORS } from '@repoless/contract/endpoint.ts';
import { allEndpoints } from '@repoless/contract/endpoints.ts';
import { DEVICE_GRANT, DeviceAuthorization } from '@repoless/contract/session.ts';
import { CreatedSubscription } from '@repoless/contract/event.ts';
import { ERRORS, Problem, type ErrorCode } from '@repoless/contract/errors.ts';
import type { TestAnswer, TestRequest } from '../support/ask.ts';
import { callsAs, OPERATOR, publicPart, siteBody, startTestBackend } from '../support/backend.ts';
import { codeHostWith } from '../support/code-sources.ts';
import { startCodeWorld } from '../support/code-world.ts';
import { startBeforeAll, stopAfterTest } from '../support/start-before-all.ts';
import { listen } from '../support/listen.ts';

const ADMIN = 'ada.admin@example.com';
const CARL = 'carl@example.com';
const STRANGER = 'sam.stranger@example.com';
const SITE = '/config/wknd/sites/first.json';
const LIMIT = 4096;
const BUILD_MANAGEMENT_KEY = 'key-of-build-management';
/** Reports for every repository that its ownership is being checked. */
const BUILD_MANAGEMENT = await startOnboarding();

type Call = readonly [method: string, path: string, request?: Omit<TestRequest, 'method'> & { as?: string }];
const as = OPERATOR;

/** A call that is refused with each code. */
const REFUSED: Partial<Record<ErrorCode, Call>> = {
  BODY_UNPARSABLE: ['PUT', SITE, { as, body: '{', headers: { 'content-type': 'application/json' } }],
  BODY_INVALID: ['PUT', SITE, { as, body: { ...siteBody('wknd', 'first'), colour: 'blue' } }],
  BODY_MISSING: ['POST', SITE, { as }],
  BODY_TOO_LARGE: ['PUT', SITE, { as, body: siteBody('wknd', 'first', { description: 'x'.repeat(LIMIT) }) }],
  CONTENT_TYPE_UNSUPPORTED: ['PUT', SITE, { as, body: 'version: 1', headers: { 'content-type': 'text/yaml' } }],
  CONTENT_ENCODING_UNSUPPORTED: [
    'PUT',
    SITE,
    { as, body: '{}', headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' } },
  ],
  QUERY_INVALID: ['GET', '/config/wknd/sites.json?limit=many', { as }],
  NAME_INVALID: ['GET', '/config/WKND/sites/first.json', { as }],
  HOST_LABEL_TOO_LONG: ['PUT', `/config/wknd/sites/${'x'.repeat(60)}.json`, { as, body: siteBody('wknd', 'x'.repeat(60)) }],
  PROPERTY_UNKNOWN: ['GET', '/config/wknd/sites/first/colours.json', { as }],
  CONTENT_ADDRESS_MISMATCH: ['PUT', SITE, { as, body: siteBody('wknd', 'second') }],
  SECRET_NOT_ALLOWED: ['PUT', '/config/wknd/sites/external-2.json', { as, body: external('external-2') }],
  NOT_AUTHENTICATED: ['GET', SITE],
  TOKEN_REFUSED: ['POST', '/auth/exchange', { body: { token: 'made-up' } }],
  NOT_AUTHORIZED: ['DELETE', SITE, { as: CARL }],
  CLAIM_NOT_PROVEN: ['PUT', '/config/acme.json', { as: STRANGER, body: {} }],
  AUTHOR_NOT_ALLOWED: ['GET', '/authoring/author.elsewhere.com/content/first.json', { as }],
  AUTHOR_PATH_NOT_ALLOWED: ['GET', '/authoring/author.example.com/system/console.json', { as, headers: authoring() }],
  ROUTE_NOT_FOUND: ['GET', '/nowhere', { as }],
  CONFIG_TYPE_INVALID: ['GET', '/config/wknd/sites/first.yaml', { as }],
  ORG_NOT_FOUND: ['GET', '/config/acme/sites.json', { as }],
  SITE_NOT_FOUND: ['GET', '/config/wknd/sites/nowhere.json', { as }],
  PART_NOT_FOUND: ['GET', '/config/wknd/sites/first/sidekick.json', { as }],
  PROFILE_NOT_FOUND: ['GET', '/config/wknd/profiles/none.json', { as }],
  SECRET_IN_USE: ['DELETE', '/config/wknd/sites/external-1.json', { as }],
  PROFILE_IN_USE: ['DELETE', '/config/wknd/profiles/base.json', { as }],
  MIGRATION_NOT_POSSIBLE: ['GET', `${SITE}?migrate=true`, { as }],
  USER_NOT_FOUND: ['GET', '/config/wknd/users/nobody.json', { as }],
  GROUP_NOT_FOUND: ['GET', '/config/wknd/groups/nobody.json', { as }],
  SITE_TOKEN_NOT_FOUND: ['DELETE', '/config/wknd/sites/first/tokens/none.json', { as }],
  API_KEY_NOT_FOUND: ['DELETE', '/config/wknd/sites/first/apiKeys/none.json', { as }],
  ROLLOUT_NOT_FOUND: ['GET', '/config/wknd/rollouts/0.json', { as }],
  ROLLOUT_REFUSED: ['POST', '/config/wknd/rollouts.json', { as, body: { title: 'Same', profile: 'base', config: {} } }],
  SUBSCRIPTION_NOT_FOUND: ['GET', '/config/wknd/subscriptions/0.json', { as }],
  DELIVERY_NOT_FOUND: ['POST', '/config/wknd/subscriptions/$SUBSCRIPTION/deliveries/msg_0.json', { as }],
  SUBSCRIPTION_REFUSED: ['POST', '/config/wknd/subscriptions.json', { as, body: { channel: { type: 'email', to: OPERATOR } } }],
  USER_EXISTS: ['POST', '/config/wknd/users.json', { as, body: { email: OPERATOR, roles: ['author'] } }],
  VERSION_IS_CURRENT: ['DELETE', '/config/wknd/sites/first/versions/1.json', { as }],
  VERSION_REFUSED: ['POST', '/config/wknd/sites/moved.json?restoreVersion=1', { as }],
  VERSION_NOT_FOUND: ['GET', '/config/wknd/sites/first/versions/99.json', { as }],
  SECRET_NOT_FOUND: ['GET', '/config/wknd/sites/first/secrets/none.json', { as }],
  COMMIT_NOT_KEPT: ['PUT', '/served-code/wknd/first/main', { as, body: { sha: null } }],
  JOB_NOT_FOUND: ['GET', '/job/wknd/first/main/code/job-2026-01-01-00-00-00-0a0a0a0a', { as }],
  FILE_NOT_FOUND: ['GET', '/code/wknd/first/main/scripts/scripts.js', { as }],
  REPOSITORY_UNKNOWN: ['POST', '/code-sync/100/8/main', { headers: buildManagement() }],
  BRANCH_PROTECTED: ['DELETE', '/code-sync/100/7/main', { headers: buildManagement() }],
  INVALID_SIGNATURE: ['POST', '/webhook/github', { body: {}, headers: { 'x-hub-signature-256': 'sha256=made-up' } }],
  REQUEST_MALFORMED: ['GET', 'http://elsewhere.example/service.json'],
  EXPECTATION_REFUSED: ['GET', SITE, { as, headers: { expect: 'a-miracle' } }],
  METHOD_NOT_ALLOWED: ['PATCH', SITE, { as }],
  CONTENT_ROOT_TAKEN: ['PUT', '/config/wknd/sites/second.json', { as, body: siteBody('wknd', 'second', { public: publicPart('first') }) }],
  WOULD_LOCK_OUT: ['POST', '/config/wknd/sites/first/access.json', { as: ADMIN, body: administered('nora@example.com') }],
  ORG_ALREADY_CLAIMED: ['POST', '/config/wknd/challenge.json', { as, body: { repository: 'wknd' } }],
  CODE_SOURCE_NOT_FOUND: ['POST', '/config/wknd/sites/first/code.json', { as, body: { owner: 'wknd', repo: 'nothing' } }],
  CODE_SOURCE_REFUSED: ['POST', '/config/wknd/sites/first/code.json', { as, body: { owner: 'wknd', repo: 'private' } }],
  REPOSITORY_NOT_READY: ['PUT', '/config/wknd/sites/onboarding.json', { as, body: external('onboarding', BUILD_MANAGEMENT) }],
  ORG_UNKNOWN_ON_CODE_HOST: ['PUT', '/config/ghost.json', { as, body: {} }],
  PRECONDITION_FAILED: ['PUT', SITE, { as, body: siteBody('wknd', 'first'), headers: { 'if-match': '"another"' } }],
};

/** Codes that need more than one call, or another host; each has its test below, BRANCH_BUSY in test/code/branches.test.ts. */
const BELOW: readonly ErrorCode[] = ['DEVICE_PENDING', 'CONFIG_NOT_FOUND', 'RATE_LIMITED', 'BRANCH_NOT_FOUND', 'BRANCH_BUSY'];

/** Fixed texts of `x-error`, which existing clients compare; the body says more. */
const FIXED = [
  'not authenticated',
  'not authorized',
  'invalid config type',
  'method not allowed',
  'error parsing request body',
  'missing body',
];
let subscription: string;

const backend = startBeforeAll(() => {
  const settings = {
    BODY_LIMIT: String(LIMIT),
    AUTHOR_HOSTS: 'author.example.com',
    BUILD_MANAGEMENT,
    BUILD_MANAGEMENT_KEY,
    GITHUB_WEBHOOK_SECRET: 'secret-of-the-code-host',
  };
  const repositories = codeHostWith({ 'wknd/nothing': 'missing', 'wknd/private': 'refused' });
  return startTestBackend({ orgs: ['wknd', 'acme'], claim: false, settings, repositories });
});
const { call, done } = callsAs(backend, OPERATOR);
beforeAll(async () => {
  const first = siteBody('wknd', 'first', { public: publicPart('first'), access: administered(ADMIN) });
  const users = [
    { email: OPERATOR, roles: ['admin'] },
    { email: CARL, roles: ['config_admin'] },
  ];
  await store('/config/wknd.json', { users });
  await store(SITE, first);
  await store('/config/wknd/profiles/base.json', {});
  await store('/config/wknd/sites/extending.json', siteBody('wknd', 'extending', { extends: { profile: 'base' } }));
  await store('/config/wknd/sites/external-1.json', external('external-1'));
  const shared = { type: 'byogit', url: 'https://sync.example.com', raw_url: 'https://raw.example.com' };
  await store('/config/wknd/sites/sharing.json', siteBody('wknd', 'sharing', { code: { owner: '100', repo: '7', source: shared } }));
  await store('/config/wknd/sites/moved.json', siteBody('wknd', 'moved', { public: publicPart('moved') }));
  await call('DELETE', '/config/wknd/sites/moved/public.json');
  const channel = { type: 'webhook', url: 'https://hooks.example.com' };
  const subscribed = await call('POST', '/config/wknd/subscriptions.json', { channel });
  subscription = CreatedSubscription.parse(subscribed.json()).id;
  await store('/config/wknd/sites/mover.json', siteBody('wknd', 'mover', { public: publicPart('moved') }));
});

it('every refusal that a caller can cause has a test', () => {
  const declared = new Set<ErrorCode>([...COMMON_ERRORS, ...allEndpoints().flatMap(([, row]) => row.errors)]);
  const refusals = [...declared].filter((code) => ERRORS[code].status < 500);
  expect(refusals.filter((code) => !(code in REFUSED) && !BELOW.includes(code))).toEqual([]);
});

it.each(Object.entries(REFUSED))('%s has the same message in header and body', async (code, [method, path, request = {}]) => {
  const before = await call('GET', SITE);
  const answer = await backend.call(method, path.replace('$SUBSCRIPTION', subscription), request);
  expect(answer.code, answer.text).toBe(code);
  agrees(answer);
  expect((await call('GET', SITE)).text).toBe(before.text);
});

it('CONFIG_NOT_FOUND has the same message in header and body', async () => {
  const answer = await backend.visit('live', 'main--external-1--wknd', '/config.json');
  expect(answer.code).toBe('CONFIG_NOT_FOUND');
  agrees(answer);
});

it('BRANCH_NOT_FOUND has the same message in header and body', async () => {
  const world = await stopAfterTest(startCodeWorld());
  await world.register('asked');
  const answer = await world.backend.call('POST', '/code/wknd/asked/nowhere/*', { as });
  expect(answer.code).toBe('BRANCH_NOT_FOUND');
  agrees(answer);
});

it('RATE_LIMITED has the same message in header and body', async () => {
  const limited = await stopAfterTest(startTestBackend({ settings: { RATE_LIMIT: '0.01', RATE_LIMIT_BURST: '1' }, claim: false }));
  await limited.call('GET', SITE, { as });
  const answer = await limited.call('GET', SITE, { as });
  expect(answer.code).toBe('RATE_LIMITED');
  agrees(answer);
});

// The only body that is not a problem document: RFC 8628 prescribes its form.
it('DEVICE_PENDING has the same message in its header and in error_description (RFC 8628)', async () => {
  const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } };
  const started = DeviceAuthorization.parse((await backend.call('POST', '/auth/device', { ...form, body: 'client_id=test' })).json());
  const body = new URLSearchParams({ grant_type: DEVICE_GRANT, device_code: started.device_code }).toString();
  const answer = await backend.call('POST', '/auth/device/token', { ...form, body });
  expect(answer).toMatchObject({ status: 400, code: 'DEVICE_PENDING' });
  expect(answer.json()).toEqual({ error: 'authorization_pending', error_description: answer.error });
});

/** Header and body have the same code, status and title, and the detail starts with the message. */
function agrees(answer: TestAnswer): void {
  const message = answer.error ?? '';
  const problem = Problem.parse(answer.json());
  const code = problem.code;
  expect(answer.headers['content-type']).toBe('application/problem+json');
  expect([answer.code, answer.status]).toEqual([code, problem.status]);
  expect(problem.status).toBe(ERRORS[code].status);
  expect(problem.type).toBe(`urn:repoless:error:${code.toLowerCase()}`);
  expect(problem.title).not.toBe('');
  expect(problem.detail).not.toBe('');
  if (code !== 'CONFIG_NOT_FOUND') expect(problem.requestId).toBe(answer.headers['x-request-id']);
  if (FIXED.includes(message)) return;
  expect(problem.detail.startsWith(message), `"${message}" and "${problem.detail}"`).toBe(true);
  if (code !== 'CONFIG_NOT_FOUND') expect(message).toMatch(/^[A-Z].+[.!]$/);
}

const store = (path: string, body: unknown) => done('PUT', path, body);

function administered(admin: string): { admin: { role: { admin: string[] } } } {
  return { admin: { role: { admin: [admin] } } };
}

function authoring(): Record<string, string> {
  return { 'x-content-source-authorization': 'Bearer somebody' };
}

function buildManagement(): Record<string, string> {
  return { authorization: `Bearer ${BUILD_MANAGEMENT_KEY}` };
}

function external(site: string, address?: string): Record<string, unknown> {
  const [url, raw_url] =
    address === undefined ? ['https://sync.example.com', 'https://raw.example.com'] : [`${address}/api`, `${address}/raw`];
  const repo = address === undefined ? '7' : '8';
  return siteBody('wknd', site, { code: { owner: '100', repo, source: { type: 'byogit', url, raw_url, secretId: 'cm-byog' } } });
}

async function startOnboarding(): Promise<string> {
  const repository = { programId: '100', repositoryId: '8', name: 'Store', state: 'added' };
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(repository));
  });
  server.unref();
  return (await listen(server)).address;
}
