import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR, siteBody } from '../support/backend.ts';
import { startCodeWorld } from '../support/code-world.ts';
import type { CodeWorld } from '../support/code-world.ts';

const AUTHOR = 'ann.author@example.com';
const READER = 'rita.reader@example.com';
const PAGES: Readonly<Record<string, string>> = {
  '/content/market/index.html': 'Start',
  '/content/market/de/page.html': 'Page',
  '/content/market/products/default.html': 'Any product',
};

let author: Server;
let world: CodeWorld;

beforeAll(async () => {
  author = createServer((request, response) => {
    const page = PAGES[(request.url ?? '').replace(/^\/bin\/franklin\.delivery\/wknd\/\w+\/main/, '')];
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
  });
  await new Promise<void>((resolve) => author.listen(0, '127.0.0.1', resolve));
  const { port } = author.address() as AddressInfo;
  world = await startCodeWorld({ settings: { AUTHOR_HOSTS: `author.localhost:${port}` } });
  const body = (site: string, more: object = {}) =>
    siteBody('wknd', site, {
      code: { owner: 'wknd', repo: 'wknd' },
      content: { source: { url: `http://author.localhost:${port}/bin/franklin.delivery/wknd/${site}/main`, type: 'markup' } },
      public: { paths: { mappings: ['/content/market/:/'], includes: ['/content/market/'] } },
      ...more,
    });
  const folders = { '/products/': '/products/default' };
  const sidekick = { editUrlPattern: 'https://editor.example/{{pathname}}?of={{contentSourceUrl}}' };
  const admin = { role: { author: [AUTHOR] } };
  await put('market', body('market', { folders, sidekick, access: { admin }, query: { yaml: 'indices: {}\n' } }));
  const root = { public: { paths: { mappings: ['/content/guarded/:/'] } } };
  await put('guarded', body('guarded', { ...root, access: { admin: { requireAuth: false }, live: { allow: [READER] } } }));
  await world.sync('market');
}, 60_000);
afterAll(async () => {
  await world.stop();
  author.closeAllConnections();
  await new Promise((resolve) => author.close(resolve));
});

async function put(site: string, body: object): Promise<void> {
  const { status, text } = await world.backend.call('PUT', `/config/wknd/sites/${site}.json?unchecked=true`, { as: OPERATOR, body });
  expect(status, text).toBe(201);
}

async function status(path: string, as: string | undefined = OPERATOR) {
  const answer = await world.backend.call('GET', path, as === '' ? {} : { as });
  expect(answer.status, answer.text).toBe(200);
  return Object(answer.json());
}

const host = (tier: string, ref = 'main', site = 'market') => expect.stringContaining(`://${ref}--${site}--wknd.${tier}.`);

describe('The status of a branch', () => {
  it('tells its hosts, its code, what the caller may do, and where to ask on', async () => {
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

  it('tells that the code of another branch is not there, and an author what authors may', async () => {
    const found = await status('/status/wknd/market/stage', AUTHOR);
    expect(found).toMatchObject({ preview: { url: host('preview', 'stage') }, code: { status: 404, state: 'never' } });
    expect(found.permissions).toEqual(['job:read', 'code:sync']);
  });
});

describe('The status of a path', () => {
  it.each([
    ['', { webPath: '/', resourcePath: '/index.md' }, { status: 200, from: 'mapping', sourceLocation: '/content/market/index.html' }],
    ['de/page', { webPath: '/de/page', resourcePath: '/de/page.md' }, { status: 200, from: 'mapping' }],
    ['products/shoe', { webPath: '/products/shoe' }, { status: 200, from: 'folder', sourceLocation: '/products/default' }],
    ['scripts/scripts.js', { resourcePath: '/scripts/scripts.js', code: { status: 200 } }, { status: 200, from: 'code' }],
    ['config.json', {}, { status: 200, from: 'configuration' }],
    ['helix-query.yaml', {}, { status: 200, from: 'configuration' }],
    ['de/missing', { code: { status: 404, state: 'served' } }, { status: 404, error: 'The content source does not have this page.' }],
    ['de//page', {}, { status: 400, error: expect.stringContaining('two slashes in a row') }],
  ])('"%s" is what the hosts answer', async (path, whole, onHost) => {
    const found = await status(`/status/wknd/market/main/${path}`);
    expect(found).toMatchObject(whole);
    const { sourceLocation, ...rest } = onHost as { sourceLocation?: string };
    for (const tier of ['preview', 'live'] as const) {
      expect(found[tier]).toMatchObject({ ...rest, url: host(tier) });
      if (sourceLocation !== undefined) expect(found[tier].sourceLocation).toMatch(new RegExp(`${sourceLocation}$`));
      const visited = await world.backend.visit(tier, 'main--market--wknd', `/${path}`);
      expect(visited.status).toBe(found[tier].status);
    }
    const newer = await status(`/wknd/sites/market/status/${path}`);
    expect(newer).toEqual(found);
  });

  it('tells robots.txt of each host', async () => {
    const { preview, live } = await status('/status/wknd/market/main/robots.txt');
    expect([preview.status, live.status]).toEqual([200, 200]);
  });

  it('says where the page is edited where the sidekick says so', async () => {
    const { edit } = await status('/status/wknd/market/main/de/page?editUrl=auto');
    expect(edit.url).toMatch(/^https:\/\/editor\.example\/\/de\/page\?of=http:\/\/author\.localhost/);
    expect((await status('/status/wknd/market/main/de/page')).edit).toEqual({});
    const reverse = await world.backend.call('GET', '/status/wknd/market/main/?editUrl=https://editor.example/', { as: OPERATOR });
    expect([reverse.status, reverse.headers['x-error-code']]).toEqual([400, 'QUERY_INVALID']);
  });

  it('tells nobody of a guarded host who may not read it', async () => {
    const path = '/status/wknd/guarded/main/de/page';
    const stranger = await status(path, '');
    expect([stranger.live, stranger.permissions]).toEqual([{ url: host('live', 'main', 'guarded'), permissions: [], status: 401 }, []]);
    expect(stranger.preview).toMatchObject({ status: 404, permissions: ['read'] });
    expect((await status(path, READER)).live).toMatchObject({ status: 404, permissions: ['read'] });
    expect((await status(path)).live).toMatchObject({ status: 404, permissions: [] });
  });
});
