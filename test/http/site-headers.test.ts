import { createServer, get } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIMITS } from '@repoless/contract/limits.ts';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import type { TestBackend } from '../support/backend.ts';
import { longestStandstill } from '../support/loop-delay.ts';

let author: Server;
let backend: TestBackend;

beforeAll(async () => {
  author = createServer((request, response) => {
    const path = request.url ?? '';
    if (path.endsWith('/broken.html')) return void response.writeHead(500).end();
    const isThere = !path.includes('/none');
    response.writeHead(isThere ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' }).end('<main>Page</main>');
  });
  await new Promise<void>((resolve) => author.listen(0, '127.0.0.1', resolve));
  const { port } = author.address() as AddressInfo;
  backend = await startTestBackend({ settings: { AUTHOR_HOSTS: `author.localhost:${port}` } });
  const source = { url: `http://author.localhost:${port}/bin/franklin.delivery/wknd/brand/main`, type: 'markup', suffix: '.html' };
  await call('PUT', '/config/wknd/sites/brand.json', siteBody('wknd', 'brand', { content: { source } }), 201);
});
afterAll(async () => {
  await backend.stop();
  author.closeAllConnections();
  await new Promise((resolve) => author.close(resolve));
});

type Headers = Readonly<Record<string, readonly { key: string; value: string }[]>>;

async function call(method: string, path: string, body: object, status = 200) {
  const answer = await backend.call(method, path, { as: OPERATOR, body });
  expect(answer.status, answer.text).toBe(status);
  return answer;
}
const set = (headers: Headers, status?: number) => call('POST', '/config/wknd/sites/brand/headers.json', headers, status);
const header = (key: string, value: string) => ({ key, value });
const visit = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  backend.visit('live', 'main--brand--wknd', path, { headers, method });

describe('Of two patterns that fit a path', () => {
  const NOINDEX = header('x-robots-tag', 'noindex');
  const ALL = header('X-Robots-Tag', 'all');

  it.each([
    ['a general one, then the page', { '/tours/**': [NOINDEX], '/tours/x': [ALL] }, 'all'],
    ['the page, then a general one', { '/tours/x': [ALL], '/tours/**': [NOINDEX] }, 'noindex'],
    ['a long one, then a short one', { '/**/x': [NOINDEX], '/tours/*': [ALL] }, 'all'],
    ['everything, last', { '/tours/x': [NOINDEX], '/**': [ALL] }, 'all'],
    ['twice in one pattern', { '/**': [NOINDEX, ALL] }, 'all'],
    ['one without a value, last', { '/**': [NOINDEX], '/tours/*': [header('x-robots-tag', '')] }, undefined],
  ])('the later one wins: %s', async (_, headers, value) => {
    await set(headers);
    expect((await visit('/tours/x')).headers['x-robots-tag']).toBe(value);
  });

  it('the start page has no other', async () => {
    await set({ '/**': [NOINDEX], '/': [ALL] });
    expect([(await visit('/')).headers['x-robots-tag'], (await visit('/a')).headers['x-robots-tag']]).toEqual(['all', 'noindex']);
  });
});

describe('access-control-allow-origin', () => {
  const LIST = 'https://www.example.com, /^https:\\/\\/[a-z]{1,9}\\.example\\.org$/, http://localhost:3000';
  const answered = async (value: string, origin?: string) => {
    await set({ '/**': [header('Access-Control-Allow-Origin', value)] });
    const { headers } = await visit('/', origin === undefined ? {} : { origin });
    return [headers['access-control-allow-origin'], headers['vary']];
  };

  it.each([
    ['*', 'https://www.example.com', '*', undefined],
    ['https://www.example.com', 'https://other.example.com', 'https://www.example.com', undefined],
    [LIST, 'https://www.example.com', 'https://www.example.com', 'origin'],
    [LIST, 'http://localhost:3000', 'http://localhost:3000', 'origin'],
    [LIST, 'https://shop.example.org', 'https://shop.example.org', 'origin'],
    [LIST, 'https://shop.example.org.evil.example', undefined, 'origin'],
    [LIST, 'https://example.com', undefined, 'origin'],
    [LIST, undefined, undefined, 'origin'],
    ['/\\.example\\.com$/', 'https://a.example.com', 'https://a.example.com', 'origin'],
    ['/\\.example\\.com$/', 'https://a.example.net', undefined, 'origin'],
    ['/./', `https://${'a'.repeat(LIMITS.originLength)}`, undefined, 'origin'],
  ])('"%s" answers the origin %s with %s', async (value, origin, allowed, vary) => {
    expect(await answered(value, origin)).toEqual([allowed, vary]);
  });

  it('varies beside what the site says of it, and is another etag for another origin', async () => {
    await set({ '/**': [header('access-control-allow-origin', LIST), header('vary', 'x-brand')] });
    const [one, other] = [await visit('/', { origin: 'https://a.example.org' }), await visit('/', { origin: 'https://b.example.org' })];
    expect(one.headers['vary']).toBe('x-brand, origin');
    expect(one.headers['etag']).not.toBe(other.headers['etag']);
    const again = await visit('/', { origin: 'https://a.example.org', 'if-none-match': one.headers['etag'] ?? '' });
    expect([again.status, again.headers['access-control-allow-origin'], again.headers['vary']]).toEqual([
      304,
      'https://a.example.org',
      'x-brand, origin',
    ]);
  });

  it('counts for what a browser asks beforehand', async () => {
    await set({ '/**': [header('access-control-allow-origin', LIST), header('access-control-allow-headers', 'x-own')] });
    const { status, headers } = await visit('/', { origin: 'https://a.example.org' }, 'OPTIONS');
    expect([status, headers['access-control-allow-origin'], headers['access-control-allow-headers']]).toEqual([
      204,
      'https://a.example.org',
      'x-own',
    ]);
    const refused = await visit('/', { origin: 'https://evil.example' }, 'OPTIONS');
    expect(refused.headers['access-control-allow-origin']).toBeUndefined();
  });

  it.each([
    ['/(?=a)b/', 'without lookaheads'],
    ['/(a)\\1/', 'cannot be read'],
    ['https://a.example.com, /[a-/', 'cannot be read'],
    ['/^https, https://a.example.com', 'does not end with it'],
    [`/${'a'.repeat(LIMITS.originExpressions)}/`, `more than ${LIMITS.originExpressions} characters`],
    ['/((a{20}){20}){20}/', `more than ${LIMITS.originExpressions} characters`],
    ['/([a-z]{300}[0-9]{700})+/', `more than ${LIMITS.originExpressions} characters`],
  ])('%s is refused with a sentence that says why', async (value, says) => {
    const { text } = await set({ '/a': [], '/**': [header('x', 'y'), header('Access-Control-Allow-Origin', value)] }, 400);
    expect(JSON.parse(text)).toMatchObject({ code: 'BODY_INVALID', errors: [{ pointer: '/~1**/1/value' }] });
    expect(text).toContain(says);
  });

  it('is refused in a profile too', async () => {
    const body = { headers: { '/**': [header('access-control-allow-origin', '/(?!a)/')] } };
    await call('PUT', '/config/wknd/profiles/origins.json', body, 400);
  });

  it('costs no time with an expression that others take long for, on the longest origin', async () => {
    await set({ '/**': [header('access-control-allow-origin', '/^(https:\\/\\/(([a-z]+)+)+)+$/, /(.{9}){50}x/')] });
    const standstill = await longestStandstill(async () => {
      for (let index = 0; index < 20; index += 1) {
        const origin = `https://${'a'.repeat(LIMITS.originLength - 14)}!${index}`;
        expect((await visit('/', { origin })).headers['access-control-allow-origin']).toBeUndefined();
      }
    });
    expect(standstill).toBeLessThan(200);
  });
});

describe('link', () => {
  it('is sent with pages alone', async () => {
    await set({ '/**': [header('Link', '</styles/styles.css>; rel=preload; as=style'), header('x-brand', 'one')] });
    for (const [path, isPage] of [
      ['/', true],
      ['/tours/x', true],
      ['/none', true],
      ['/tours/x.plain.html', false],
      ['/tours/list.json', false],
      ['/scripts/scripts.js', false],
    ] as const) {
      const { headers } = await visit(path);
      expect([path, headers['link'] !== undefined, headers['x-brand']]).toEqual([path, isPage, 'one']);
    }
  });
});

describe('A value', () => {
  const raw = async (path: string): Promise<IncomingMessage> => {
    const headers = { host: `main--brand--wknd.live.localhost:${backend.port}` };
    const asked = get({ port: backend.port, path, headers, maxHeaderSize: 4 * LIMITS.headersSent });
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.resume();
    return answer;
  };

  it('of 64 KiB is sent whole; much more is refused', async () => {
    const long = `default-src 'self' ${'a'.repeat(64 * 1024 - 19)}`;
    await set({ '/**': [header('content-security-policy', long)] });
    expect((await raw('/')).headers['content-security-policy'] === long).toBe(true);
    await set({ '/**': [header('content-security-policy', 'a'.repeat(LIMITS.headersLength))] }, 400);
  });

  it('may have bytes above 0x7f, which are sent as they are', async () => {
    const value = 'Café – Menü'.replace('–', '\x80\xff');
    await set({ '/**': [header('x-name', value)] });
    for (const path of ['/', '/none']) expect((await raw(path)).headers['x-name']).toBe(value);
    await set({ '/**': [header('x-name', 'Café – Menü')] }, 400);
  });
});

describe('What is no page has the headers of the site too', () => {
  const CSP = header('Content-Security-Policy', "default-src 'none'");
  const guard = (access: object) => call('POST', '/config/wknd/sites/brand/access.json', access);

  it.each([
    ['/none', 404, 'GET'],
    ['/scripts/none.js', 404, 'GET'],
    ['/broken', 502, 'GET'],
    ['/%E0%A4', 400, 'GET'],
    [`/${'a'.repeat(LIMITS.pagePath)}`, 414, 'GET'],
    ['/', 405, 'DELETE'],
    ['/none', 404, 'HEAD'],
  ])('at %s, %i', async (path, status, method) => {
    await set({ '/**': [CSP, header('cache-control', 'public, max-age=900'), header('retry-after', '900'), header('allow', 'X')] });
    const answer = await visit(path, {}, method);
    expect([answer.status, answer.headers['content-security-policy']]).toEqual([status, CSP.value]);
    // How long an error is kept, and what to do about it, is for the service to say.
    expect(answer.headers['cache-control']).toBe('public, max-age=0, must-revalidate');
    expect([answer.headers['retry-after'], answer.headers['allow']]).toEqual([
      undefined,
      status === 405 ? 'GET, HEAD, OPTIONS' : undefined,
    ]);
  });

  it('where a guarded host lets nobody in', async () => {
    await set({ '/**': [CSP, header('www-authenticate', 'Basic'), header('vary', 'x-brand')] });
    await guard({ site: { allow: ['nobody@example.com'] } });
    const closed = await visit('/');
    expect([closed.status, closed.headers['content-security-policy'], closed.headers['cache-control']]).toEqual([
      401,
      CSP.value,
      'private, no-store',
    ]);
    expect([closed.headers['www-authenticate'], closed.headers['vary']]).toEqual([
      'Bearer realm="repoless"',
      'x-brand, authorization, x-auth-token',
    ]);
    const refused = await visit('/', { 'x-auth-token': await backend.token(OPERATOR) });
    expect([refused.status, refused.headers['content-security-policy']]).toEqual([403, CSP.value]);
    await guard({});
  });
});
