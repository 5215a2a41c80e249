import { startBeforeAll } from '../support/start-before-all.ts';
import { startReceiver } from '../support/receiver.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { callsAs, OPERATOR, siteBody } from '../support/backend.ts';
import { startCodeWorld } from '../support/code-world.ts';

const AUTHOR = 'ann.author@example.com';
const READER = 'rita.reader@example.com';
const PAGES: Readonly<Record<string, string>> = {
  '/content/market/index.html': 'Start',
  '/content/market/de/page.html': 'Page',
  '/content/market/products/default.html': 'Any product',
};

/** Last-Modified of some of them at the content source. */
const CHANGED: Readonly<Record<string, string>> = {
  '/content/market/de/page.html': 'Tue, 22 Jun 2021 10:11:12 GMT',
  '/content/market/products/default.html': '2021-06-22T12:11:12+02:00',
  '/content/market/index.html': 'the other day',
};

const author = startBeforeAll(() =>
  startReceiver((request, response) => {
    const path = (request.url ?? '').replace(/^\/bin\/franklin\.delivery\/wknd\/\w+\/main/, '');
    const [page, changed] = [PAGES[path], CHANGED[path]];
    const headers = { 'content-type': 'text/html; charset=utf-8', ...(changed !== undefined && { 'last-modified': changed }) };
    response.writeHead(page === undefined ? 404 : 200, headers).end(page);
  }),
);
const world = startBeforeAll(() => startCodeWorld({ settings: { AUTHOR_HOSTS: author.host } }), 60_000);
beforeAll(async () => {
  const body = (site: string, more: object = {}) =>
    siteBody('wknd', site, {
      code: { owner: 'wknd', repo: 'wknd' },
      content: { source: { url: `http://${author.host}/bin/franklin.delivery/wknd/${site}/main`, type: 'markup' } },
      public: { paths: { mappings: ['/content/market/:/'], includes: ['/content/market/'] } },
      ...more,
    });
  const folders = { '/products/': '/products/default' };
  const sidekick = { editUrlPattern: 'https://editor.example/{{pathname}}?of={{contentSourceUrl}}' };
  const admin = { role: { author: [AUTHOR] } };
  await put('market', body('market', { folders, sidekick, access: { admin }, query: { yaml: 'indices: {}\n' } }));
  await put('plain', body('plain', { public: { paths: { mappings: ['/content/plain/:/', '/content/market/:/m/'] } } }));
  await put('drive', body('drive', { content: { source: { type: 'onedrive', url: 'https://example.sharepoint.com/sites/drive' } } }));
  const root = { public: { paths: { mappings: ['/content/guarded/:/'] } } };
  await put('guarded', body('guarded', { ...root, access: { admin: { requireAuth: false }, live: { allow: [READER] } } }));
  const shut = {
    public: { paths: { mappings: ['/content/shut/:/'] } },
    access: { admin: { requireAuth: false }, site: { allow: [READER] } },
  };
  await put('shut', body('shut', shut));
  await world.sync('market');
}, 60_000);

const put = (site: string, body: object) => callsAs(world, OPERATOR).done('PUT', `/config/wknd/sites/${site}.json?unchecked=true`, body);

async function status(path: string, as: string | undefined = OPERATOR) {
  const answer = await world.backend.call('GET', path, as === '' ? {} : { as });
  expect(answer.status, answer.text).toBe(200);
  return Object(answer.json());
}

const host = (tier: string, ref = 'main', site = 'market') => expect.stringContaining(`://${ref}--${site}--wknd.${tier}.`);

describe('the status of a branch', () => {
  it('has its hosts, its code, the caller’s permissions, and links', async () => {
    const found = await status('/status/wknd/market/main');
    expect(found).toMatchObject({
      preview: { url: host('preview'), permissions: ['read'] },
      live: { url: host('live'), permissions: ['read'] },
      code: { status: 200, state: 'served', sha: expect.stringMatching(/^[0-9a-f]{40}$/), permissions: ['read', 'write'] },
    });
    expect(found.permissions).toEqual(expect.arrayContaining(['config:write', 'job:read', 'site:delete']));
    for (const call of ['job', 'config']) {
      const { pathname } = new URL(found.links[call]);
      expect((await world.backend.call('GET', pathname, { as: OPERATOR })).status, pathname).toBe(200);
    }
    expect(await status('/wknd/sites/market/status')).toEqual(found);
  });

  it('has no code for another branch, and an author’s permissions', async () => {
    const found = await status('/status/wknd/market/stage', AUTHOR);
    expect(found).toMatchObject({ preview: { url: host('preview', 'stage') }, code: { status: 404, state: 'never' } });
    expect(found.permissions).toEqual(['job:read', 'code:sync']);
  });
});

