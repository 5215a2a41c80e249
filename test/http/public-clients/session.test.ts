import { describe, expect, it } from 'vitest';
import { EXTENSION_ORIGIN, OPERATOR, siteBody, startTestBackend } from '../../support/backend.ts';
import { startBeforeAll } from '../../support/start-before-all.ts';
import { browserClient, commandLineClient } from './public-client.ts';

const backend = startBeforeAll(() => startTestBackend());

const PROFILES = ['/profile', '/profile/wknd', '/profile/wknd/shop', '/profile/wknd/shop/main'];

describe('a page that shows who is signed in', () => {
  it.each(PROFILES)('reads the e-mail at %s', async (path) => {
    const page = browserClient(backend, EXTENSION_ORIGIN, { 'x-auth-token': await backend.token({ email: OPERATOR, name: 'Opal' }) });
    const { status, profile } = Object((await page.call('GET', path)).json());
    expect([status, profile]).toEqual([200, expect.objectContaining({ email: OPERATOR, name: 'Opal', exp: expect.any(Number) })]);
    expect(profile.exp * 1000).toBeGreaterThan(Date.now());
  });

  it.each(PROFILES)('is told at %s that nobody is, and where to sign in', async (path) => {
    const nobody = await browserClient(backend, EXTENSION_ORIGIN, {}).call('GET', path);
    expect([nobody.status, nobody.error]).toEqual([401, 'not authenticated.']);
    expect(nobody.json()).toMatchObject({ status: 401, error: 'unauthorized', links: { login: expect.stringMatching(/\/login$/) } });
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
  it('is enough to read', async () => {
    const shell = commandLineClient(backend, { cookie: `auth_token=${await backend.token(OPERATOR)}` });
    expect((await shell.call('GET', '/config/wknd.json')).status).toBe(200);
  });

  const cookieOf = async (who: string) => ({ cookie: `auth_token=${await backend.token(who)}` });
  const SITE = '/config/wknd/sites/cookie.json';

  it('is enough to write, with JSON, with nothing, and to remove', async () => {
    const shell = commandLineClient(backend, await cookieOf(OPERATOR));
    expect((await shell.call('PUT', SITE, { body: siteBody('wknd', 'cookie') })).status).toBe(201);
    expect((await shell.call('POST', '/wknd/sites/cookie/config.json', { body: siteBody('wknd', 'cookie', { title: 'T' }) })).status).toBe(
      200,
    );
    expect((await shell.call('POST', `${SITE}?restoreVersion=1`)).status).toBe(200);
    const added = await shell.call('POST', '/config/wknd/users.json', { body: { email: 'x@example.com', roles: ['author'] } });
    expect([added.status, added.json()]).toEqual([200, expect.objectContaining({ email: 'x@example.com' })]);
    const log = await backend.call('GET', '/config/wknd/log.json', { as: OPERATOR });
    expect(log.json()).toMatchObject({ entries: expect.arrayContaining([expect.objectContaining({ user: OPERATOR, site: 'cookie' })]) });
    expect((await shell.call('DELETE', SITE)).status).toBe(204);
  });

  it('gives no more than its person may, and nothing once it has ended', async () => {
    const body = { email: 'y@example.com', roles: ['author'] };
    const stranger = await commandLineClient(backend, await cookieOf('stranger@example.com')).call('POST', '/config/wknd/users.json', {
      body,
    });
    expect(stranger.status).toBe(404);
    const ended = await cookieOf(OPERATOR);
    await backend.call('GET', '/logout', { headers: { 'x-auth-token': ended.cookie.replace('auth_token=', '') } });
    expect((await commandLineClient(backend, ended).call('POST', '/config/wknd/users.json', { body })).status).toBe(401);
    const made = await backend.call('POST', '/config/wknd/apiKeys.json', { as: OPERATOR, body: { description: 'k', roles: ['admin'] } });
    const key = commandLineClient(backend, { cookie: `auth_token=${Object(made.json()).value}` });
    expect((await key.call('POST', '/config/wknd/users.json', { body })).status).toBe(401);
  });

  it.each([
    ['an origin', { origin: 'http://localhost' }, 'application/json'],
    ['its own origin', { origin: 'own' }, 'application/json'],
    ['no origin that it names', { origin: 'null' }, 'application/json'],
    ['where it began', { 'sec-fetch-site': 'same-origin' }, 'application/json'],
    ['a page', { referer: 'own' }, 'application/json'],
    ['a form', {}, 'application/x-www-form-urlencoded'],
    ['a form of parts', {}, 'multipart/form-data; boundary=x'],
    ['a form of text', {}, ' Text/Plain;charset=utf-8'],
  ])('changes nothing with %s, which a browser may have sent, and the answer says what to send instead', async (_, marks, type) => {
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
