import { beforeAll, describe, expect, it } from 'vitest';
import { EXTENSION_ORIGIN, OPERATOR, siteBody, startTestBackend } from '../../support/backend.ts';
import { startBeforeAll } from '../../support/start-before-all.ts';
import { browserClient, commandLineClient, itemsOf } from './public-client.ts';
import type { PublicClient } from './public-client.ts';

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
  it('takes 404 for a site on which nobody has a role yet', async () => {
    expect((await page.call('GET', ACCESS)).status).toBe(404);
    expect((await page.call('GET', ADMIN)).status).toBe(404);
  });

  it('writes everybody by role in one part, reads it back, and takes one out again', async () => {
    const role = { admin: [OPERATOR, 'ada@example.com'], author: ['*@authors.example.com'], publish: ['ada@example.com'] };
    const written = await page.call('POST', ACCESS, { body: { admin: { role } } });
    expect([written.status, written.json()]).toEqual([200, { admin: { role } }]);
    expect((await page.call('GET', ACCESS)).json()).toEqual({ admin: { role } });
    expect(await may('ada@example.com')).toBe(true);
    const fewer = { admin: [OPERATOR], author: role.author };
    expect((await page.call('POST', ACCESS, { body: { admin: { role: fewer } } })).ok).toBe(true);
    expect(await may('ada@example.com')).toBe(false);
  });

  it('protects the hosts in the site as a whole, keeping the roles, with a secret that it made', async () => {
    const { id } = Object((await page.call('POST', '/config/wknd/sites/people/secrets.json')).json());
    const site = Object((await page.call('GET', SITE)).json());
    const access = { admin: site.access.admin, preview: { allow: ['*@example.com'], secretId: [id] } };
    expect((await page.call('POST', SITE, { body: { ...site, access } })).ok).toBe(true);
    expect((await page.call('GET', SITE)).json()).toMatchObject({ access });
  });
});

describe('a command line that sets access', () => {
  it.each(['auto', true, false])('takes requireAuth %j with the roles', async (requireAuth) => {
    const body = { role: { admin: [OPERATOR], config_admin: ['ABC123@techacct.example.com'] }, requireAuth };
    const set = await shell.call('POST', ADMIN, { body });
    expect([set.status, set.json()]).toEqual([200, expect.objectContaining({ role: body.role })]);
    expect(await may('abc123@techacct.example.com')).toBe(true);
  });

  it('protects and opens the hosts of a site by the address of one part', async () => {
    const path = '/config/wknd/sites/people/access/site.json';
    const body = { allow: ['*@example.com', 'ada@example.net'], secretId: ['one'] };
    expect((await shell.call('POST', path, { body })).json()).toEqual(body);
    expect((await shell.call('GET', path)).json()).toEqual(body);
    expect((await shell.call('DELETE', path)).status).toBe(204);
    expect((await shell.call('GET', path)).status).toBe(404);
  });

  it('is kept from locking itself out by accident', async () => {
    const body = { role: { author: ['somebody@example.com'] } };
    expect((await shell.call('DELETE', ACCESS)).ok).toBe(true);
    const owner = await backend.token('owner@example.com');
    expect((await shell.call('POST', ADMIN, { body: { role: { admin: ['owner@example.com'] } } })).ok).toBe(true);
    const theirs = commandLineClient(backend, { 'x-auth-token': owner });
    const refused = await theirs.call('POST', ADMIN, { body });
    expect([refused.status, refused.error]).toEqual([409, expect.stringContaining('confirm=true')]);
    expect((await theirs.call('POST', `${ADMIN}?confirm=true`, { body })).status).toBe(200);
  });
});

describe('a page that manages the users of an organization', () => {
  const users = async () => Object((await page.call('GET', ORG)).json()).users as { id: string; email: string; roles: string[] }[];

  it('finds them in the organization, and as a list', async () => {
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

  it('sends a whole user with its identifier to change its roles', async () => {
    const found = (await users()).find(({ email }) => email === 'one@example.com');
    const path = `/config/wknd/users/${found?.id}.json`;
    expect((await page.call('POST', path, { body: { ...found, roles: ['config_admin'] } })).status).toBe(200);
    expect((await page.call('GET', path)).json()).toMatchObject({ id: found?.id, roles: ['config_admin'] });
    expect(await may('one@example.com')).toBe(true);
    expect((await page.call('DELETE', path)).status).toBe(204);
    expect((await users()).map(({ email }) => email)).not.toContain('one@example.com');
    expect((await page.call('DELETE', path)).status).toBe(404);
  });

  it('adds a list of users, replaces those whose identifier it names, and removes nobody; roles that are no names are refused', async () => {
    const before = await users();
    const added = await page.call('POST', USERS, { body: [...before, { email: 'x@example.com', roles: ['author'] }] });
    expect(added.status).toBeOneOf([200, 201]);
    expect((await users()).map(({ email }) => email)).toEqual([...before.map(({ email }) => email), 'x@example.com']);
    const alone = await page.call('POST', USERS, { body: [{ email: 'z@example.com', roles: ['author'] }] });
    expect(alone.status).toBeOneOf([200, 201]);
    expect((await users()).map(({ email }) => email)).toEqual([...before.map(({ email }) => email), 'x@example.com', 'z@example.com']);
    const refused = await page.call('POST', USERS, { body: { email: 'y@example.com', roles: ['The King'] } });
    expect([refused.status, refused.error]).toEqual([400, expect.stringMatching(/.+/)]);
  });

  it('tells the one who may not from the one who is not signed in', async () => {
    const stranger = browserClient(backend, EXTENSION_ORIGIN, { 'x-auth-token': await backend.token('sam@example.com') });
    expect((await stranger.call('GET', ORG)).status).toBe(404);
    const nobody = await browserClient(backend, EXTENSION_ORIGIN, {}).call('GET', ORG);
    expect([nobody.status, nobody.error]).toEqual([401, 'not authenticated']);
  });
});
