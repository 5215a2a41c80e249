import { beforeAll, describe, expect, it } from 'vitest';
import { EXTENSION_ORIGIN, OPERATOR, siteBody, startTestBackend } from '../../support/backend.ts';
import { startBeforeAll } from '../../support/start-before-all.ts';
import { browserClient, commandLineClient, type PublicClient } from './public-client.ts';
import { aliasesOf, NOT_OFFERED, notOfferedAt, notOfferedSentence } from '@repoless/contract/public-api.ts';
import { allEndpoints } from '@repoless/contract/endpoints.ts';

const SITES = '/config/wknd/sites.json';
const SITE = '/config/wknd/sites/shop.json';
const code = { owner: 'wknd', repo: 'wknd', source: { type: 'github', url: 'https://github.com/wknd/wknd' } };
const content = { source: { type: 'markup', url: 'https://content.example.com/wknd/shop/' } };
let page: PublicClient;

const backend = startBeforeAll(() => startTestBackend());
beforeAll(async () => {
  page = browserClient(backend, EXTENSION_ORIGIN, { 'x-auth-token': await backend.token(OPERATOR) });
});

describe('a page that manages the sites of an organization', () => {
  it('shows an empty list at first', async () => {
    expect((await page.call('GET', SITES)).json()).toEqual({ sites: [] });
  });

  it('creates a site by POST with only a code address and a content address, and lists it', async () => {
    expect((await page.call('POST', SITE, { body: { code, content } })).ok).toBe(true);
    expect((await page.call('GET', SITES)).json()).toEqual({ sites: [{ name: 'shop', path: '/config/wknd/sites/shop.json' }] });
    expect((await page.call('GET', SITE)).json()).toMatchObject({
      version: 1,
      code,
      content: { ...content, contentBusId: expect.stringMatching(/^[0-9a-f]{59}$/) },
      created: expect.any(String),
      lastModified: expect.any(String),
    });
  });

  it('replaces the site that it read with one part changed', async () => {
    const read = Object((await page.call('GET', SITE)).json());
    const source = { type: 'onedrive', url: 'https://example.sharepoint.com/sites/wknd/shop' };
    expect((await page.call('POST', SITE, { body: { ...read, content: { ...read.content, source } } })).ok).toBe(true);
    expect((await page.call('GET', SITE)).json()).toMatchObject({ content: { source }, created: read.created, code });
  });

  it('changes only the code address', async () => {
    const other = { owner: 'wknd', repo: 'other', source: { type: 'github', url: 'https://github.com/wknd/other' } };
    expect((await page.call('POST', '/config/wknd/sites/shop/code.json', { body: other })).ok).toBe(true);
    expect((await page.call('GET', SITE)).json()).toMatchObject({ code: other });
  });

  it('sets the content address of a drive with its identifier', async () => {
    const source = { type: 'google', url: 'https://drive.google.com/drive/folders/abc123', id: 'abc123' };
    expect((await page.call('POST', '/config/wknd/sites/drive.json', { body: { code, content: { source } } })).ok).toBe(true);
    expect((await page.call('GET', '/config/wknd/sites/drive.json')).json()).toMatchObject({ content: { source } });
  });

  it('shows the sentence of x-error when refused', async () => {
    const refused = await page.call('POST', SITE, { body: { code, colour: 'red' } });
    expect([refused.status, refused.ok]).toEqual([400, false]);
    expect(refused.error).toMatch(/colour|content/);
    const part = await page.call('POST', '/config/wknd/sites/nowhere/public.json', { body: { paths: { mappings: ['/content/x/:/'] } } });
    expect([part.status, part.error]).toEqual([404, 'Error updating config: config not found.']);
  });

  it('removes a site, and gets 404 for a missing one', async () => {
    const removed = await page.call('DELETE', SITE);
    expect([removed.ok, removed.status, removed.text]).toEqual([true, 204, '']);
    const missing = await page.call('GET', SITE);
    expect([missing.ok, missing.status]).toEqual([false, 404]);
  });
});

