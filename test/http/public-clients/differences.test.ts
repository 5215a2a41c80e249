import { beforeAll, describe, expect, it } from 'vitest';
import { aliasesOf, NOT_OFFERED, notOfferedAt, notOfferedSentence } from '@repoless/contract/public-api.ts';
import { allEndpoints } from '@repoless/contract/endpoints.ts';
import { EXTENSION_ORIGIN, OPERATOR, siteBody, startTestBackend } from '../../support/backend.ts';
import { startBeforeAll } from '../../support/start-before-all.ts';
import { browserClient } from './public-client.ts';
import type { PublicClient } from './public-client.ts';

const SITE = '/config/wknd/sites/apart.json';
let page: PublicClient;

const backend = startBeforeAll(() => startTestBackend());
beforeAll(async () => {
  page = browserClient(backend, EXTENSION_ORIGIN, { 'x-auth-token': await backend.token(OPERATOR) });
  expect((await page.call('PUT', SITE, { body: siteBody('wknd', 'apart') })).status).toBe(201);
});

describe('what clients of the public API call and is not here (docs/contract.md 8.2)', () => {
  it.each([
    ['DELETE', '/config/wknd.json', 405],
    ['DELETE', '/code/wknd/apart/main/scripts/scripts.js', 405],
  ])('%s %s is refused with %i and a sentence that a page may read', async (method, path, status) => {
    const refused = await page.call(method, path);
    expect([refused.status, refused.ok]).toEqual([status, false]);
    expect(refused.error).toMatch(/^\S.+/);
  });

  const calls = NOT_OFFERED.flatMap((call) => call.paths.map((path) => [call.method ?? 'GET', path, notOfferedSentence(call)] as const));

  it.each(calls)('%s %s is refused with 501 and says so, the same to everybody', async (method, form, sentence) => {
    const path = (org: string) =>
      form.replaceAll(/\{(\w+)\*?\}/g, (_, name: string) => ({ org, site: 'apart', ref: 'main', topic: 'preview' })[name] ?? 'index.html');
    for (const one of method === 'GET' ? ['GET', 'POST', 'DELETE'] : [method]) {
      const refused = await page.call(one, path('wknd'));
      expect([refused.status, refused.error, refused.header('x-error-code')]).toEqual([501, sentence, 'NOT_OFFERED']);
    }
    for (const org of ['wknd', 'nobodys']) {
      const stranger = await backend.call(method, path(org));
      expect([stranger.status, stranger.headers['x-error']]).toEqual([501, sentence]);
    }
  });

  it('refuses no call that is offered, at whatever address', () => {
    const fill = (path: string) => path.replaceAll(/\{(\w+)\*?\}/g, (_, name: string) => (name === 'path' ? 'index.html' : name));
    const offered = allEndpoints().flatMap(([, { method, path }]) =>
      [path, ...aliasesOf(path).map((alias) => alias.path)].map((one) => [method, fill(one)] as const),
    );
    expect(offered.filter(([method, path]) => notOfferedAt(method, path) !== undefined)).toEqual([]);
  });
});

describe('what is answered otherwise', () => {
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
