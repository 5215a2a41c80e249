import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIMITS } from '@repoless/contract/limits.ts';
import { OPERATOR } from '../support/backend.ts';
import { startCodeWorld } from '../support/code-world.ts';
import type { CodeWorld } from '../support/code-world.ts';
import { longestStandstill } from '../support/loop-delay.ts';

const rows = (count: number, name = 'row') => Array.from({ length: count }, (_, index) => ({ name: `${name}-${index}` }));
const sheet = (count: number, name?: string) => ({ total: count, offset: 0, limit: count, data: rows(count, name) });
const single = (count: number, name?: string) => ({ ...sheet(count, name), columns: ['name'], ':colWidths': [10], ':type': 'sheet' });
/** Of a spreadsheet of one sheet, the rows that were asked for. */
const part = (total: number, offset: number, data: readonly object[]) => ({
  total,
  offset,
  limit: data.length,
  data,
  columns: ['name'],
  ':type': 'sheet',
});
const BOOK = { colors: sheet(3, 'color'), sizes: sheet(2, 'size'), ':version': 3, ':names': ['colors', 'sizes'], ':type': 'multi-sheet' };
const DEFAULTED = { default: sheet(4), more: sheet(1), ':version': 3, ':names': ['default', 'more'], ':type': 'multi-sheet' };

/** What the content source has, by the paths that it is asked for. */
const CONTENT: Readonly<Record<string, string | number>> = {
  '/index.html': '<main>Start</main>',
  '/a.html': '<main>A</main>',
  '/c/index.html': '<main>C</main>',
  '/other-path.html': '<main>Mapped</main>',
  '/plain.json': JSON.stringify(single(1200)),
  '/book.json': JSON.stringify(BOOK),
  '/defaulted.json': JSON.stringify(DEFAULTED),
  '/both.json': JSON.stringify(single(1, 'content')),
  '/large.json': JSON.stringify(single(60_000)),
  '/list.json': '[1,2]',
  '/text.json': 'no JSON',
  '/away.json': 500,
};
const NOT_FOUND_PAGE = '<!DOCTYPE html><html><body><main>Nothing here – sorry</main></body></html>';

let author: Server;
let world: CodeWorld;

beforeAll(async () => {
  author = createServer((request, response) => {
    const path = (request.url ?? '').replace('/bin/franklin.delivery/wknd/hosted/main/content/hosted', '');
    const found = CONTENT[path] ?? 404;
    const media = path.endsWith('.json') ? 'application/json' : 'text/html; charset=utf-8';
    if (typeof found === 'number') response.writeHead(found).end();
    else response.writeHead(200, { 'content-type': media }).end(found);
  });
  await new Promise<void>((resolve) => author.listen(0, '127.0.0.1', resolve));
  const { port } = author.address() as AddressInfo;
  world = await startCodeWorld({ settings: { AUTHOR_HOSTS: `author.localhost:${port}` } });
  const url = `http://author.localhost:${port}/bin/franklin.delivery/wknd/hosted/main`;
  await world.register('hosted', {
    content: { source: { url, type: 'markup', suffix: '.html' } },
    public: { paths: { mappings: ['/content/hosted/:/', '/content/hosted/other-path:/mapped.html'] } },
    headers: { '/**': [{ key: 'content-security-policy', value: "default-src 'self'" }] },
    folders: { '/instead.json': '/book.json', '/coded.json': '/code-only.json', '/shop/': '/a', '/shop/list.json': '/both.json' },
    cdn: { prod: { host: 'www.example.com', type: 'fastly', serviceId: 'x', authToken: 'y' } },
  });
  const files = {
    '404.html': NOT_FOUND_PAGE,
    'both.json': JSON.stringify(single(1, 'code')),
    'away.json': '{}',
    'code-only.json': JSON.stringify(single(5, 'code')),
    'code-book.json': JSON.stringify(DEFAULTED),
    'own.html': '<p>Own</p>',
    'component-models.json': '[{"id":"of-code"}]',
    'robots.txt': 'User-agent: *\nDisallow: /cart\n',
  };
  await world.clone.push(files, 'main');
  await world.sync('hosted');
});
afterAll(async () => {
  await world.stop();
  author.closeAllConnections();
  await new Promise((resolve) => author.close(resolve));
});

