import { beforeAll, describe, expect, it } from 'vitest';
import { EXTENSION_ORIGIN, OPERATOR, siteBody, startTestBackend } from '../../support/backend.ts';
import { startBeforeAll } from '../../support/start-before-all.ts';
import { browserClient, commandLineClient, itemsOf, type PublicClient } from './public-client.ts';

const SITE = '/config/wknd/sites/people.json';
const ACCESS = '/config/wknd/sites/people/access.json';
const ADMIN = '/config/wknd/sites/people/access/admin.json';
const ORG = '/config/wknd.json';
const USERS = '/config/wknd/users.json';
let page: PublicClient;
let shell: PublicClient;

const backend = startBeforeAll(() => startTestBackend());
beforeAll(async () => {
  const token = await backend.token(OPERATOR);
  page = browserClient(backend, EXTENSION_ORIGIN, { 'x-auth-token': token });
  shell = commandLineClient(backend, { authorization: `token ${token}` });
  expect((await shell.call('PUT', SITE, { body: siteBody('wknd', 'people') })).status).toBe(201);
});

const may = async (who: string) => (await backend.call('GET', SITE, { as: who })).status === 200;

describe('a page that says who may do what on a site', () => {
  it('treats 404 as a site without roles', async () => {
    expect((await page.call('GET', ACCESS)).status).toBe(404);
    expect((await page.call('GET', ADMIN)).status).toBe(404);
  });

  it('sets the roles of everyone in one part, reads them back, and removes one person', async () => {
    const role = { admin: [OPERATOR, 'ada@example.com'], author: ['*@authors.example.com'], publish: ['ada@example.com'] };
    const written = await page.call('POST', ACCESS, { body: { admin: { role } } });
    expect([written.status, written.json()]).toEqual([200, { admin: { role } }]);
    expect((await page.call('GET', ACCESS)).json()).toEqual({ admin: { role } });
    expect(await may('ada@example.com')).toBe(true);
    const fewer = { admin: [OPERATOR], author: role.author };
    expect((await page.call('POST', ACCESS, { body: { admin: { role: fewer } } })).ok).toBe(true);
    expect(await may('ada@example.com')).toBe(false);
  });

  it('protects the hosts with a generated secret by sending the whole site, and keeps the roles', async () => {
    const { id } = Object((await page.call('POST', '/config/wknd/sites/people/secrets.json')).json());
    const site = Object((await page.call('GET', SITE)).json());
    const access = { admin: site.access.admin, preview: { allow: ['*@example.com'], secretId: [id] } };
    expect((await page.call('POST', SITE, { body: { ...site, access } })).ok).toBe(true);
    expect((await page.call('GET', SITE)).json()).toMatchObject({ access });
  });
});

describe('a command line that sets access', () => {
  it.each(['auto', true, false])('sets requireAuth to %j together with the roles', async (requireAuth) => {
    const body = { role: { admin: [OPERATOR], config_admin: ['ABC123@techacct.example.com'] }, requireAuth };
    const set = await shell.call('POST', ADMIN, { body });
    expect([set.status, set.json()]).toEqual([200, expect.objectContaining({ role: body.role })]);
    expect(await may('abc123@techacct.example.com')).toBe(true);
  });

  it('protects and opens the hosts of a site by the address of the part', async () => {
    const path = '/config/wknd/sites/people/access/site.json';
    const body = { allow: ['*@example.com', 'ada@example.net'], secretId: ['one'] };
    expect((await shell.call('POST', path, { body })).json()).toEqual(body);
    expect((await shell.call('GET', path)).json()).toEqual(body);
    expect((await shell.call('DELETE', path)).status).toBe(204);
    expect((await shell.call('GET', path)).status).toBe(404);
  });

  it('cannot lock itself out without confirming', async () => {
    const body = { role: { author: ['somebody@example.com'] } };
    expect((await shell.call('DELETE', ACCESS)).ok).toBe(true);
    const owner = await backend.token('owner@example.com');
    expect((await shell.call('POST', ADMIN, { body: { role: { admin: ['owner@example.com'] } } })).ok).toBe(true);
    const theirs = commandLineClient(backend, { 'x-auth-token': owner });
    expect(await theirs.call('POST', ADMIN, { body })).toMatchObject({ status: 409, error: expect.stringContaining('confirm=true') });
    expect((await theirs.call('POST', `${ADMIN}?confirm=true`, { body })).status).toBe(200);
  });
});