describe('a command line', () => {
  it.each(['x-auth-token', 'token', 'Bearer', 'bearer'])('sends its token as %s', async (form) => {
    const token = await backend.token(OPERATOR);
    const headers = form === 'x-auth-token' ? { [form]: token } : { authorization: `${form} ${token}` };
    expect((await commandLineClient(backend, headers).call('GET', SITES)).status).toBe(200);
  });

  it('creates a site by PUT, checks by HEAD that it exists, and reads its public configuration', async () => {
    const shell = commandLineClient(backend, { 'x-auth-token': await backend.token(OPERATOR), accept: '*/*' });
    const body = { version: 1, code, content: { source: { ...content.source, url: 'https://content.example.com/wknd/made/' } } };
    const answer = await shell.call('PUT', '/config/wknd/sites/made.json', { body, type: 'application/json; charset=utf-8' });
    expect([answer.status, answer.json()]).toEqual([201, expect.objectContaining({ version: 1, code })]);
    expect(await shell.call('HEAD', '/config/wknd/sites/made.json')).toMatchObject({ status: 200, text: '' });
    expect((await shell.call('HEAD', '/config/wknd/sites/missing.json')).status).toBe(404);
    const mappings = { paths: { mappings: ['/content/made/:/'], includes: ['/content/made/'] } };
    expect((await shell.call('POST', '/config/wknd/sites/made/public.json', { body: mappings })).json()).toEqual(mappings);
    expect((await backend.visit('preview', 'main--made--wknd', '/config.json')).json()).toEqual({ public: mappings });
  });

  it('works at the newer addresses', async () => {
    const shell = commandLineClient(backend, { authorization: `Bearer ${await backend.token(OPERATOR)}` });
    const own = { source: { ...content.source, url: 'https://content.example.com/wknd/newer/' } };
    expect((await shell.call('PUT', '/wknd/sites/newer/config.json', { body: { code, content: own } })).status).toBe(201);
    expect((await shell.call('POST', '/wknd/sites/newer/config/cdn/prod.json', { body: { host: 'www.example.com' } })).ok).toBe(true);
    expect((await shell.call('GET', '/wknd/sites/newer/config.json')).json()).toMatchObject({ cdn: { prod: { host: 'www.example.com' } } });
    expect((await shell.call('GET', '/wknd/sites')).json()).toMatchObject({
      sites: expect.arrayContaining([{ name: 'newer', path: expect.any(String) }]),
    });
    expect((await shell.call('DELETE', '/wknd/sites/newer/config.json')).status).toBe(204);
  });
});

it('is the only client that can read if a page’s origin is not in the settings', async () => {
  const elsewhere = browserClient(backend, 'https://elsewhere.example.com', { 'x-auth-token': await backend.token(OPERATOR) });
  await expect(elsewhere.call('GET', SITES)).rejects.toThrow(/would not/);
});

/** Kinds of documents, with the call that creates the first of each. */
const KINDS = [
  ['sites', siteBody('wknd', 'source', { title: 'Source', content: { source: { type: 'markup', url: 'https://content.example.com/' } } })],
  ['profiles', { title: 'Source', headers: { '/**': [{ key: 'x-made', value: 'yes' }] } }],
] as const;