const visit = (path: string, headers: Record<string, string> = {}, method = 'GET', ref = 'main') =>
  world.backend.visit('live', `${ref}--hosted--wknd`, path, { headers, method });
const json = async (path: string) => {
  const answer = await visit(path);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.json();
};

describe('A page that is missing', () => {
  it.each(['/none', '/deep/none', '/none.html', '/none.plain.html', '/a/'])('at %s has the 404.html of the code, and 404', async (path) => {
    const { status, text, headers } = await visit(path);
    expect([status, text]).toEqual([404, NOT_FOUND_PAGE]);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'self'",
      'x-error': expect.stringMatching(/\w+ \w+/),
      'x-error-code': expect.stringMatching(/^[A-Z_]+$/),
    });
    const head = await visit(path, {}, 'HEAD');
    expect([head.status, head.text, head.headers['content-length']]).toEqual([404, '', headers['content-length']]);
    // Nobody has it already: there is nothing to have.
    expect((await visit(path, { 'if-none-match': '*' })).status).toBe(404);
  });

  it.each(['/none.json', '/scripts/none.js', '/none.png'])('is no page at %s', async (path) => {
    const { status, headers } = await visit(path);
    expect([status, headers['content-type']]).toEqual([404, 'application/problem+json']);
  });

  it('has none on a branch without code', async () => {
    const { status, headers } = await visit('/none', {}, 'GET', 'no-such-branch');
    expect([status, headers['content-type']]).toEqual([404, 'application/problem+json']);
  });
});

describe('A page has one address', () => {
  it.each([
    ['/', 200, 'Start'],
    ['/a', 200, 'A'],
    ['/c/', 200, 'C'],
    ['/index.plain.html', 200, 'Start'],
    ['/a.plain.html', 200, 'A'],
    ['/c/index.plain.html', 200, 'C'],
    ['/own.html', 200, 'Own'],
    ['/mapped.html', 200, 'Mapped'],
    ['/index', 404, ''],
    ['/index.html', 404, ''],
    ['/a.html', 404, ''],
    ['/a/', 404, ''],
    ['/c/index', 404, ''],
    ['/c/index.html', 404, ''],
    ['/c', 404, ''],
  ])('%s is %i', async (path, status, text) => {
    const answer = await visit(path);
    expect([answer.status, answer.text.includes(text)]).toEqual([status, true]);
  });

  it('which the refusal of another spelling names', async () => {
    expect((await visit('/c/index.html')).headers['x-error']).toContain('Ask for "/c/".');
  });
});

