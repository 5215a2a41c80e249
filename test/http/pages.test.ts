import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import type { TestBackend } from '../support/backend.ts';

const TOKEN = 'token-of-the-technical-account';
let backend: TestBackend;
let author: Server;
let address: string;
const asked: IncomingMessage[] = [];

const PAGES: Readonly<Record<string, string>> = {
  '/content/market/index.html': '<html><head></head><body><main><h1>Start</h1></main></body></html>',
  '/content/market/about/us.html': '<html><body><main>About</main></body></html>',
  '/content/shared/legal.html': '<html><body><main>Legal</main></body></html>',
  '/content/market/configuration.json': '{"data":[]}',
  '/content/market/hidden/x.html': '<html></html>',
};

beforeAll(async () => {
  author = createServer((request, response) => {
    asked.push(request);
    const path = (request.url ?? '').replace('/bin/franklin.delivery/wknd/market/main', '');
    if (path === '/content/market/broken.html') return void response.writeHead(500).end();
    if (path === '/content/market/moved.html') return void response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
    const page = PAGES[path];
    if (page === undefined) response.writeHead(404).end('nothing');
    else
      response
        .writeHead(200, { 'content-type': path.endsWith('.json') ? 'application/json' : 'text/html; charset=utf-8', 'set-cookie': 'a=b' })
        .end(page);
  });
  await new Promise<void>((resolve) => author.listen(0, '127.0.0.1', resolve));
  const { port } = author.address() as AddressInfo;
  address = `http://author.localhost:${port}`;
  backend = await startTestBackend({ settings: { AUTHOR_HOSTS: `author.localhost:${port}`, CONTENT_TOKEN: TOKEN } });
  await register('market', 'markup');
  await register('drive', 'google');
});
afterAll(async () => {
  await backend.stop();
  author.closeAllConnections();
  await new Promise((resolve) => author.close(resolve));
});

async function register(site: string, type: string): Promise<void> {
  const url = type === 'markup' ? `${address}/bin/franklin.delivery/wknd/${site}/main` : 'https://drive.google.com/drive/folders/x';
  const paths = {
    mappings: [`/content/${site}/:/`, `/content/${site}/configuration:/.helix/config.json`, '/content/shared/legal:/legal'],
    includes: [`/content/${site}/`, '/content/shared/'],
  };
  const more = type === 'markup' ? { suffix: '.html' } : { id: 'x' };
  const body = siteBody('wknd', site, { content: { source: { url, type, ...more } }, public: { paths } });
  expect((await backend.call('PUT', `/config/wknd/sites/${site}.json`, { as: OPERATOR, body })).status).toBe(201);
}
const visit = (path: string, site = 'market', ref = 'main', headers = {}) =>
  backend.visit('preview', `${ref}--${site}--wknd`, path, { headers });

describe('a page of a preview or live host', () => {
  it.each([
    ['/', '/content/market/index.html'],
    ['/about/us', '/content/market/about/us.html'],
    ['/legal', '/content/shared/legal.html'],
    ['/.helix/config.json', '/content/market/configuration.json'],
    ['/configuration.json', '/content/market/configuration.json'],
  ])('at %s is the content %s by the mappings', async (path, content) => {
    const answer = await visit(path);
    expect([answer.status, answer.text]).toEqual([200, PAGES[content]]);
    expect(answer.headers['x-content-source']).toBe(`${address}/bin/franklin.delivery/wknd/market/main${content}`);
    expect(answer.headers['set-cookie']).toBeUndefined();
    const again = await visit(path, 'market', 'some-branch', { 'if-none-match': answer.headers['etag'] ?? '' });
    expect(again.status).toBe(304);
  });

  it('is the inside of its main element where a fragment is asked for', async () => {
    expect((await visit('/about/us.plain.html')).text).toBe('About');
  });

  it('is asked for with the token of the settings, which nobody is told', async () => {
    const answer = await visit('/about/us');
    expect(asked.at(-1)?.headers.authorization).toBe(`Bearer ${TOKEN}`);
    expect(JSON.stringify([answer.text, answer.headers])).not.toContain(TOKEN);
  });

  it.each([
    ['/nothing', 404, 'ROUTE_NOT_FOUND'],
    ['/broken', 502, 'CONTENT_UNREACHABLE'],
    ['/moved', 502, 'CONTENT_UNREACHABLE'],
    ['/%E0%A4%A', 400, 'NAME_INVALID'],
    ['/..%2f..%2fetc/passwd', 400, 'NAME_INVALID'],
  ])('tells clearly why there is none at %s', async (path, status, code) => {
    const answer = await visit(path);
    expect([answer.status, answer.headers['x-error-code']]).toEqual([status, code]);
    expect(answer.headers['x-error']).toMatch(/\w+ \w+/);
  });

  it('is not served from content sources of other types', async () => {
    const answer = await visit('/', 'drive');
    expect([answer.status, answer.headers['x-error-code']]).toEqual([501, 'CONTENT_SOURCE_NOT_SERVED']);
  });

  it('is not served beyond the includes', async () => {
    const part = { paths: { mappings: ['/content/market/:/'], includes: ['/content/market/about/'] } };
    await backend.call('POST', '/config/wknd/sites/market/public.json', { as: OPERATOR, body: part });
    expect((await visit('/about/us')).status).toBe(200);
    expect((await visit('/hidden/x')).status).toBe(404);
  });
});
