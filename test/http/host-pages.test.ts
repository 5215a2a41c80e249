import { startAuthor, startReceiver } from '../support/receiver.ts';
import type { IncomingMessage } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { LIMITS } from '@repoless/contract/limits.ts';
import { OPERATOR, publicPart, siteBody, startTestBackend } from '../support/backend.ts';
import { startCodeWorld } from '../support/code-world.ts';
import { longestBlock } from '../support/loop-delay.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const rows = (count: number, name = 'row') => Array.from({ length: count }, (_, index) => ({ name: `${name}-${index}` }));
const sheet = (count: number, name?: string) => ({ total: count, offset: 0, limit: count, data: rows(count, name) });
const single = (count: number, name?: string) => ({ ...sheet(count, name), columns: ['name'], ':colWidths': [10], ':type': 'sheet' });
/** The requested rows of a spreadsheet with one sheet. */
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

/** The content source's documents by path. */
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

const author = startBeforeAll(() => startAuthor((path) => CONTENT[path.replace('/content/hosted', '')]));
const world = startBeforeAll(() => startCodeWorld({ settings: { AUTHOR_HOSTS: author.host } }));
beforeAll(async () => {
  const url = `http://${author.host}/bin/franklin.delivery/wknd/hosted/main`;
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

const visit = (path: string, headers: Record<string, string> = {}, method = 'GET', ref = 'main') =>
  world.backend.visit('live', `${ref}--hosted--wknd`, path, { headers, method });
const json = async (path: string) => {
  const answer = await visit(path);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.json();
};

describe('a missing page', () => {
  it.each(['/none', '/deep/none', '/none.html', '/none.plain.html', '/a/'])(
    'at %s is answered with 404 and the 404.html of the code',
    async (path) => {
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
      // The precondition cannot fail: nothing exists there.
      expect((await visit(path, { 'if-none-match': '*' })).status).toBe(404);
    },
  );

  it.each(['/none.json', '/scripts/none.js', '/none.png'])('at %s is answered with a problem instead of a page', async (path) => {
    const { status, headers } = await visit(path);
    expect([status, headers['content-type']]).toEqual([404, 'application/problem+json']);
  });

  it('on a branch without code is answered with a problem', async () => {
    const { status, headers } = await visit('/none', {}, 'GET', 'no-such-branch');
    expect([status, headers['content-type']]).toEqual([404, 'application/problem+json']);
  });
});

describe('of the addresses of a page', () => {
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
  ])('%s answers %i', async (path, status, text) => {
    const answer = await visit(path);
    expect([answer.status, answer.text.includes(text)]).toEqual([status, true]);
  });

  it('a refused one names the correct one', async () => {
    expect((await visit('/c/index.html')).error).toContain('Request "/c/".');
  });
});

describe('a spreadsheet', () => {
  it.each([
    ['with one sheet is served unchanged', '/plain.json', single(1200)],
    ['with several sheets and no default has the rows of each', '/book.json', BOOK],
    ['with several sheets serves the default one', '/defaulted.json', { ...sheet(4), ':type': 'sheet' }],
    ['of the code serves its default sheet', '/code-book.json', { ...sheet(4), ':type': 'sheet' }],
    ['serves a sheet by its name', '/book.json?sheet=sizes', { ...BOOK.sizes, ':type': 'sheet' }],
    ['serves several sheets by name', '/book.json?sheet=sizes&sheet=colors', BOOK],
    [
      'skips requested sheets that are missing',
      '/book.json?sheet=sizes&sheet=none',
      { sizes: BOOK.sizes, ':version': 3, ':names': ['sizes'], ':type': 'multi-sheet' },
    ],
    ['serves the requested rows', '/plain.json?limit=2&offset=3', part(1200, 3, rows(5).slice(3))],
    ['has no rows after the last', '/plain.json?offset=2000', part(1200, 2000, [])],
    ['has at most 1,000 rows if only an offset is requested', '/plain.json?offset=100', part(1200, 100, rows(1100).slice(100))],
    ['of the code serves the requested rows', '/code-only.json?limit=1', part(5, 0, rows(1, 'code'))],
    ['is served at another path by an exact folder mapping', '/instead.json?sheet=sizes', { ...BOOK.sizes, ':type': 'sheet' }],
    ['of the code is served at another path by a folder mapping', '/coded.json', single(5, 'code')],
    ['is served below a folder that is mapped to a page', '/shop/list.json', single(1, 'content')],
    ['of the content takes precedence over one of the code', '/both.json', single(1, 'content')],
    ['of the editor is read from the code', '/component-models.json', [{ id: 'of-code' }]],
  ])('%s: %s', async (_, path, expected) => {
    expect(await json(path)).toEqual(expected);
  });

  it('has the headers of the site, its source, and an etag for each selection', async () => {
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
    ['/component-models.json?limit=1', 400, 'QUERY_INVALID', 'is not a spreadsheet'],
    // Whether a better match exists is unknown.
    ['/away.json', 502, 'CONTENT_UNREACHABLE', 'returned 500'],
    ['/shop/none.json', 404, 'FILE_NOT_FOUND', 'does not have'],
  ])('reports the error at %s', async (path, status, code, says) => {
    const { headers, ...answer } = await visit(path);
    expect([answer.status, headers['x-error-code'], headers['x-error']]).toEqual([status, code, expect.stringContaining(says)]);
  });

  it('does not block the service if it is large', async () => {
    const blocked = await longestBlock(async () => {
      expect(await json('/large.json?limit=1&offset=59999')).toMatchObject({ total: 60_000, data: [{ name: 'row-59999' }] });
    });
    expect(CONTENT['/large.json']?.toString().length).toBeLessThan(LIMITS.pageSize);
    expect(blocked).toBeLessThan(200);
  });

  it('is served unchanged if the file is not a spreadsheet', async () => {
    expect(await json('/list.json')).toEqual([1, 2]);
    expect((await visit('/text.json')).text).toBe('no JSON');
  });
});