describe('the first code of a branch', () => {
  const fault = (mode: string) =>
    fetch(`${world.codeHost.address}/sandbox/faults`, {
      method: 'POST',
      body: JSON.stringify({ mode, delay: 600_000, path: '/wknd/wknd.git/git-upload-pack' }),
    });

  it('is reported as in progress, as clients of the public API expect, and then as available', async () => {
    await world.clone.push({ 'coming.txt': 'soon' }, 'coming');
    await fault('slow');
    const started = await world.backend.call('POST', '/code/wknd/market/coming/*', { as: OPERATOR });
    expect(started.status, started.text).toBe(202);
    const of = async (path: string) => (await status(`/status/wknd/market/coming${path}`)).code;
    expect(await of('')).toMatchObject({ status: 400, state: 'in-progress' });
    expect(await of('/')).toMatchObject({ status: 400, state: 'in-progress' });
    expect(await of('/coming.txt')).toMatchObject({ status: 404, state: 'in-progress' });
    await world.backend.call('DELETE', `/job/wknd/market/coming/code/${Object(started.json()).job.name}`, { as: OPERATOR });
    await fault('none');
    await world.ended('market', 'coming');
    await world.sync('market', 'coming');
    expect([await of(''), await of('/'), await of('/coming.txt')]).toMatchObject([{ status: 200 }, { status: 400 }, { status: 200 }]);
  });
});

describe('the caller', () => {
  it('is described as by /profile in every status', async () => {
    for (const path of ['/status/wknd/market/main', '/status/wknd/market/main/de/page', '/wknd/sites/market/status/']) {
      const token = await world.backend.token({ email: AUTHOR, name: 'Ann Author', userId: 'idp|ann' });
      const headers = { 'x-auth-token': token };
      const found = Object((await world.backend.call('GET', path, { headers })).json());
      const { ttl, ...profile } = Object((await world.backend.call('GET', '/profile', { headers })).json()).profile;
      expect([ttl > 0, found.profile]).toEqual([true, profile]);
      expect(profile).toMatchObject({ email: AUTHOR, name: 'Ann Author', user_id: 'idp|ann', exp: expect.any(Number) });
    }
  });

  it('can be an API key or anonymous', async () => {
    const body = { description: 'k', roles: ['author'] };
    const created = await world.backend.call('POST', '/config/wknd/apiKeys.json', { as: OPERATOR, body });
    const { id, value } = Object(created.json());
    const ofKey = await world.backend.call('GET', '/status/wknd/market/main', { headers: { 'x-auth-token': value } });
    expect(ofKey.json()).toMatchObject({ profile: { email: `api-key:${id}`, apiKey: { id, subject: 'wknd/*', roles: ['author'] } } });
    expect(await status('/status/wknd/guarded/main', '')).not.toHaveProperty('profile');
    const foreign = { origin: 'https://evil.example.com', cookie: `auth_token=${await world.backend.token(OPERATOR)}` };
    const answer = await world.backend.call('GET', '/status/wknd/guarded/main', { headers: foreign });
    expect([answer.status, answer.text.includes(OPERATOR)]).toEqual([200, false]);
  });
});