describe('a page that manages the users of an organization', () => {
  const users = async () => Object((await page.call('GET', ORG)).json()).users as { id: string; email: string; roles: string[] }[];

  it('reads them from the organization and as a list', async () => {
    expect(await users()).toContainEqual({ id: expect.any(String), email: OPERATOR, roles: ['admin'] });
    expect(itemsOf(await page.call('GET', USERS))).toEqual(await users());
  });

  it('adds users one after the other and gets their identifiers', async () => {
    for (const email of ['one@example.com', 'two@example.com']) {
      const added = await page.call('POST', USERS, { body: { email, roles: ['author', 'publish'] } });
      expect([added.status, added.json()]).toEqual([200, { id: expect.any(String), email, roles: ['author', 'publish'] }]);
    }
    expect((await users()).map(({ email }) => email)).toEqual(expect.arrayContaining(['one@example.com', 'two@example.com']));
  });

  it('changes the roles of a user by sending the whole user with its identifier', async () => {
    const found = (await users()).find(({ email }) => email === 'one@example.com');
    const path = `/config/wknd/users/${found?.id}.json`;
    expect((await page.call('POST', path, { body: { ...found, roles: ['config_admin'] } })).status).toBe(200);
    expect((await page.call('GET', path)).json()).toMatchObject({ id: found?.id, roles: ['config_admin'] });
    expect(await may('one@example.com')).toBe(true);
    expect((await page.call('DELETE', path)).status).toBe(204);
    expect((await users()).map(({ email }) => email)).not.toContain('one@example.com');
    expect((await page.call('DELETE', path)).status).toBe(404);
  });

  it('distinguishes a person without a role from one who is not signed in', async () => {
    const stranger = browserClient(backend, EXTENSION_ORIGIN, { 'x-auth-token': await backend.token('sam@example.com') });
    expect((await stranger.call('GET', ORG)).status).toBe(404);
    expect(await browserClient(backend, EXTENSION_ORIGIN, {}).call('GET', ORG)).toMatchObject({ status: 401, error: 'not authenticated' });
  });
});

const BASE = '/config/wknd/sites/sealed';
beforeAll(async () => {
  expect((await page.call('PUT', '/config/wknd/profiles/sealed.json', { body: { title: 'Sealed' } })).status).toBe(201);
  expect((await page.call('PUT', `${BASE}.json`, { body: siteBody('wknd', 'sealed', { extends: { profile: 'sealed' } }) })).status).toBe(
    201,
  );
});

describe.each([
  ['a site', BASE],
  ['a profile', '/config/wknd/profiles/sealed'],
  ['an organization', '/config/wknd'],
])('a page that manages the secrets of %s', (_, base) => {
  const path = `${base}/secrets.json`;

  it('shows an empty list at first', async () => {
    expect(itemsOf(await page.call('GET', path))).toEqual([]);
  });

  it('creates one by a call without a body, shows its value once, and lists it by its identifier', async () => {
    const created = await page.call('POST', path);
    expect([created.ok, created.json()]).toEqual([
      true,
      expect.objectContaining({ value: expect.stringMatching(/^\S{20,}$/), created: expect.any(String) }),
    ]);
    const { id, value } = Object(created.json());
    const listed = await page.call('GET', path);
    expect(itemsOf(listed)).toEqual([expect.objectContaining({ id, created: expect.any(String) })]);
    expect(listed.text).not.toContain(value);
    expect((await page.call('GET', `${base}/secrets/${encodeURIComponent(id)}.json`)).json()).toMatchObject({ id });
    expect((await page.call('DELETE', `${base}/secrets/${encodeURIComponent(id)}.json`)).status).toBe(204);
    expect(itemsOf(await page.call('GET', path))).toEqual([]);
  });

  it('creates one by a call with an empty object, and protects the hosts with it', async () => {
    const shell = commandLineClient(backend, { 'x-auth-token': await backend.token(OPERATOR) });
    const { id } = Object((await shell.call('POST', path, { body: {} })).json());
    const body = { allow: ['*@example.com'], secretId: [id] };
    expect((await shell.call('POST', `${BASE}/access/site.json`, { body })).json()).toEqual(body);
  });

  it('stores one with a name and a value, which is never shown again', async () => {
    const body = { value: 'hard-to-guess', description: 'Of our program' };
    const named = await page.call('POST', `${base}/secrets/our-program.json`, { body });
    expect([named.ok, named.json()]).toEqual([
      true,
      expect.objectContaining({ id: 'our-program', type: 'key', description: 'Of our program' }),
    ]);
    for (const seen of ['secrets.json', 'secrets/our-program.json', 'versions.json', 'log.json'])
      expect((await page.call('GET', `${base}/${seen}`)).text).not.toContain('hard-to-guess');
    expect((await page.call('GET', path)).json()).toMatchObject({ 'our-program': { description: 'Of our program' } });
  });

  it('stores a given value without a name, with a description', async () => {
    const created = await page.call('POST', path, { body: { value: 'what-our-cdn-shows', description: 'CDN' } });
    expect([created.ok, created.json()]).toEqual([true, expect.objectContaining({ type: 'hashed', description: 'CDN' })]);
    expect(created.text).not.toContain('what-our-cdn-shows');
    const { id } = Object(created.json());
    expect((await page.call('GET', path)).json()).toMatchObject({ [id]: { description: 'CDN' } });
  });
});

