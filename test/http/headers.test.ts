import { callsAs, EXTENSION_ORIGIN, OPERATOR, publicPart, siteBody, startTestBackend } from '../support/backend.ts';
import { get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '@repoless/contract/limits.ts';
import { longestBlock } from '../support/loop-delay.ts';
import { startBeforeAll, stopAfterTest } from '../support/start-before-all.ts';
import { rolloutCalls } from './rollout-calls.ts';
import { freePorts } from '@repoless/sandbox/addresses.ts';
import type { TestAnswer } from '../support/ask.ts';
import { contentAt, startAuthor } from '../support/receiver.ts';

const author = startBeforeAll(() =>
  startAuthor((path) => (path.endsWith('/broken.html') ? 500 : path.includes('/none') ? 404 : '<main>Page</main>')),
);
const backend = startBeforeAll(() =>
  startTestBackend({ settings: { AUTHOR_HOSTS: author.host }, sites: { brand: { content: contentAt(author, 'brand') } } }),
);

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

describe('of two patterns that match a path', () => {
  const NOINDEX = header('x-robots-tag', 'noindex');
  const ALL = header('X-Robots-Tag', 'all');

  it.each([
    ['all pages of a folder, then one page', { '/tours/**': [NOINDEX], '/tours/x': [ALL] }, 'all'],
    ['one page, then all pages of its folder', { '/tours/x': [ALL], '/tours/**': [NOINDEX] }, 'noindex'],
    ['a long pattern, then a short one', { '/**/x': [NOINDEX], '/tours/*': [ALL] }, 'all'],
    ['a page, then every page', { '/tours/x': [NOINDEX], '/**': [ALL] }, 'all'],
    ['a header twice in one pattern', { '/**': [NOINDEX, ALL] }, 'all'],
    ['a header, then the same without a value', { '/**': [NOINDEX], '/tours/*': [header('x-robots-tag', '')] }, undefined],
  ])('the later one wins: %s', async (_, headers, value) => {
    await set(headers);
    expect((await visit('/tours/x')).headers['x-robots-tag']).toBe(value);
  });

  it('"/" only matches the start page', async () => {
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
  ])('with the value "%s" and the origin %s is sent as %s', async (value, origin, allowed, vary) => {
    expect(await answered(value, origin)).toEqual([allowed, vary]);
  });

  it('is added to the site’s own vary header, and changes the etag with the origin', async () => {
    await set({ '/**': [header('access-control-allow-origin', LIST), header('vary', 'x-brand')] });
    const [one, other] = [await visit('/', { origin: 'https://a.example.org' }), await visit('/', { origin: 'https://b.example.org' })];
    expect(one.headers['vary']).toBe('x-brand, origin');
    expect(one.headers['etag']).not.toBe(other.headers['etag']);
    const again = await visit('/', { origin: 'https://a.example.org', 'if-none-match': one.headers['etag'] ?? '' });
    expect(again).toMatchObject({
      status: 304,
      headers: { 'access-control-allow-origin': 'https://a.example.org', vary: 'x-brand, origin' },
    });
  });

  it('also applies to preflight requests', async () => {
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
  ])('of %s is refused with the reason', async (value, says) => {
    const { text } = await set({ '/a': [], '/**': [header('x', 'y'), header('Access-Control-Allow-Origin', value)] }, 400);
    expect(JSON.parse(text)).toMatchObject({ code: 'BODY_INVALID', errors: [{ pointer: '/~1**/1/value' }] });
    expect(text).toContain(says);
  });

  it('is refused quickly if it has 60,000 unclosed character classes', async () => {
    const headers = { '/**': [header('access-control-allow-origin', `/${'['.repeat(60_000)}/`)] };
    expect(await longestBlock(async () => void (await set(headers, 400)))).toBeLessThan(200);
  });

  it('is refused in a profile too', async () => {
    const body = { headers: { '/**': [header('access-control-allow-origin', '/(?!a)/')] } };
    const { text } = await call('PUT', '/config/wknd/profiles/origins.json', body, 400);
    expect(JSON.parse(text)).toMatchObject({ code: 'BODY_INVALID', errors: [{ pointer: '/headers/~1**/0/value' }] });
  });

  it('does not block with an expression that usually backtracks, on the longest origin', async () => {
    await set({ '/**': [header('access-control-allow-origin', '/^(https:\\/\\/(([a-z]+)+)+)+$/, /(.{9}){50}x/')] });
    const blocked = await longestBlock(async () => {
      for (let index = 0; index < 20; index += 1) {
        const origin = `https://${'a'.repeat(LIMITS.originLength - 14)}!${index}`;
        expect((await visit('/', { origin })).headers['access-control-allow-origin']).toBeUndefined();
      }
    });
    expect(blocked).toBeLessThan(200);
  });
});

describe('link', () => {
  it('is only sent with pages', async () => {
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

describe('a header value', () => {
  const raw = async (path: string): Promise<IncomingMessage> => {
    const headers = { host: `main--brand--wknd.live.localhost:${backend.port}` };
    const outgoing = get({ port: backend.port, path, headers, maxHeaderSize: 4 * LIMITS.headersSent });
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    answer.resume();
    return answer;
  };

  it('of 64 KiB is sent completely; one of LIMITS.headersLength is refused', async () => {
    const long = `default-src 'self' ${'a'.repeat(64 * 1024 - 19)}`;
    await set({ '/**': [header('content-security-policy', long)] });
    expect((await raw('/')).headers['content-security-policy'] === long).toBe(true);
    await set({ '/**': [header('content-security-policy', 'a'.repeat(LIMITS.headersLength))] }, 400);
  });

  it('with bytes above 0x7f is sent unchanged', async () => {
    const value = 'Café – Menü'.replace('–', '\x80\xff');
    await set({ '/**': [header('x-name', value)] });
    for (const path of ['/', '/none']) expect((await raw(path)).headers['x-name']).toBe(value);
    await set({ '/**': [header('x-name', 'Café – Menü')] }, 400);
  });
});

describe('answers other than pages have the site’s headers', () => {
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
  ])('at %s (%i)', async (path, status, method) => {
    await set({ '/**': [CSP, header('cache-control', 'public, max-age=900'), header('retry-after', '900'), header('allow', 'X')] });
    const answer = await visit(path, {}, method);
    expect([answer.status, answer.headers['content-security-policy']]).toEqual([status, CSP.value]);
    // The caching of an error, and advice about it, are the service's to decide.
    expect(answer.headers['cache-control']).toBe('public, max-age=0, must-revalidate');
    expect([answer.headers['retry-after'], answer.headers['allow']]).toEqual([
      undefined,
      status === 405 ? 'GET, HEAD, OPTIONS' : undefined,
    ]);
  });

  it('if a guarded host refuses a visitor', async () => {
    await set({ '/**': [CSP, header('www-authenticate', 'Basic'), header('vary', 'x-brand')] });
    await guard({ site: { allow: ['nobody@example.com'] } });
    const closed = await visit('/');
    expect(closed).toMatchObject({ status: 401, headers: { 'content-security-policy': CSP.value, 'cache-control': 'private, no-store' } });
    expect([closed.headers['www-authenticate'], closed.headers['vary']]).toEqual([
      'Bearer realm="repoless"',
      'x-brand, authorization, x-auth-token',
    ]);
    const refused = await visit('/', { 'x-auth-token': await backend.token(OPERATOR) });
    expect([refused.status, refused.headers['content-security-policy']]).toEqual([403, CSP.value]);
    await guard({});
  });
});

describe('in a configuration,', () => {
  /** Sorted neither alphabetically nor by length. */
  const WRITTEN = ['/zoo/**', '/**', '/a/long/path', '/b'];
  const OTHER = ['/b', '/**', '/zoo/**', '/a/long/path'];
  const SITE = '/config/wknd/sites/ordered';
  const backend = startBeforeAll(() => startTestBackend());

  const headersFor = (paths: readonly string[], value = 'one') =>
    Object.fromEntries(paths.map((path) => [path, [{ key: 'x-brand', value }]]));
  const orderOf = (value: unknown): string[] => Object.keys(Object(Reflect.get(Object(value), 'headers') ?? value));

  const { done: call } = callsAs(backend, OPERATOR);
  const read = async (path: string): Promise<unknown> => (await call('GET', path)).json();

  describe('the paths of headers', () => {
    it('keep their order wherever the site is read', async () => {
      const created = await call('PUT', `${SITE}.json`, siteBody('wknd', 'ordered', { headers: headersFor(WRITTEN) }));
      expect(orderOf(created.json())).toEqual(WRITTEN);
      for (const path of [`${SITE}.json`, `${SITE}/headers.json`, '/config/wknd/aggregated/ordered.json'])
        expect([path, orderOf(await read(path))]).toEqual([path, WRITTEN]);
      const { data } = Object(await read(`${SITE}/versions/1.json`));
      expect(orderOf(data)).toEqual(WRITTEN);
      // All other keys are in alphabetical order.
      expect(Object.keys(Object(created.json()))).toEqual(Object.keys(Object(created.json())).toSorted());
    });

    it('in another order change the etag and the version, and the difference has the new order', async () => {
      const [before, part] = [await call('GET', `${SITE}.json`), await call('GET', `${SITE}/headers.json`)];
      const dryRun = await call('POST', `${SITE}/headers.json?dryRun=true`, headersFor(OTHER));
      const { diff, result } = dryRun.json() as { diff: unknown; result: unknown };
      expect(diff).toEqual([{ op: 'replace', path: '', value: headersFor(OTHER) }]);
      expect(orderOf(result)).toEqual(OTHER);
      await call('POST', `${SITE}/headers.json`, headersFor(OTHER), { 'if-match': part.headers['etag'] ?? '' });
      const [after, partAfter] = [await call('GET', `${SITE}.json`), await call('GET', `${SITE}/headers.json`)];
      expect([orderOf(after.json()), after.headers['etag'] === before.headers['etag']]).toEqual([OTHER, false]);
      expect(partAfter.headers['etag']).not.toBe(part.headers['etag']);
      const [change] = (await read(`${SITE}/versions/1...2.json`)) as { value: object }[];
      expect(orderOf(change?.value)).toEqual(OTHER);
      await call('POST', `${SITE}.json?restoreVersion=1`);
      expect(orderOf(await read(`${SITE}.json`))).toEqual(WRITTEN);
    });

    it('in the same order create no version', async () => {
      const { current } = Object(await read(`${SITE}/versions.json`));
      await call('POST', `${SITE}/headers.json`, headersFor(WRITTEN));
      expect(Object(await read(`${SITE}/versions.json`)).current).toBe(current);
    });

    it('that are added at the end are a single addition in the difference', async () => {
      const { diff } = (await call('POST', `${SITE}/headers.json?dryRun=true`, headersFor([...WRITTEN, '/aa']))).json() as {
        diff: unknown;
      };
      expect(diff).toEqual([{ op: 'add', path: '/~1aa', value: headersFor(['/aa'])['/aa'] }]);
    });

    it('of a profile precede those that its site adds', async () => {
      await call('PUT', '/config/wknd/profiles/base.json', { headers: headersFor(WRITTEN) });
      expect(orderOf(await read('/config/wknd/profiles/base.json'))).toEqual(WRITTEN);
      await call('PUT', '/config/wknd/sites/extending.json', {
        ...siteBody('wknd', 'extending', { public: {}, headers: headersFor(['/a', '/b', '/**'], 'own') }),
        extends: { profile: 'base' },
      });
      expect(orderOf(await read('/config/wknd/aggregated/extending.json'))).toEqual([...WRITTEN, '/a']);
      await call('POST', '/config/wknd/profiles/base/headers.json', headersFor(OTHER));
      expect(orderOf(await read('/config/wknd/aggregated/extending.json'))).toEqual([...OTHER, '/a']);
    });

    it('keep their order in a rollout and when it is undone', async () => {
      const rollouts = rolloutCalls(backend);
      const set = (value: object) => ({ title: 'Order', sites: ['ordered'], edits: [{ op: 'set', path: '/headers', value }] });
      const id = await rollouts.start(set(headersFor(OTHER)));
      await rollouts.rested(id);
      expect(orderOf(await read(`${SITE}.json`))).toEqual(OTHER);
      await rollouts.ordered(id, 'undo');
      await rollouts.rested(id);
      expect(orderOf(await read(`${SITE}.json`))).toEqual(WRITTEN);
    });
  });
});

describe('security headers:', () => {
  const PREFLIGHT = { origin: EXTENSION_ORIGIN, 'access-control-request-method': 'PUT' };
  const backend = startBeforeAll(async () => {
    const settings = {
      PORT: String((await freePorts()).backend),
      PUBLIC_ADDRESS: 'https://admin.example.com',
      PREVIEW_DOMAIN: 'preview.example.com',
      LIVE_DOMAIN: 'live.example.com',
    };
    return await startTestBackend({ settings, sites: { one: { public: publicPart('one') } } });
  });

  const service = (method: string, path: string, headers: Record<string, string> = {}) => backend.call(method, path, { headers });
  const visit = (method: string, path: string, headers: Record<string, string> = {}, site = 'one') =>
    backend.visit('live', '', path, { method, headers, host: `main--${site}--wknd.live.example.com` });

  function secured({ headers }: TestAnswer): void {
    expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
    expect(headers['x-content-type-options']).toBe('nosniff');
  }

  describe('every answer of a service that is reached by HTTPS', () => {
    it.each([
      ['GET', '/', 200],
      ['GET', '/health', 200],
      ['GET', '/openapi.json', 200],
      ['GET', '/nowhere', 404],
      ['GET', '/config/wknd/sites/one.json', 401],
      ['PATCH', '/health', 405],
      ['TRACE', '/health', 405],
      ['OPTIONS', '/health', 204],
      ['OPTIONS', '/nowhere', 204],
    ])('%s %s (%i) requires HTTPS and forbids type sniffing, framing and referrers', async (method, path, status) => {
      const answer = await service(method, path, method === 'OPTIONS' ? PREFLIGHT : {});
      expect(answer.status).toBe(status);
      secured(answer);
      expect(answer.headers['content-security-policy']).toMatch(/default-src 'none'.*base-uri 'none';frame-ancestors 'none'/);
      expect(answer.headers['referrer-policy']).toBe('no-referrer');
    });

    it('has the same headers on the pages of the sign-in, which have their own policy', async () => {
      for (const path of ['/profile', '/auth/idp/ack?state=none']) {
        const page = await service('GET', path, { accept: 'text/html' });
        expect([page.status, page.headers['content-type']]).toEqual([401, 'text/html; charset=utf-8']);
        secured(page);
        expect(page.headers['content-security-policy']).toMatch(/default-src 'none';.*base-uri 'none'; frame-ancestors 'none'/);
      }
    });
  });

  describe('every answer of a host that is reached by HTTPS', () => {
    it.each([
      ['GET', '/config.json', 200],
      ['HEAD', '/config.json', 200],
      ['GET', '/robots.txt', 200],
      ['GET', '/a//b', 400],
      ['POST', '/config.json', 405],
      ['TRACE', '/config.json', 405],
      ['OPTIONS', '/config.json', 204],
    ])('%s %s (%i) requires HTTPS and forbids type sniffing', async (method, path, status) => {
      for (const _ of ['read', 'cached']) {
        const answer = await visit(method, path);
        expect(answer.status).toBe(status);
        secured(answer);
      }
    });

    it('does so with status 304', async () => {
      const etag = (await visit('GET', '/config.json')).headers['etag'] ?? '';
      const answer = await visit('GET', '/config.json', { 'if-none-match': etag });
      expect(answer.status).toBe(304);
      secured(answer);
    });

    it('does so under a name that no site has', async () => {
      secured(await visit('GET', '/', {}, 'none'));
    });
  });

  it('are omitted if the service and its hosts are reached by HTTP', async () => {
    const plain = await stopAfterTest(startTestBackend());
    for (const answer of [await plain.call('GET', '/health'), await plain.visit('live', 'main--none--wknd', '/')])
      expect(answer.headers['strict-transport-security']).toBeUndefined();
  });
});