describe('the robots.txt of a live host whose site has none', () => {
  it('disallows everything on the host itself', async () => {
    const itself = new URL(`http://main--hosted--wknd.live.localhost:${world.backend.port}`).host;
    for (const headers of [{}, { 'x-forwarded-host': itself }]) {
      const { status, text, headers: sent } = await visit('/robots.txt', { ...headers });
      expect([status, sent['vary'], text]).toEqual([200, 'x-forwarded-host', expect.stringMatching(/^User-agent: \*\nDisallow: \/$/m)]);
    }
  });

  it('is that of the code on the production host', async () => {
    const { text } = await visit('/robots.txt', { 'x-forwarded-host': 'www.example.com' });
    expect(text).toBe('User-agent: *\nDisallow: /cart\n');
  });

  it('allows everything and names the sitemap on a production host without code', async () => {
    const { text } = await visit('/robots.txt', { 'x-forwarded-host': 'www.example.com' }, 'GET', 'no-such-branch');
    expect(text).toBe('User-agent: *\nAllow: /\n\nSitemap: https://www.example.com/sitemap.xml\n');
  });

  it('is overridden by the configuration', async () => {
    const own = 'User-agent: *\nDisallow: /own\n';
    await world.backend.call('POST', '/config/wknd/sites/hosted/robots.txt', {
      as: OPERATOR,
      body: own,
      headers: { 'content-type': 'text/plain' },
    });
    expect((await visit('/robots.txt')).text).toBe(own);
  });
});

describe('refusals:', () => {
  const world = startBeforeAll(() => startCodeWorld({ settings: { CODE_RETRY_DELAY: '1' } }));
  beforeAll(async () => {
    await world.register('site-one', { public: publicPart('site-one') });
  });

  const visit = (path: string, ref = 'main') => world.backend.visit('preview', `${ref}--site-one--wknd`, path);
  const errorOf = async (path: string, ref?: string) => {
    const { status, headers, json } = await visit(path, ref);
    expect((json() as { detail: string }).detail).toBe(headers['x-error']);
    return [status, headers['x-error-code'], headers['x-error']];
  };
  const fault = (mode: string) => fetch(`${world.codeHost.address}/sandbox/faults`, { method: 'POST', body: JSON.stringify({ mode }) });

  describe('a file of the code that is missing', () => {
    const FILES = ['/component-definition.json', '/component-models.json', '/head.html', '/scripts/scripts.js', '/styles/styles.css'];

    it('is reported as not synchronized before the first sync', async () => {
      for (const path of FILES)
        expect(await errorOf(path)).toEqual([
          404,
          'CODE_NOT_SYNCHRONIZED',
          'The code of branch "main" has not been synchronized yet. Start its first sync.',
        ]);
    });

    it('is reported with the reason why the first sync failed', async () => {
      await fault('forbidden');
      await world.sync('site-one');
      await fault('none');
      for (const path of FILES) {
        const [status, code, sentence] = await errorOf(path);
        expect([status, code]).toEqual([404, 'CODE_NOT_SYNCHRONIZED']);
        expect(sentence).toMatch(/^The code of branch "main" is not synchronized: its sync failed\. .* answered 403 for wknd\/wknd/);
      }
    });

    it('is reported with the commit once code is served', async () => {
      const { data } = await world.sync('site-one');
      expect((await visit('/component-definition.json')).status).toBe(200);
      expect(await errorOf('/scripts/none.js')).toEqual([
        404,
        'FILE_NOT_FOUND',
        `The code of branch "main" (commit ${data?.sha?.slice(0, 7)}) does not have the file.`,
      ]);
      await fault('forbidden');
      await world.sync('site-one');
      await fault('none');
      expect((await errorOf('/scripts/none.js'))[2]).toMatch(/does not have the file\. The latest sync failed: .* answered 403/);
    });

    it('is reported with the name of another branch', async () => {
      expect((await errorOf('/head.html', 'feature-one'))[2]).toBe(
        'The code of branch "feature-one" has not been synchronized yet. Start its first sync, or check the branch name.',
      );
    });
  });

  describe('an invalid path', () => {
    it.each([
      ['//config.json', 'The path has two slashes in a row. Write "/config.json".'],
      ['/scripts//scripts.js?x=1', 'The path has two slashes in a row. Write "/scripts/scripts.js".'],
      ['/%2Fconfig.json', 'The path has two slashes in a row. Write "/config.json".'],
      ['/../config.json', 'The path has a segment "." or "..". Remove it.'],
      ['/a\\b', 'The path has a backslash. Write "/".'],
      ['/a%zz', 'The path has a "%" that is not part of an encoded character. Write "%25" for it.'],
      ['/a%00', 'The path has the character "%00", which no name has. Remove it.'],
    ])('on a host is refused with the reason: %s', async (path, sentence) => {
      expect(await errorOf(path)).toEqual([400, 'NAME_INVALID', sentence]);
    });

    it.each([
      ['//config.json', '/config.json'],
      ['//config/wknd/sites/site-one.json', '/config/wknd/sites/site-one.json'],
      ['/config//wknd/sites/site-one.json?x=1', '/config/wknd/sites/site-one.json'],
      ['/job//wknd/site-one/main/code', '/job/wknd/site-one/main/code'],
    ])('at the service is refused with the correct path: %s', async (path, meant) => {
      const answer = await world.backend.call('GET', path, { as: OPERATOR });
      expect([answer.status, answer.error]).toEqual([404, `The address has two slashes in a row. Write "${meant}".`]);
    });
  });
});