describe.each([
  ['a site', BASE, 'wknd/sealed'],
  ['a profile', '/config/wknd/profiles/sealed', 'wknd/profiles/sealed'],
  ['an organization', '/config/wknd', 'wknd/*'],
])('a page that manages the API keys of %s', (_, base, subject) => {
  const path = `${base}/apiKeys.json`;

  it('shows an empty list at first', async () => {
    expect(itemsOf(await page.call('GET', path))).toEqual([]);
  });

  it('creates one by a call without a body', async () => {
    const created = await page.call('POST', path);
    expect([created.ok, created.json()]).toEqual([true, expect.objectContaining({ id: expect.any(String), value: expect.any(String) })]);
  });

  it('creates one with a description and roles, and lists it with its creation and expiry', async () => {
    const created = await page.call('POST', path, { body: { description: 'nightly job', roles: ['publish'] } });
    const { id, value } = Object(created.json());
    const listed = await page.call('GET', path);
    expect(itemsOf(listed).find((key) => key['id'] === id)).toMatchObject({
      description: 'nightly job',
      roles: ['publish'],
      subject,
      created: expect.any(String),
      expiration: expect.any(String),
    });
    expect(listed.text).not.toContain(value);
  });

  it.each(['token', 'Bearer', 'x-auth-token'])('creates a key that works as %s until it is revoked', async (form) => {
    const { id, value } = Object((await page.call('POST', path, { body: { roles: ['admin'] } })).json());
    const program = commandLineClient(backend, form === 'x-auth-token' ? { [form]: value } : { authorization: `${form} ${value}` });
    expect((await program.call('GET', `${BASE}.json`)).status).toBe(200);
    expect((await page.call('DELETE', `${base}/apiKeys/${encodeURIComponent(id)}.json`)).status).toBe(204);
    expect((await program.call('GET', `${BASE}.json`)).status).toBe(401);
  });

  it('cannot create one with an unknown role', async () => {
    expect(await page.call('POST', path, { body: { roles: ['king'] } })).toMatchObject({ status: 400, error: expect.stringMatching(/.+/) });
  });
});

describe.each([
  ['a site', BASE],
  ['a profile', '/config/wknd/profiles/sealed'],
])('a page that manages the site tokens of %s', (_, base) => {
  const path = `${base}/tokens.json`;

  it.each([undefined, {}])('creates one by a call with the body %o, lists it, and removes it', async (body) => {
    const created = await page.call('POST', path, body === undefined ? {} : { body });
    expect([created.ok, created.json()]).toEqual([
      true,
      expect.objectContaining({ id: expect.any(String), value: expect.stringMatching(/^hlxtst_/), created: expect.any(String) }),
    ]);
    const { id, value } = Object(created.json());
    const listed = await page.call('GET', path);
    expect(itemsOf(listed)).toContainEqual(expect.objectContaining({ id, created: expect.any(String) }));
    expect(listed.text).not.toContain(value);
    expect((await page.call('DELETE', `${base}/tokens/${encodeURIComponent(id)}.json`)).status).toBe(204);
    expect(itemsOf(await page.call('GET', path))).toEqual([]);
  });
});

const PROFILES = ['/profile', '/profile/wknd', '/profile/wknd/shop', '/profile/wknd/shop/main'];

describe('a page that shows who is signed in', () => {
  it.each(PROFILES)('reads the e-mail at %s', async (path) => {
    const page = browserClient(backend, EXTENSION_ORIGIN, { 'x-auth-token': await backend.token({ email: OPERATOR, name: 'Opal' }) });
    const { status, profile } = Object((await page.call('GET', path)).json());
    expect([status, profile]).toEqual([200, expect.objectContaining({ email: OPERATOR, name: 'Opal', exp: expect.any(Number) })]);
    expect(profile.exp * 1000).toBeGreaterThan(Date.now());
  });

  it.each(PROFILES)('learns at %s that no one is signed in, and where to sign in', async (path) => {
    const anonymous = await browserClient(backend, EXTENSION_ORIGIN, {}).call('GET', path);
    expect([anonymous.status, anonymous.error]).toEqual([401, 'not authenticated.']);
    expect(anonymous.json()).toMatchObject({ status: 401, error: 'unauthorized', links: { login: expect.stringMatching(/\/login$/) } });
  });
});

