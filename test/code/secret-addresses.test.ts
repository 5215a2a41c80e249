import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import { startReceiver } from '../support/receiver.ts';
import { startByogit } from '../support/byogit.ts';
import { codeCalls } from '../support/code-world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const SECRET = 'the-very-secret-value-4711';
const ADA = 'ada@example.com';
const CARL = 'carl@agency.example.com';
const ORG_CARLA = 'carla@example.com';
const TIME = '2026-01-01T00:00:00Z';
/** The secret as part of a complete document. */
const SENT = { id: 'cm-byog', type: 'key', created: TIME, lastModified: TIME };
const SENTENCE = /^Only an admin may send the stored secret "cm-byog" to other addresses/;

/** The credentials that another host received. */
const shown: (string | undefined)[] = [];

const byogit = startBeforeAll(() => startByogit(SECRET));
const other = startBeforeAll(() =>
  startReceiver((request, response) => {
    shown.push(request.headers.authorization);
    response.writeHead(404).end();
  }),
);
const backend = startBeforeAll(() => startTestBackend({ orgs: ['wknd'], settings: { CODE_RETRY_DELAY: '2' } }));
beforeAll(async () => {
  const users = [
    { email: OPERATOR, roles: ['admin'] },
    { email: ORG_CARLA, roles: ['config_admin'] },
  ];
  expect((await call('PUT', '/config/wknd.json', OPERATOR, { users })).status).toBe(200);
});

const call = (method: string, path: string, as: string, body?: unknown) =>
  backend.call(method, path, { as, ...(body === undefined ? {} : { body }) });
const config = (part = '') => `/config/wknd/sites/first${part}.json`;
const home = () => ({ url: byogit.url, raw_url: byogit.rawUrl });
const elsewhere = () => ({ url: `${other.address}/api`, raw_url: `${other.address}/raw` });
const code = (addresses: object, more: object = { secretId: 'cm-byog' }) => ({
  owner: '100',
  repo: '200',
  source: { type: 'byogit', ...addresses, ...more },
});
const GITHUB = { owner: 'wknd', repo: 'wknd' };
async function synced(as: string): Promise<string | undefined> {
  expect((await call('POST', '/code/wknd/first/main/*', as)).status).toBe(202);
  return (await codeCalls(backend).ended('first')).error;
}

