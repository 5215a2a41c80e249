import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import type { TestBackend } from '../support/backend.ts';
import { longestStandstill } from '../support/loop-delay.ts';

const PAGES: Readonly<Record<string, string>> = {
  '/content/market/index.html': '<html><body><main>Start</main></body></html>',
  '/content/market/products/default.html': '<html><body><main>Any product</main></body></html>',
  '/content/market/products/special.html': '<html><body><main>Special</main></body></html>',
};

let author: Server;
let backend: TestBackend;

beforeAll(async () => {
  author = createServer((request, response) => {
    const page = PAGES[(request.url ?? '').replace('/bin/franklin.delivery/wknd/market/main', '')];
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
  });
  await new Promise<void>((resolve) => author.listen(0, '127.0.0.1', resolve));
  const { port } = author.address() as AddressInfo;
  backend = await startTestBackend({ settings: { AUTHOR_HOSTS: `author.localhost:${port}`, HOST_PROTOCOL: 'https' } });
  const profile = { headers: { '/**': [header('X-Frame-Options', 'SAMEORIGIN'), header('x-brand', 'base')] } };
  await put('/config/wknd/profiles/base.json', profile);
  const site = siteBody('wknd', 'market', {
    extends: { profile: 'base' },
    content: { source: { url: `http://author.localhost:${port}/bin/franklin.delivery/wknd/market/main`, type: 'markup', suffix: '.html' } },
    public: { paths: { mappings: ['/content/market/:/'], includes: ['/content/market/'] } },
    headers: {
      '/**': [header('x-brand', 'market')],
      '/products/*': [header('cache-control', 'public, max-age=60'), header('x-depth', 'one')],
      '/products/special': [header('x-depth', 'exact'), header('Strict-Transport-Security', 'max-age=63072000')],
    },
    folders: { '/products/': '/products/default', '/shop': '/nowhere' },
  });
  await put('/config/wknd/sites/market.json', site);
});
afterAll(async () => {
  await backend.stop();
  author.closeAllConnections();
  await new Promise((resolve) => author.close(resolve));
});

async function put(path: string, body: object): Promise<void> {
  const { status, text } = await backend.call('PUT', path, { as: OPERATOR, body });
  expect(status, text).toBe(201);
}

function header(key: string, value: string): { key: string; value: string } {
  return { key, value };
}

const visit = (path: string, headers = {}) => backend.visit('live', 'main--market--wknd', path, { headers });

describe('Headers of a site', () => {
  it('count where the hosts would say otherwise by themselves', async () => {
    expect((await visit('/')).headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
    expect((await visit('/products/special')).headers['strict-transport-security']).toBe('max-age=63072000');
  });

  it('are sent with its pages, those of its profile among them; the pattern that was written later wins', async () => {
    expect((await visit('/')).headers).toMatchObject({ 'x-frame-options': 'SAMEORIGIN', 'x-brand': 'market' });
    expect((await visit('/')).headers['x-depth']).toBeUndefined();
    expect((await visit('/products/special')).headers).toMatchObject({ 'x-depth': 'exact', 'cache-control': 'public, max-age=60' });
    expect((await visit('/products/other')).headers).toMatchObject({ 'x-depth': 'one' });
  });

  it('are sent with the 304 too', async () => {
    const { headers } = await visit('/products/special');
    const again = await visit('/products/special', { 'if-none-match': headers['etag'] ?? '' });
    expect([again.status, again.headers['cache-control'], again.headers['x-brand']]).toEqual([304, 'public, max-age=60', 'market']);
  });

  it('are not sent with config.json and robots.txt', async () => {
    for (const path of ['/config.json', '/robots.txt']) expect((await visit(path)).headers['x-brand']).toBeUndefined();
  });

  it('fit by patterns that cost no time, with as many wildcards as they may have', async () => {
    const headers = { [`/${'**a'.repeat(10)}`]: [header('x-slow', '1')], '/products/**': [header('x-below', '1')] };
    const path = '/config/wknd/sites/market/headers.json';
    const before = (await backend.call('GET', path, { as: OPERATOR })).json();
    await backend.call('POST', path, { as: OPERATOR, body: headers });
    const standstill = await longestStandstill(async () => {
      expect((await visit(`/products/${'a'.repeat(1500)}`)).headers['x-slow']).toBe('1');
    });
    expect(standstill).toBeLessThan(200);
    expect((await visit('/products/special')).headers).toMatchObject({ 'x-below': '1' });
    await backend.call('POST', path, { as: OPERATOR, body: before });
  });

  it.each(['X-Accel-Redirect', 'x-accel-expires', 'X-Sendfile', 'x-reproxy-url', 'Set-Cookie'])('may not be %s', async (key) => {
    const body = { '/**': [header(key, '/state')] };
    const { status, text } = await backend.call('POST', '/config/wknd/sites/market/headers.json', { as: OPERATOR, body });
    expect([status, text]).toEqual([400, expect.stringContaining('a proxy in front of it and cannot be set.')]);
  });
});

describe('A folder of a site', () => {
  it('has one page for all that are not there themselves', async () => {
    const answer = await visit('/products/anything/below');
    expect([answer.status, answer.text]).toEqual([200, PAGES['/content/market/products/default.html']]);
    expect((await visit('/products/special')).text).toContain('Special');
    expect((await visit('/products/anything.plain.html')).text).toBe('Any product');
  });

  it('has none for sheets, other files, and what lies beside it', async () => {
    for (const path of ['/products/list.json', '/products/picture.png', '/products-old/x', '/products', '/shop/x']) {
      expect([path, (await visit(path)).status]).toEqual([path, 404]);
    }
  });
});
