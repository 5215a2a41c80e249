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
  it('shows that there are none yet', async () => {
    expect((await page.call('GET', SITES)).json()).toEqual({ sites: [] });
  });

  it('makes a site by POST from a code address and a content address alone, and lists it', async () => {
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

  it('sends back the whole site that it read, with one part of it changed', async () => {
    const read = Object((await page.call('GET', SITE)).json());
    const source = { type: 'onedrive', url: 'https://example.sharepoint.com/sites/wknd/shop' };
    expect((await page.call('POST', SITE, { body: { ...read, content: { ...read.content, source } } })).ok).toBe(true);
    expect((await page.call('GET', SITE)).json()).toMatchObject({ content: { source }, created: read.created, code });
  });

  it('changes the code address by itself', async () => {
    const other = { owner: 'wknd', repo: 'other', source: { type: 'github', url: 'https://github.com/wknd/other' } };
    expect((await page.call('POST', '/config/wknd/sites/shop/code.json', { body: other })).ok).toBe(true);
    expect((await page.call('GET', SITE)).json()).toMatchObject({ code: other });
  });

  it('takes a content address of a drive with its identifier', async () => {
    const source = { type: 'google', url: 'https://drive.google.com/drive/folders/abc123', id: 'abc123' };
    expect((await page.call('POST', '/config/wknd/sites/drive.json', { body: { code, content: { source } } })).ok).toBe(true);
    expect((await page.call('GET', '/config/wknd/sites/drive.json')).json()).toMatchObject({ content: { source } });
  });

  it('shows the sentence of x-error where it is refused', async () => {
    const refused = await page.call('POST', SITE, { body: { code, colour: 'red' } });
    expect([refused.status, refused.ok]).toEqual([400, false]);
    expect(refused.error).toMatch(/colour|content/);
    const part = await page.call('POST', '/config/wknd/sites/nowhere/public.json', { body: { paths: { mappings: ['/content/x/:/'] } } });
    expect([part.status, part.error]).toEqual([404, 'Error updating config: config not found.']);
  });

  it('removes a site, and takes 404 for one that is not there', async () => {
    const removed = await page.call('DELETE', SITE);
    expect([removed.ok, removed.status, removed.text]).toEqual([true, 204, '']);
    const gone = await page.call('GET', SITE);
    expect([gone.ok, gone.status]).toEqual([false, 404]);
  });
});

describe('a command line', () => {
  it.each(['x-auth-token', 'token', 'Bearer', 'bearer'])('shows its token by %s', async (form) => {
    const token = await backend.token(OPERATOR);
    const headers = form === 'x-auth-token' ? { [form]: token } : { authorization: `${form} ${token}` };
    expect((await commandLineClient(backend, headers).call('GET', SITES)).status).toBe(200);
  });

  it('makes a site by PUT, asks by HEAD whether it is there, and reads what everybody may read of it', async () => {
    const shell = commandLineClient(backend, { 'x-auth-token': await backend.token(OPERATOR), accept: '*/*' });
    const body = { version: 1, code, content: { source: { ...content.source, url: 'https://content.example.com/wknd/made/' } } };
    const made = await shell.call('PUT', '/config/wknd/sites/made.json', { body, type: 'application/json; charset=utf-8' });
    expect([made.status, made.json()]).toEqual([201, expect.objectContaining({ version: 1, code })]);
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

it('leaves a page of an origin that the settings do not name unable to read anything', async () => {
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
  const told = (name: string) => `The name "source" in the body is not used: the address names "${name}".`;

  beforeAll(async () => {
    expect((await page.call('PUT', at('source'), { body: first })).status).toBe(201);
  });

  it.each([
    ['POST', 'config'],
    ['PUT', 'config'],
    ['POST', 'newer'],
    ['PUT', 'newer'],
  ])('sends by %s (%s addresses) the document that it read to another address, whose name it gets', async (method, generation) => {
    const copy = `copy-${method.toLowerCase()}-${generation}`;
    const read = Object((await page.call('GET', at('source', generation))).json());
    expect(read.name).toBe('source');
    const made = await page.call(method, at(copy, generation), { body: read });
    expect([made.status, made.header('x-warning')], made.text).toEqual([201, told(copy)]);
    const { created, lastModified, name, ...rest } = Object((await page.call('GET', at(copy))).json());
    expect(name).toBe(copy);
    expect(rest).toEqual(
      Object.fromEntries(Object.entries(read).filter(([member]) => !['created', 'lastModified', 'name'].includes(member))),
    );
    expect(Date.parse(created)).toBeGreaterThan(Date.parse(read.created));
    expect(lastModified).toBe(created);
  });

  it('is told by a dry run, on a document that is there and that does not change, and of any name', async () => {
    const read = Object((await page.call('GET', at('source'))).json());
    const tried = await page.call('POST', `${at('tried')}?dryRun=true`, { body: read });
    expect(tried.json()).toMatchObject({ status: 201, warnings: [told('tried')] });
    const again = await page.call('POST', at('copy-post-config'), { body: read });
    expect([again.status, again.header('x-warning')]).toEqual([200, told('copy-post-config')]);
    const odd = await page.call('POST', at('source'), { body: { ...read, name: `Ü\n${'x'.repeat(5000)}` } });
    expect(odd.status, odd.text).toBe(200);
    expect(odd.header('x-warning')).toMatch(/^The name "\?\?x{78}\.\.\." in the body is not used: the address names "source"\.$/);
    const same = await page.call('POST', at('source'), { body: read });
    expect([same.status, same.header('x-warning')]).toEqual([200, undefined]);
  });
});

it('An organization keeps the name of its address, and says that another one is not used', async () => {
  const read = Object((await page.call('GET', '/config/wknd.json')).json());
  for (const method of ['POST', 'PUT']) {
    const sent = await page.call(method, '/config/wknd.json', { body: { ...read, name: 'acme', title: method } });
    const sentence = 'The name "acme" in the body is not used: the address names "wknd".';
    expect([sent.status, sent.header('x-warning'), Object(sent.json()).name], sent.text).toEqual([200, sentence, 'wknd']);
    const tried = await page.call(method, '/config/wknd.json?dryRun=true', { body: { ...read, name: 'acme' } });
    expect(tried.json()).toMatchObject({ warnings: [sentence] });
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
  ])('%s is answered the same at %s', async (older, newer) => {
    const [one, other] = [await page.call('GET', older), await page.call('GET', newer)];
    expect([one.status, other.status, other.text]).toEqual([200, 200, one.text]);
  });

  it.each(['/psi', '/psi?url=https://www.example.com', '/wknd/sites/both/snapshot', '/wknd/sites/both/job', '/cron/wknd/both/main'])(
    '%s is refused with 501, and with where it is done instead',
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
});