describe('the status of a path', () => {
  it.each([
    ['', { webPath: '/', resourcePath: '/index.md' }, { status: 200, from: 'mapping', sourceLocation: '/content/market/index.html' }],
    ['de/page', { webPath: '/de/page', resourcePath: '/de/page.md' }, { status: 200, from: 'mapping' }],
    ['products/shoe', { webPath: '/products/shoe' }, { status: 200, from: 'folder', sourceLocation: '/products/default' }],
    ['scripts/scripts.js', { resourcePath: '/scripts/scripts.js', code: { status: 200 } }, { status: 200, from: 'code' }],
    ['config.json', {}, { status: 200, from: 'configuration' }],
    ['helix-query.yaml', {}, { status: 200, from: 'configuration' }],
    ['de/missing', { code: { status: 404, state: 'served' } }, { status: 404, error: 'The content source does not have this page.' }],
    ['de//page', {}, { status: 400, error: expect.stringContaining('two slashes in a row') }],
  ])('"%s" is that of the hosts', async (path, whole, onHost) => {
    const found = await status(`/status/wknd/market/main/${path}`);
    expect(found).toMatchObject(whole);
    const { sourceLocation, ...rest } = onHost as { sourceLocation?: string };
    for (const tier of ['preview', 'live'] as const) {
      expect(found[tier]).toMatchObject({ ...rest, url: host(tier) });
      if (sourceLocation !== undefined) expect(found[tier].sourceLocation).toMatch(new RegExp(`${sourceLocation}$`));
      expect((await world.backend.visit(tier, 'main--market--wknd', `/${path}`)).status).toBe(found[tier].status);
    }
    const newer = await status(`/wknd/sites/market/status/${path}`);
    expect(newer).toEqual(found);
  });

  it.each([
    ['de/page', 'Tue, 22 Jun 2021 10:11:12 GMT'],
    ['products/shoe', 'Tue, 22 Jun 2021 10:11:12 GMT'],
    ['', undefined],
    ['de/missing', undefined],
    ['scripts/scripts.js', undefined],
  ])('has the last change of "%s" if the content source reports it', async (path, changed) => {
    const { preview, live, edit } = await status(`/status/wknd/market/main/${path}?editUrl=auto`);
    expect([preview.lastModified, live.lastModified, edit.lastModified]).toEqual([changed, changed, changed]);
  });

  it.each([
    ['de/page', 200, 'https://editor.example//de/page?of=http'],
    ['', 200, 'https://editor.example//index?of=http'],
    ['products/shoe', 200, 'https://editor.example//products/default?of=http'],
    ['de/missing', 404, undefined],
    ['scripts/scripts.js', 404, undefined],
    ['config.json', 404, undefined],
  ])('has whether "%s" has a document, and its edit address', async (path, found, start) => {
    const { edit } = await status(`/status/wknd/market/main/${path}?editUrl=auto`);
    expect([edit.status, edit.url?.slice(0, start?.length)]).toEqual([found, start]);
  });

  it('has the address of the page in the authoring system, unless the sidekick sets another', async () => {
    const of = async (path: string, site = 'plain') => (await status(`/status/wknd/${site}/main/${path}?editUrl=auto`)).edit;
    expect(await of('m/de/page')).toMatchObject({ status: 200, url: expect.stringMatching(/\/wknd\/plain\/main\/m\/de\/page\?cmd=open$/) });
    expect(await of('m/')).toMatchObject({ status: 200, url: expect.stringMatching(/\/wknd\/plain\/main\/m\/index\?cmd=open$/) });
    expect(await of('de/missing')).toEqual({ status: 404, sourceLocation: expect.stringContaining('/wknd/plain/main') });
    expect(await of('de/page', 'drive')).toEqual({ status: 501, sourceLocation: 'https://example.sharepoint.com/sites/drive' });
  });

  it('has no file of the code at the start page, as clients of the public API expect', async () => {
    expect((await status('/status/wknd/market/main/')).code).toMatchObject({ status: 400, state: 'served' });
    expect((await status('/status/wknd/market/stage/')).code).toMatchObject({ status: 404, state: 'never' });
  });

  it('includes robots.txt of each host', async () => {
    const { preview, live } = await status('/status/wknd/market/main/robots.txt');
    expect([preview.status, live.status]).toEqual([200, 200]);
  });

  it('has the edit address that the sidekick sets', async () => {
    const { edit } = await status('/status/wknd/market/main/de/page?editUrl=auto');
    expect(edit.url).toMatch(/^https:\/\/editor\.example\/\/de\/page\?of=http:\/\/author\.localhost/);
    expect((await status('/status/wknd/market/main/de/page')).edit).toEqual({});
    const reverse = await world.backend.call('GET', '/status/wknd/market/main/?editUrl=https://editor.example/', { as: OPERATOR });
    expect(reverse).toMatchObject({ status: 400, code: 'QUERY_INVALID' });
  });

  it('reveals nothing of a guarded host to those who may not read it', async () => {
    const path = '/status/wknd/guarded/main/de/page';
    const stranger = await status(path, '');
    expect([stranger.live, stranger.permissions]).toEqual([{ url: host('live', 'main', 'guarded'), permissions: [], status: 401 }, []]);
    expect(stranger.preview).toMatchObject({ status: 404, permissions: ['read'] });
    expect((await status(path, READER)).live).toMatchObject({ status: 404, permissions: ['read'] });
    expect((await status(path)).live).toMatchObject({ status: 404, permissions: [] });
  });

  it('reveals no document to those who may read none of the hosts', async () => {
    const { edit } = await status('/status/wknd/shut/main/de/page?editUrl=auto', '');
    expect(edit).toEqual({ status: 401, url: expect.stringContaining('/de/page?cmd=open'), sourceLocation: expect.any(String) });
    expect((await status('/status/wknd/shut/main/de/page?editUrl=auto', READER)).edit.status).toBe(404);
  });
});
