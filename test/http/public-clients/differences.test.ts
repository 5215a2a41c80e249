import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXTENSION_ORIGIN, OPERATOR, siteBody, startTestBackend } from '../../support/backend.ts';
import type { TestBackend } from '../../support/backend.ts';
import { browserClient, commandLineClient } from './public-client.ts';
import type { PublicClient } from './public-client.ts';

const SITE = '/config/wknd/sites/apart.json';

let backend: TestBackend;
let page: PublicClient;

beforeAll(async () => {
  backend = await startTestBackend();
  page = browserClient(backend, EXTENSION_ORIGIN, { 'x-auth-token': await backend.token(OPERATOR) });
  expect((await page.call('PUT', SITE, { body: siteBody('wknd', 'apart') })).status).toBe(201);
});
afterAll(() => backend.stop());

describe('what clients of the public API call and is not here (decision record 0034)', () => {
  it.each([
    ['GET', '/status/wknd/apart/main/index', 404],
    ['POST', '/status/wknd/apart/main/*', 404],
    ['POST', '/preview/wknd/apart/main/index', 404],
    ['POST', '/live/wknd/apart/main/index', 404],
    ['DELETE', '/live/wknd/apart/main/index', 404],
    ['POST', '/cache/wknd/apart/main/index', 404],
    ['POST', '/index/wknd/apart/main/*', 404],
    ['POST', '/sitemap/wknd/apart/main/sitemap.xml', 404],
    ['GET', '/snapshot/wknd/apart/main', 404],
    ['GET', '/psi/wknd/apart/main?url=https%3A%2F%2Fexample.com', 404],
    ['GET', '/log/wknd/apart/main?since=24h', 404],
    ['GET', '/sidekick/wknd/apart/main/config.json', 404],
    ['GET', '/config/wknd/sites/apart/content/query.yaml', 404],
    ['GET', '/config/wknd/sites/apart/content/sitemap.yaml', 404],
    ['GET', '/config/wknd/secrets.json', 404],
    ['POST', '/config/wknd/secrets.json', 404],
    ['GET', '/job/wknd/apart/main/preview', 404],
    ['GET', '/job/wknd/apart/main', 404],
    ['GET', '/config/wknd/sites/apart/tokens.json', 400],
    ['DELETE', '/config/wknd.json', 405],
    ['DELETE', '/code/wknd/apart/main/scripts/scripts.js', 405],
  ])('%s %s is refused with %i and a sentence that a page may read', async (method, path, status) => {
    const refused = await page.call(method, path);
    expect([refused.status, refused.ok]).toEqual([status, false]);
    expect(refused.error).toMatch(/^\S.+/);
  });

  it('saves no index, whatever its form', async () => {
    for (const method of ['PUT', 'POST']) {
      const path = '/config/wknd/sites/apart/content/query.yaml';
      const refused = await page.call(method, path, { body: 'version: 1\nindices: {}\n', type: 'text/yaml' });
      expect([refused.status, refused.error]).toEqual([404, 'invalid config type']);
    }
  });

  it('signs in for no other program by what its address asks for, and takes the rest of it for nothing', async () => {
    const asked = 'client_id=aem-cli&redirect_uri=http%3A%2F%2Flocalhost%3A3000%2F.aem%2Fcli%2Flogin%2Fack&state=one&selectAccount=true';
    const browser = commandLineClient(backend, { accept: 'text/html' });
    const answer = await browser.call('GET', `/login/wknd/apart/main?${asked}&idp=google&extensionId=abc`);
    expect(answer.header('location') ?? '').not.toContain('localhost%3A3000');
    expect(answer.text).not.toContain('localhost:3000');
  });
});

describe('what is answered otherwise (decision record 0033)', () => {
  it('replaces a site that is there by PUT, and makes one only where none is, if told so', async () => {
    expect((await page.call('PUT', SITE, { body: siteBody('wknd', 'apart', { title: 'Again' }) })).status).toBe(200);
    const only = await page.call('PUT', SITE, { body: siteBody('wknd', 'apart'), headers: { 'if-none-match': '*' } });
    expect(only.status).toBe(412);
  });

  it('refuses a site of which one part alone is sent, and keeps what is there', async () => {
    const part = { project: 'One' };
    const refused = await page.call('POST', SITE, { body: { sidekick: part } });
    expect([refused.status, refused.error]).toEqual([400, expect.stringMatching(/content|code/)]);
    expect((await page.call('POST', '/config/wknd/sites/apart/sidekick.json', { body: part })).ok).toBe(true);
    expect((await page.call('GET', SITE)).json()).toMatchObject({ title: 'Again', sidekick: part });
  });

  it('refuses JSON that is not said to be JSON', async () => {
    const refused = await page.call('POST', '/config/wknd/sites/apart/sidekick.json', { body: '{}', type: 'text/plain;charset=UTF-8' });
    expect([refused.status, refused.error]).toEqual([415, expect.stringContaining('application/json')]);
  });

  it('refuses names in upper case, and says how to write them', async () => {
    const refused = await page.call('GET', '/config/WKND/sites/apart.json');
    expect([refused.status, refused.error]).toEqual([400, expect.stringContaining('"wknd"')]);
  });

  it('registers no key that was made elsewhere', async () => {
    const refused = await page.call('POST', '/config/wknd/sites/apart/apiKeys.json', { body: { description: 'Mine', jwt: 'a.b.c' } });
    expect([refused.status, refused.error]).toEqual([400, expect.stringContaining('jwt')]);
  });

  it('refuses a second user of the same address, and says which is there', async () => {
    const refused = await page.call('POST', '/config/wknd/users.json', { body: { email: OPERATOR, roles: ['author'] } });
    expect([refused.status, refused.error]).toEqual([409, expect.stringContaining(OPERATOR)]);
  });
});