describe('The secret of an external repository', () => {
  beforeEach(async () => {
    shown.length = 0;
    await call('DELETE', config(), OPERATOR);
    const access = { admin: { role: { admin: [ADA], config_admin: [CARL] } } };
    const body = siteBody('wknd', 'first', { code: code(home()), access });
    expect((await call('PUT', config(), OPERATOR, body)).status).toBe(201);
    expect((await call('POST', config('/secrets/cm-byog'), ADA, { value: SECRET })).status).toBe(200);
  });

  it.each(['POST code', 'PUT', 'POST', 'a dry run', 'a new expiry date'])(
    'is not redirected to another host by a config_admin: %s',
    async (how) => {
      const moved = code(elsewhere());
      const complete = siteBody('wknd', 'first', { code: moved, access: { admin: { role: { admin: [ADA], config_admin: [CARL] } } } });
      const answers = {
        'POST code': () => call('POST', config('/code'), CARL, moved),
        PUT: () => call('PUT', config(), CARL, { code: moved }),
        POST: () => call('POST', config(), CARL, complete),
        'a new expiry date': () => {
          const secrets = { 'cm-byog': { ...SENT, expires: '2099-01-01T00:00:00Z' } };
          return call('PUT', config(), CARL, { code: moved, secrets });
        },
        'a dry run': () => call('PUT', `${config()}?dryRun=true`, CARL, { code: moved }),
      };
      const refused = await answers[how as keyof typeof answers]();
      expect([refused.status, refused.headers['x-error-code']]).toEqual([403, 'NOT_AUTHORIZED']);
      expect(refused.headers['x-error']).toMatch(SENTENCE);
      expect(refused.headers['x-error']).toContain('Delete the secret first, then store it again.');
      expect(await synced(CARL)).toBeUndefined();
      expect(shown).toEqual([]);
    },
  );

  it.each([
    ['the code host', GITHUB],
    ['another repository', { ...code({ url: 'http://127.0.0.1:9/a', raw_url: 'http://127.0.0.1:9/r' }), repo: '300' }],
  ])('is not redirected in two steps either, via %s', async (_, between) => {
    const first = await call('PUT', `${config()}?unchecked=true`, OPERATOR, { code: between });
    expect(first.status).toBe(200);
    const refused = await call('POST', config('/code'), CARL, code(elsewhere()));
    expect([refused.status, refused.headers['x-error-code']]).toEqual([403, 'NOT_AUTHORIZED']);
  });

  it('is not redirected by a restored version or by a rollout', async () => {
    expect((await call('DELETE', config('/secrets/cm-byog'), ADA)).status).toBe(204);
    expect((await call('POST', config('/code'), CARL, code(elsewhere()))).status).toBe(200);
    const { current } = (await call('GET', config('/versions'), ADA)).json() as { current: number };
    expect((await call('POST', config('/code'), ADA, code(home()))).status).toBe(200);
    expect((await call('POST', config('/secrets/cm-byog'), ADA, { value: SECRET })).status).toBe(200);
    const restored = await call('POST', `${config()}?restoreVersion=${current}`, CARL);
    expect([restored.status, restored.headers['x-error-code']]).toEqual([403, 'NOT_AUTHORIZED']);

    const edits = [{ op: 'set', path: '/code', value: code(elsewhere()) }];
    const rollout = await call('POST', '/config/wknd/rollouts.json', ORG_CARLA, { title: 'x', edits, sites: ['first'] });
    expect(rollout.status).toBe(201);
    const { id } = rollout.json() as { id: string };
    const rows = async () => (await call('GET', `/config/wknd/rollouts/${id}/sites.json`, ORG_CARLA)).json();
    await expect
      .poll(rows)
      .toMatchObject({ sites: [{ state: 'refused', code: 'NOT_AUTHORIZED', detail: expect.stringMatching(SENTENCE) }] });
    expect((await call('GET', config('/code'), CARL)).json()).toMatchObject(code(home()));
    expect(await synced(CARL)).toBeUndefined();
    expect(shown).toEqual([]);
  });

  it('may be sent to other addresses by an admin, and to another repository at the same addresses by a config_admin', async () => {
    expect((await call('POST', config('/code'), CARL, { ...code(home()), repo: '300' })).status).toBe(200);
    expect((await call('POST', config('/code'), CARL, code(home()))).status).toBe(200);
    expect(await synced(CARL)).toBeUndefined();
    expect((await call('POST', config('/code'), ADA, code(elsewhere()))).status).toBe(200);
    await call('POST', '/code/wknd/first/main/*', CARL);
    expect(shown[0]).toBe(`token ${SECRET}`);
  });

  it('may be replaced along with its addresses, or deleted first, by a config_admin', async () => {
    const brought = { code: code(elsewhere()), secrets: { 'cm-byog': { ...SENT, value: 'another-value-of-their-own' } } };
    expect((await call('PUT', config(), CARL, brought)).status).toBe(200);
    await call('POST', '/code/wknd/first/main/*', CARL);
    expect(new Set(shown)).toEqual(new Set(['token another-value-of-their-own']));
    shown.length = 0;
    expect((await call('DELETE', config('/secrets/cm-byog'), CARL)).status).toBe(204);
    expect((await call('POST', config('/code'), CARL, code(home()))).status).toBe(200);
    expect((await call('POST', config('/secrets/cm-byog'), CARL, { value: SECRET })).status).toBe(200);
    expect(await synced(CARL)).toBeUndefined();
    expect(shown).toEqual([]);
  });

  it('cannot be another secret of the site, even if the code source names one', async () => {
    const named = { owner: '100', repo: '200', source: { type: 'github', ...elsewhere(), secretId: 'payment' } };
    expect((await call('DELETE', config('/secrets/cm-byog'), ADA)).status).toBe(204);
    expect((await call('POST', config('/code'), CARL, named)).status).toBe(200);
    expect((await call('POST', config('/secrets/payment'), ADA, { value: 'the-payment-key-0815' })).status).toBe(200);
    expect(await synced(CARL)).toBe(
      'The code source names the secret "payment", but only the secret "cm-byog" is ever sent to a repository. Store its secret as "cm-byog", and name that.',
    );
    expect(shown).toEqual([]);
  });
});