describe('from the content source,', () => {
  const TOKEN = 'token-of-the-technical-account';
  let address: string;
  const received: IncomingMessage[] = [];

  const PAGES: Readonly<Record<string, string>> = {
    '/content/market/index.html': '<html><head></head><body><main><h1>Start</h1></main></body></html>',
    '/content/market/about/us.html': '<html><body><main>About</main></body></html>',
    '/content/shared/legal.html': '<html><body><main>Legal</main></body></html>',
    '/content/market/configuration.json': '{"data":[]}',
    '/content/market/hidden/x.html': '<html></html>',
  };

  const author = startBeforeAll(() =>
    startReceiver((request, response) => {
      received.push(request);
      const path = (request.url ?? '').replace('/bin/franklin.delivery/wknd/market/main', '');
      if (path === '/content/market/broken.html') return void response.writeHead(500).end();
      if (path === '/content/market/moved.html') return void response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
      const page = PAGES[path];
      if (page === undefined) response.writeHead(404).end('nothing');
      else
        response
          .writeHead(200, { 'content-type': path.endsWith('.json') ? 'application/json' : 'text/html; charset=utf-8', 'set-cookie': 'a=b' })
          .end(page);
    }),
  );
  const backend = startBeforeAll(() => startTestBackend({ settings: { AUTHOR_HOSTS: author.host, CONTENT_TOKEN: TOKEN } }));
  beforeAll(async () => {
    address = `http://${author.host}`;
    await register('market', 'markup');
    await register('drive', 'google');
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
    ])('at %s is mapped to the content %s', async (path, content) => {
      const answer = await visit(path);
      expect([answer.status, answer.text]).toEqual([200, PAGES[content]]);
      expect(answer.headers['x-content-source']).toBe(`${address}/bin/franklin.delivery/wknd/market/main${content}`);
      expect(answer.headers['set-cookie']).toBeUndefined();
      const again = await visit(path, 'market', 'some-branch', { 'if-none-match': answer.headers['etag'] ?? '' });
      expect(again.status).toBe(304);
    });

    it('is the content of its main element if .plain.html is requested', async () => {
      expect((await visit('/about/us.plain.html')).text).toBe('About');
    });

    it('is requested with the CONTENT_TOKEN, which is not revealed', async () => {
      const answer = await visit('/about/us');
      expect(received.at(-1)?.headers.authorization).toBe(`Bearer ${TOKEN}`);
      expect(JSON.stringify([answer.text, answer.headers])).not.toContain(TOKEN);
    });

    it.each([
      ['/nothing', 404, 'ROUTE_NOT_FOUND'],
      ['/broken', 502, 'CONTENT_UNREACHABLE'],
      ['/moved', 502, 'CONTENT_UNREACHABLE'],
      ['/%E0%A4%A', 400, 'NAME_INVALID'],
      ['/..%2f..%2fetc/passwd', 400, 'NAME_INVALID'],
    ])('at %s is refused with the reason', async (path, status, code) => {
      const answer = await visit(path);
      expect(answer).toMatchObject({ status: status, code: code });
      expect(answer.error).toMatch(/\w+ \w+/);
    });

    it('is not served from content sources of other types', async () => {
      expect(await visit('/', 'drive')).toMatchObject({ status: 501, code: 'CONTENT_SOURCE_NOT_SERVED' });
    });

    it('is not served outside the includes', async () => {
      const part = { paths: { mappings: ['/content/market/:/'], includes: ['/content/market/about/'] } };
      await backend.call('POST', '/config/wknd/sites/market/public.json', { as: OPERATOR, body: part });
      expect((await visit('/about/us')).status).toBe(200);
      expect((await visit('/hidden/x')).status).toBe(404);
    });
  });
});