describe('A spreadsheet', () => {
  it.each([
    ['of one sheet is answered as it is', '/plain.json', single(1200)],
    ['of several without a default one has the rows of each', '/book.json', BOOK],
    ['of several answers the default one', '/defaulted.json', { ...sheet(4), ':type': 'sheet' }],
    ['of the code likewise', '/code-book.json', { ...sheet(4), ':type': 'sheet' }],
    ['answers a sheet by its name', '/book.json?sheet=sizes', { ...BOOK.sizes, ':type': 'sheet' }],
    ['answers several', '/book.json?sheet=sizes&sheet=colors', BOOK],
    [
      'answers those of them that there are',
      '/book.json?sheet=sizes&sheet=none',
      { sizes: BOOK.sizes, ':version': 3, ':names': ['sizes'], ':type': 'multi-sheet' },
    ],
    ['answers the rows that are asked for', '/plain.json?limit=2&offset=3', part(1200, 3, rows(5).slice(3))],
    ['has no rows behind the last', '/plain.json?offset=2000', part(1200, 2000, [])],
    ['has at most 1,000 rows where an offset alone is asked for', '/plain.json?offset=100', part(1200, 100, rows(1100).slice(100))],
    ['of the code is asked likewise', '/code-only.json?limit=1', part(5, 0, rows(1, 'code'))],
    ['stands for another that is named exactly', '/instead.json?sheet=sizes', { ...BOOK.sizes, ':type': 'sheet' }],
    ['stands for another, a file of the code', '/coded.json', single(5, 'code')],
    ['stands for one below a folder of pages', '/shop/list.json', single(1, 'content')],
    ['of the content comes before one of the code', '/both.json', single(1, 'content')],
    ['of the editor is that of the code', '/component-models.json', [{ id: 'of-code' }]],
  ])('%s: %s', async (_, path, expected) => {
    expect(await json(path)).toEqual(expected);
  });

  it('has the headers of the site, its source, and an etag of its own for each choice', async () => {
    const [one, other] = [await visit('/book.json?sheet=sizes'), await visit('/book.json?sheet=colors')];
    expect(one.headers).toMatchObject({ 'content-security-policy': "default-src 'self'", 'content-type': 'application/json' });
    expect(one.headers['x-content-source']).toMatch(/\/content\/hosted\/book\.json$/);
    expect(one.headers['etag']).not.toBe(other.headers['etag']);
    expect((await visit('/book.json?sheet=sizes', { 'if-none-match': one.headers['etag'] ?? '' })).status).toBe(304);
  });

  it.each([
    ['/book.json?sheet=none', 404, 'ROUTE_NOT_FOUND', 'It has: "colors", "sizes".'],
    ['/book.json?limit=some', 400, 'QUERY_INVALID', 'whole number'],
    ['/book.json?offset=-1', 400, 'QUERY_INVALID', 'whole number'],
    ['/list.json?limit=1', 502, 'CONTENT_UNREACHABLE', 'no spreadsheet'],
    ['/text.json?limit=1', 502, 'CONTENT_UNREACHABLE', 'no spreadsheet'],
    ['/component-models.json?limit=1', 400, 'QUERY_INVALID', 'is no spreadsheet'],
    // Whether it has a better one is not known.
    ['/away.json', 502, 'CONTENT_UNREACHABLE', 'returned 500'],
    ['/shop/none.json', 404, 'FILE_NOT_FOUND', 'does not have'],
  ])('tells at %s what is wrong', async (path, status, code, says) => {
    const { headers, ...answer } = await visit(path);
    expect([answer.status, headers['x-error-code'], headers['x-error']]).toEqual([status, code, expect.stringContaining(says)]);
  });

  it('keeps nobody waiting where it is large', async () => {
    const standstill = await longestStandstill(async () => {
      expect(await json('/large.json?limit=1&offset=59999')).toMatchObject({ total: 60_000, data: [{ name: 'row-59999' }] });
    });
    expect(CONTENT['/large.json']?.toString().length).toBeLessThan(LIMITS.pageSize);
    expect(standstill).toBeLessThan(200);
  });

  it('is answered as it is where what stands there is no spreadsheet', async () => {
    expect(await json('/list.json')).toEqual([1, 2]);
    expect((await visit('/text.json')).text).toBe('no JSON');
  });
});

describe('The robots.txt of a live host whose site has none', () => {
  it('keeps search engines out of the host itself', async () => {
    const itself = new URL(`http://main--hosted--wknd.live.localhost:${world.backend.port}`).host;
    for (const headers of [{}, { 'x-forwarded-host': itself }]) {
      const { status, text, headers: sent } = await visit('/robots.txt', { ...headers });
      expect([status, sent['vary'], text]).toEqual([200, 'x-forwarded-host', expect.stringMatching(/^User-agent: \*\nDisallow: \/$/m)]);
    }
  });

  it('is that of the code at the production host', async () => {
    const { text } = await visit('/robots.txt', { 'x-forwarded-host': 'www.example.com' });
    expect(text).toBe('User-agent: *\nDisallow: /cart\n');
  });

  it('else lets everybody in there, and names the sitemap', async () => {
    const { text } = await visit('/robots.txt', { 'x-forwarded-host': 'www.example.com' }, 'GET', 'no-such-branch');
    expect(text).toBe('User-agent: *\nAllow: /\n\nSitemap: https://www.example.com/sitemap.xml\n');
  });

  it('gives way to that of the configuration', async () => {
    const own = 'User-agent: *\nDisallow: /own\n';
    await world.backend.call('POST', '/config/wknd/sites/hosted/robots.txt', {
      as: OPERATOR,
      body: own,
      headers: { 'content-type': 'text/plain' },
    });
    expect((await visit('/robots.txt')).text).toBe(own);
  });
});