describe.each(KINDS)('a page that copies %s', (kind, first) => {
  const at = (name: string, generation = 'config') =>
    generation === 'config' ? `/config/wknd/${kind}/${name}.json` : `/wknd/${kind}/${name}/config.json`;
  const nameIgnored = (name: string) => `The name "source" in the body is not used: the address names "${name}".`;

  beforeAll(async () => {
    expect((await page.call('PUT', at('source'), { body: first })).status).toBe(201);
  });

  it.each([
    ['POST', 'config'],
    ['PUT', 'config'],
    ['POST', 'newer'],
    ['PUT', 'newer'],
  ])('sends the document by %s (%s addresses) to another address, which gives it its name', async (method, generation) => {
    const copy = `copy-${method.toLowerCase()}-${generation}`;
    const read = Object((await page.call('GET', at('source', generation))).json());
    expect(read.name).toBe('source');
    const answer = await page.call(method, at(copy, generation), { body: read });
    expect([answer.status, answer.header('x-warning')], answer.text).toEqual([201, nameIgnored(copy)]);
    const { created, lastModified, name, ...rest } = Object((await page.call('GET', at(copy))).json());
    expect(name).toBe(copy);
    expect(rest).toEqual(
      Object.fromEntries(Object.entries(read).filter(([member]) => !['created', 'lastModified', 'name'].includes(member))),
    );
    expect(Date.parse(created)).toBeGreaterThan(Date.parse(read.created));
    expect(lastModified).toBe(created);
  });

  it('learns of the other name by a dry run, with an unchanged document, and for any name', async () => {
    const read = Object((await page.call('GET', at('source'))).json());
    const dryRun = await page.call('POST', `${at('tried')}?dryRun=true`, { body: read });
    expect(dryRun.json()).toMatchObject({ status: 201, warnings: [nameIgnored('tried')] });
    const again = await page.call('POST', at('copy-post-config'), { body: read });
    expect([again.status, again.header('x-warning')]).toEqual([200, nameIgnored('copy-post-config')]);
    const odd = await page.call('POST', at('source'), { body: { ...read, name: `Ü\n${'x'.repeat(5000)}` } });
    expect(odd.status, odd.text).toBe(200);
    expect(odd.header('x-warning')).toMatch(/^The name "\?\?x{78}\.\.\." in the body is not used: the address names "source"\.$/);
    const same = await page.call('POST', at('source'), { body: read });
    expect([same.status, same.header('x-warning')]).toEqual([200, undefined]);
  });
});

it('An organization keeps the name of its address, and warns that another name is ignored', async () => {
  const read = Object((await page.call('GET', '/config/wknd.json')).json());
  for (const method of ['POST', 'PUT']) {
    const sent = await page.call(method, '/config/wknd.json', { body: { ...read, name: 'acme', title: method } });
    const sentence = 'The name "acme" in the body is not used: the address names "wknd".';
    expect([sent.status, sent.header('x-warning'), Object(sent.json()).name], sent.text).toEqual([200, sentence, 'wknd']);
    const dryRun = await page.call(method, '/config/wknd.json?dryRun=true', { body: { ...read, name: 'acme' } });
    expect(dryRun.json()).toMatchObject({ warnings: [sentence] });
  }
});

describe('older and newer addresses', () => {
  beforeAll(async () => {
    const body = siteBody('wknd', 'both', { robots: { txt: 'User-agent: *\n' }, sidekick: { project: 'Both' } });
    expect((await backend.call('PUT', '/config/wknd/sites/both.json', { as: OPERATOR, body })).status).toBe(201);
  });

  it.each([
    ['/config/wknd/aggregated/both/robots.txt', '/wknd/aggregated/both/robots.txt'],
    ['/config/wknd/aggregated/both.json', '/wknd/aggregated/both/config.json'],
    ['/sidekick/wknd/both/main/config.json', '/wknd/sites/both/sidekick/config.json'],
    ['/job/wknd/both/main/code', '/wknd/sites/both/job/code'],
    ['/code/wknd/both/*', '/wknd/sites/both/code/*'],
  ])('%s gives the same answer as %s', async (older, newer) => {
    const [one, other] = [await page.call('GET', older), await page.call('GET', newer)];
    expect([one.status, other.status, other.text]).toEqual([200, 200, one.text]);
  });

  it.each(['/psi', '/psi?url=https://www.example.com', '/wknd/sites/both/snapshot', '/wknd/sites/both/job', '/cron/wknd/both/main'])(
    '%s is refused with 501, which says where to do it instead',
    async (path) => {
      expect(await page.call('GET', path)).toMatchObject({ status: 501, error: expect.stringMatching(/ is not offered here: .+\. .+\.$/) });
    },
  );
});

