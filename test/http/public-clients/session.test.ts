import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXTENSION_ORIGIN, OPERATOR, startTestBackend } from '../../support/backend.ts';
import type { TestBackend } from '../../support/backend.ts';
import { browserClient, commandLineClient } from './public-client.ts';

let backend: TestBackend;

beforeAll(async () => {
  backend = await startTestBackend();
});
afterAll(() => backend.stop());

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

  it('changes nothing, and the answer says what to send instead (decision record 0033)', async () => {
    const shell = commandLineClient(backend, { cookie: `auth_token=${await backend.token(OPERATOR)}` });
    const refused = await shell.call('POST', '/config/wknd/users.json', { body: { email: 'x@example.com', roles: ['author'] } });
    expect([refused.status, refused.error]).toEqual([401, expect.stringContaining('x-auth-token')]);
  });
});