describe('a client that signs in', () => {
  it.each(['/login', '/login/wknd', '/login/wknd/shop', '/login/wknd/shop/main?selectAccount=true'])(
    'gets addresses at %s',
    async (path) => {
      const answer = await commandLineClient(backend, { accept: '*/*' }).call('GET', path);
      expect([answer.status, answer.json()]).toEqual([200, { links: expect.any(Object) }]);
    },
  );

  it.each(['/logout', '/logout/wknd', '/logout/wknd/shop', '/logout/wknd/shop/main'])('is signed out everywhere at %s', async (path) => {
    const token = await backend.token(OPERATOR);
    const client = commandLineClient(backend, { 'x-auth-token': token });
    expect((await client.call('GET', '/config/wknd.json')).status).toBe(200);
    const out = await client.call('GET', path);
    expect([out.status, out.header('location')]).toEqual([302, expect.stringMatching(/\/profile$/)]);
    expect((await client.call('GET', '/config/wknd.json')).status).toBe(401);
  });
});

describe('the cookie of a browser, sent by a command line', () => {
  it('is accepted for reads', async () => {
    const shell = commandLineClient(backend, { cookie: `auth_token=${await backend.token(OPERATOR)}` });
    expect((await shell.call('GET', '/config/wknd.json')).status).toBe(200);
  });

  const cookieOf = async (who: string) => ({ cookie: `auth_token=${await backend.token(who)}` });
  const SITE = '/config/wknd/sites/cookie.json';

  it('is accepted for writes with JSON or without a body, and for deletions', async () => {
    const shell = commandLineClient(backend, await cookieOf(OPERATOR));
    expect((await shell.call('PUT', SITE, { body: siteBody('wknd', 'cookie') })).status).toBe(201);
    expect((await shell.call('POST', '/wknd/sites/cookie/config.json', { body: siteBody('wknd', 'cookie', { title: 'T' }) })).status).toBe(
      200,
    );
    expect((await shell.call('POST', `${SITE}?restoreVersion=1`)).status).toBe(200);
    const added = await shell.call('POST', '/config/wknd/users.json', { body: { email: 'written@example.com', roles: ['author'] } });
    expect([added.status, added.json()]).toEqual([200, expect.objectContaining({ email: 'written@example.com' })]);
    const log = await backend.call('GET', '/config/wknd/log.json', { as: OPERATOR });
    expect(log.json()).toMatchObject({ entries: expect.arrayContaining([expect.objectContaining({ user: OPERATOR, site: 'cookie' })]) });
    expect((await shell.call('DELETE', SITE)).status).toBe(204);
  });

  it('grants what its person may do, and nothing after the session has ended', async () => {
    const body = { email: 'y@example.com', roles: ['author'] };
    const stranger = await commandLineClient(backend, await cookieOf('stranger@example.com')).call('POST', '/config/wknd/users.json', {
      body,
    });
    expect(stranger.status).toBe(404);
    const ended = await cookieOf(OPERATOR);
    await backend.call('GET', '/logout', { headers: { 'x-auth-token': ended.cookie.replace('auth_token=', '') } });
    expect((await commandLineClient(backend, ended).call('POST', '/config/wknd/users.json', { body })).status).toBe(401);
    const created = await backend.call('POST', '/config/wknd/apiKeys.json', { as: OPERATOR, body: { description: 'k', roles: ['admin'] } });
    const key = commandLineClient(backend, { cookie: `auth_token=${Object(created.json()).value}` });
    expect((await key.call('POST', '/config/wknd/users.json', { body })).status).toBe(401);
  });

  it.each([
    ['its own origin', { origin: 'own' }, 'application/json'],
    ['a page', { referer: 'own' }, 'application/json'],
    ['a form of text', {}, ' Text/Plain;charset=utf-8'],
  ])('changes nothing if the request has %s, as a browser sends it, and the answer says what to send instead', async (_, marks, type) => {
    const own = (value: string) => (value === 'own' ? backend.address : value);
    const headers = Object.fromEntries(Object.entries(marks).map(([name, value]) => [name, own(value)]));
    const shell = commandLineClient(backend, { ...(await cookieOf(OPERATOR)), ...headers });
    for (const [method, path] of [
      ['POST', '/config/wknd/sites/nothing/robots.txt'],
      ['POST', '/config/wknd/users.json'],
    ] as const) {
      const refused = await shell.call(method, path, { body: type.includes('json') ? {} : 'a=b', type });
      expect([401, 415], refused.text).toContain(refused.status);
      if (refused.status === 401) expect(refused.error).toContain('x-auth-token');
    }
  });
});