describe('deliberate differences', () => {
  const SITE = '/config/wknd/sites/apart.json';
  beforeAll(async () => {
    expect((await page.call('PUT', SITE, { body: siteBody('wknd', 'apart') })).status).toBe(201);
  });

  describe('calls of the public API that this service does not offer (docs/contract.md 8.2)', () => {
    it.each([
      ['DELETE', '/config/wknd.json', 405],
      ['DELETE', '/code/wknd/apart/main/scripts/scripts.js', 405],
    ])('%s %s is refused with %i and a sentence that pages can read', async (method, path, status) => {
      const refused = await page.call(method, path);
      expect([refused.status, refused.ok]).toEqual([status, false]);
      expect(refused.error).toMatch(/^\S.+/);
    });

    const calls = NOT_OFFERED.flatMap((call) => call.paths.map((path) => [call.method ?? 'GET', path, notOfferedSentence(call)] as const));

    it.each(calls)('%s %s is refused with 501 for everyone alike', async (method, form, sentence) => {
      const path = (org: string) =>
        form.replaceAll(
          /\{(\w+)\*?\}/g,
          (_, name: string) => ({ org, site: 'apart', ref: 'main', topic: 'preview' })[name] ?? 'index.html',
        );
      for (const one of method === 'GET' ? ['GET', 'POST', 'DELETE'] : [method]) {
        const refused = await page.call(one, path('wknd'));
        expect([refused.status, refused.error, refused.header('x-error-code')]).toEqual([501, sentence, 'NOT_OFFERED']);
      }
      for (const org of ['wknd', 'nobodys']) {
        expect(await backend.call(method, path(org))).toMatchObject({ status: 501, error: sentence });
      }
    });

    it('refuses no offered call at any of its addresses', () => {
      const fill = (path: string) => path.replaceAll(/\{(\w+)\*?\}/g, (_, name: string) => (name === 'path' ? 'index.html' : name));
      const offered = allEndpoints().flatMap(([, { method, path }]) =>
        [path, ...aliasesOf(path).map((alias) => alias.path)].map((one) => [method, fill(one)] as const),
      );
      expect(offered.filter(([method, path]) => notOfferedAt(method, path) !== undefined)).toEqual([]);
    });
  });

  describe('answers that differ', () => {
    it('replaces an existing site by PUT, unless the request requires a new one', async () => {
      expect((await page.call('PUT', SITE, { body: siteBody('wknd', 'apart', { title: 'Again' }) })).status).toBe(200);
      const only = await page.call('PUT', SITE, { body: siteBody('wknd', 'apart'), headers: { 'if-none-match': '*' } });
      expect(only.status).toBe(412);
    });

    it('refuses a site with a single part, and keeps the stored one', async () => {
      const part = { project: 'One' };
      const refused = await page.call('POST', SITE, { body: { sidekick: part } });
      expect([refused.status, refused.error]).toEqual([400, expect.stringMatching(/content|code/)]);
      expect((await page.call('POST', '/config/wknd/sites/apart/sidekick.json', { body: part })).ok).toBe(true);
      expect((await page.call('GET', SITE)).json()).toMatchObject({ title: 'Again', sidekick: part });
    });

    it('refuses JSON without its content type', async () => {
      const refused = await page.call('POST', '/config/wknd/sites/apart/sidekick.json', { body: '{}', type: 'text/plain;charset=UTF-8' });
      expect([refused.status, refused.error]).toEqual([415, expect.stringContaining('application/json')]);
    });

    it('refuses names in upper case, and gives the correct form', async () => {
      const refused = await page.call('GET', '/config/WKND/sites/apart.json');
      expect([refused.status, refused.error]).toEqual([400, expect.stringContaining('"wknd"')]);
    });

    it('does not register a key that was created elsewhere', async () => {
      const refused = await page.call('POST', '/config/wknd/sites/apart/apiKeys.json', { body: { description: 'Mine', jwt: 'a.b.c' } });
      expect([refused.status, refused.error]).toEqual([400, expect.stringContaining('jwt')]);
    });

    it('refuses a second user with the same address, and names the first', async () => {
      const refused = await page.call('POST', '/config/wknd/users.json', { body: { email: OPERATOR, roles: ['author'] } });
      expect([refused.status, refused.error]).toEqual([409, expect.stringContaining(OPERATOR)]);
    });
  });
});
