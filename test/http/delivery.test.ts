import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { configAddress, siteAddress } from '@repoless/contract/addresses.ts';
import { createConfigCache } from '@repoless/service/delivery/config-cache.ts';
import { isRecent } from '@repoless/service/domain/change-aware-cache.ts';
import { openStore } from '@repoless/service/db/open-store.ts';
import { callsAs, OPERATOR, publicPart, siteBody, startTestBackend } from '../support/backend.ts';
import { pausedReads, type PausedReads } from '../support/paused-reads.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { longestBlock } from '../support/loop-delay.ts';
import { contentAt, startAuthor } from '../support/receiver.ts';

let paused: PausedReads;

const backend = startBeforeAll(() =>
  startTestBackend({
    orgs: ['wknd'],
    open: async (dataDir) => {
      paused = pausedReads(await openStore({ dataDir }));
      return paused.store;
    },
  }),
);
const { call, done } = callsAs(backend, OPERATOR);

const register = (site: string, more: Record<string, unknown> = { public: publicPart(site) }) =>
  done('PUT', `/config/wknd/sites/${site}.json`, siteBody('wknd', site, more));

const setPublic = (site: string, body: unknown) => done('POST', `/config/wknd/sites/${site}/public.json`, body);

describe('config.json (call 10)', () => {
  beforeAll(() => register('shown', { public: publicPart('shown'), title: 'Not for everybody' }));

  it.each(['preview', 'live'] as const)('has only the public part, on the %s host', async (tier) => {
    const answer = await backend.visit(tier, 'main--shown--wknd', '/config.json');
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({ public: publicPart('shown') });
    expect(answer.text).toBe(JSON.stringify(answer.json(), null, 2));
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'public, max-age=0, must-revalidate',
      'access-control-allow-origin': '*',
      etag: expect.stringMatching(/^"[^"]+"$/),
    });
  });

  it('is the same for every branch and any case of the host', async () => {
    const main = await backend.visit('preview', 'main--shown--wknd', '/config.json');
    expect((await backend.visit('preview', 'feature-1--shown--wknd', '/config.json')).text).toBe(main.text);
    expect((await backend.visit('preview', 'MAIN--Shown--wknd', '/config.json')).text).toBe(main.text);
  });

  it('is answered 304 to clients that have it', async () => {
    const { headers } = await backend.visit('live', 'main--shown--wknd', '/config.json');
    const etag = headers['etag'] ?? '';
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await backend.visit('live', 'main--shown--wknd', '/config.json', { headers: { 'if-none-match': known } });
      expect([known, answer.status, answer.text, answer.headers['etag']]).toEqual([known, 304, '', etag]);
    }
    const other = await backend.visit('live', 'main--shown--wknd', '/config.json', { headers: { 'if-none-match': '"other"' } });
    expect(other.status).toBe(200);
  });

  it('is answered to HEAD without the body, and refused to POST', async () => {
    const get = await backend.visit('live', 'main--shown--wknd', '/config.json');
    const head = await backend.visit('live', 'main--shown--wknd', '/config.json', { method: 'HEAD' });
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', get.headers['content-length']]);
    const post = await backend.visit('live', 'main--shown--wknd', '/config.json', { method: 'POST' });
    expect([post.status, post.headers['allow'], post.error]).toEqual([405, 'GET, HEAD, OPTIONS', 'method not allowed']);
    expect((await backend.visit('live', 'main--shown--wknd', '/config.json', { method: 'OPTIONS' })).status).toBe(204);
  });

  it('is not found for a site without a public part', async () => {
    await register('silent', {});
    const answer = await backend.visit('preview', 'main--silent--wknd', '/config.json');
    expect([answer.status, answer.error]).toEqual([404, 'failed to load /config.json: 404']);
    await setPublic('silent', publicPart('silent'));
    expect((await backend.visit('preview', 'main--silent--wknd', '/config.json')).status).toBe(200);
  });

  it('is served at the address of the contract', async () => {
    const info = (await backend.call('GET', '/service.json')).json() as { previewDomain: string; liveDomain: string };
    const domains = { protocol: 'http' as const, preview: info.previewDomain, live: info.liveDomain };
    const { host, pathname } = new URL(configAddress(domains, 'live', 'wknd', 'shown'));
    expect((await backend.visit('live', '', pathname, { host })).status).toBe(200);
    expect(siteAddress(domains, 'preview', { ref: 'main', site: 'shown', org: 'wknd' })).toContain('.preview.localhost:');
  });
});

describe('a host that serves no site', () => {
  it.each(['main--nowhere--wknd', 'main--shown--nobody', 'main--shown', 'shown', 'a--b--c--d', 'main--shown--wknd.x'])(
    'reveals nothing: %s',
    async (host) => {
      const answers = await Promise.all(
        ['/config.json', '/robots.txt', '/', '/config/wknd/sites/shown.json', '/health'].map((path) => backend.visit('live', host, path)),
      );
      const unknown = await backend.visit('live', '', '/config.json', { host: 'elsewhere.example.com' });
      for (const answer of answers) {
        expect([answer.status, answer.text]).toEqual([404, unknown.text]);
        expect({ ...answer.headers, date: '' }).toEqual({ ...unknown.headers, date: '' });
      }
      expect(unknown.error).toBe('not found');
    },
  );

  it('serves a site from its registration to its removal', async () => {
    expect((await backend.visit('live', 'main--later--wknd', '/config.json')).status).toBe(404);
    await register('later');
    expect((await backend.visit('live', 'main--later--wknd', '/config.json')).status).toBe(200);
    await call('DELETE', '/config/wknd/sites/later.json');
    expect(await backend.visit('live', 'main--later--wknd', '/config.json')).toMatchObject({ status: 404, error: 'not found' });
  });
});

describe('other addresses of a site host', () => {
  // Its content source is unreachable.
  const content = { source: { type: 'markup', url: 'http://localhost:9/bin/franklin.delivery/wknd/pages/main', suffix: '.html' } };
  beforeAll(() => register('pages', { content, public: publicPart('pages') }));

  it('include a robots.txt that disallows preview, and the site’s own on live', async () => {
    expect((await backend.visit('preview', 'main--pages--wknd', '/robots.txt')).text).toBe('User-agent: *\nDisallow: /\n');
    const none = await backend.visit('live', 'main--pages--wknd', '/robots.txt');
    expect([none.status, none.text]).toEqual([200, expect.stringContaining('User-agent: *\nDisallow: /\n')]);
    const body = 'User-agent: *\nAllow: /\n';
    const headers = { 'content-type': 'text/plain' };
    await call('POST', '/config/wknd/sites/pages/robots.txt', body, headers);
    expect((await backend.visit('live', 'main--pages--wknd', '/robots.txt')).text).toBe(body);
    expect((await backend.visit('preview', 'main--pages--wknd', '/robots.txt')).text).toContain('Disallow: /');
  });

  it('never answer a call of the service', async () => {
    const answer = await backend.visit('preview', 'main--pages--wknd', '/config/wknd/sites/pages.json', {
      headers: { 'x-auth-token': await backend.token(OPERATOR) },
    });
    expect([answer.status, answer.text]).toEqual([502, expect.not.stringContaining('lastModified')]);
  });
});

describe('a visit after a write', () => {
  beforeAll(() => register('fresh'));

  it('sees each acknowledged write while others read continuously', async () => {
    let writing = true;
    const readers = Array.from({ length: 4 }, async () => {
      while (writing) await backend.visit('live', 'main--fresh--wknd', '/config.json');
    });
    for (let count = 1; count <= 40; count += 1) {
      await setPublic('fresh', { count });
      const hosts = ['main--fresh--wknd', 'other--fresh--wknd'];
      const seen = await Promise.all(hosts.map((host) => backend.visit(count % 2 === 0 ? 'live' : 'preview', host, '/config.json')));
      for (const answer of seen) expect(answer.json()).toEqual({ public: { count } });
    }
    writing = false;
    await Promise.all(readers);
  });

  it('does not get a read that started before the write', async () => {
    await register('overtaken', { public: { count: 1 } });
    const slow = paused.hold('overtaken');
    const early = backend.visit('live', 'main--overtaken--wknd', '/config.json');
    await slow.reached;
    await setPublic('overtaken', { count: 2 });
    // A request after the acknowledgement does not wait for a read started before it.
    expect((await backend.visit('live', 'main--overtaken--wknd', '/config.json')).json()).toEqual({ public: { count: 2 } });
    slow.release();
    expect((await early).json()).toEqual({ public: { count: 1 } });
    expect((await backend.visit('live', 'main--overtaken--wknd', '/config.json')).json()).toEqual({ public: { count: 2 } });
  });
});

describe('the cache of answers', () => {
  /** As on PostgreSQL. */
  const isCurrent = (since: number) => isRecent(since, Date.now());
  const json = 'x'.repeat(1000);
  const reads = { publicConfig: async () => ({ json, etag: '"e"' }), site: async () => undefined };
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());

  it('is limited and contains the last loaded answer', async () => {
    const cache = createConfigCache(reads, 10 * 2100, isCurrent);
    for (let site = 0; site < 100; site += 1) await cache.load(`main--s${site}--o`, { org: 'o', site: `s${site}`, ref: 'main' });
    const cached = Array.from({ length: 100 }, (_, site) => cache.ready(`main--s${site}--o`)).filter((answer) => answer !== undefined);
    expect(cached.length).toBeGreaterThan(0);
    expect(cached.length).toBeLessThanOrEqual(10);
    expect(cache.ready('main--s99--o')).toBeDefined();
  });

  it('is used for a second, and not if the clock was set back', async () => {
    const cache = createConfigCache(reads, 1_000_000, isCurrent);
    const host = 'main--s--o';
    const load = () => cache.load(host, { org: 'o', site: 's', ref: 'main' });
    await load();
    vi.setSystemTime(Date.now() + 999);
    expect(cache.ready(host)).toBeDefined();
    vi.setSystemTime(Date.now() + 1);
    expect(cache.ready(host)).toBeUndefined();
    await load();
    vi.setSystemTime(Date.now() - 5000);
    expect(cache.ready(host)).toBeUndefined();
  });

  /** No other site exists. */
  const onlySite = (known: string) => ({
    publicConfig: async (_org: string, site: string) => (site === known ? { json, etag: '"e"' } : undefined),
    site: reads.site,
  });
  const of = (ref: string, site = 's') => ({ org: 'o', site, ref });

  it('does not grow with made-up branches, which displace only one another', async () => {
    const cache = createConfigCache(reads, 1_000_000, isCurrent);
    const mains = ['main--s--o.preview', 'main--s--o.live'];
    const load = (ref: string) => cache.load(`${ref}--s--o.live`, of(ref));
    for (let ref = 0; ref < 500; ref += 1) await load(`r${ref}`);
    for (const host of mains) await cache.load(host, of('main'));
    await load('real');
    for (let ref = 0; ref < 500; ref += 1) {
      await load(`q${ref}`);
      // Requesting it again puts it back into the cache.
      if (ref % 100 === 0) await load('real');
    }
    const branches = Array.from({ length: 500 }, (_, ref) => [`r${ref}`, `q${ref}`]).flat();
    const ready = branches.filter((ref) => cache.ready(`${ref}--s--o.live`) !== undefined);
    expect([ready.length > 0, ready.length <= 32]).toEqual([true, true]);
    for (const host of mains) expect(cache.ready(host)?.status).toBe(200);
    expect((await load('real')).status).toBe(200);
    expect(cache.ready('real--s--o.live')?.status).toBe(200);
    expect((await load('r0')).status).toBe(200);
  });

  it('stores only one spelling of a host', async () => {
    const cache = createConfigCache(reads, 1_000_000, isCurrent);
    for (const host of ['Main--s--o.live', 'main--S--o.live', 'main--s--o.live']) await cache.load(host, of('main'));
    expect(['Main--s--o.live', 'main--S--o.live', 'main--s--o.live'].map((host) => cache.ready(host)?.status)).toEqual([
      undefined,
      undefined,
      200,
    ]);
  });

  it('preserves a site, however many unknown ones are requested', async () => {
    const cache = createConfigCache(onlySite('known'), 1_000_000, isCurrent);
    await cache.load('main--known--o', of('main', 'known'));
    for (let site = 0; site < 20_000; site += 1) await cache.load(`main--s${site}--o`, of('main', `s${site}`));
    expect(cache.ready('main--known--o')?.status).toBe(200);
  });

  it('counts the hosts of a site, too', async () => {
    const cache = createConfigCache(reads, 200_000, isCurrent);
    const hosts = Array.from({ length: 100 }, (_, site) =>
      Array.from({ length: 32 }, (_none, ref) => ({ site: `s${site}`, ref: `r${ref}` })),
    );
    for (const { site, ref } of hosts.flat()) await cache.load(`${ref}--${site}--o`, of(ref, site));
    const ready = hosts.flat().filter(({ site, ref }) => cache.ready(`${ref}--${site}--o`) !== undefined);
    expect([ready.length > 0, ready.length * 130 + (ready.length / 32) * 1000 < 200_000]).toEqual([true, true]);
  });

  it('queries the storage once for an unknown site, until it is created', async () => {
    let [queries, exists] = [0, false];
    const read = {
      publicConfig: async () => {
        queries += 1;
        return exists ? { json, etag: '"e"' } : undefined;
      },
      site: reads.site,
    };
    const cache = createConfigCache(read, 1_000_000, isCurrent);
    const status = async () => (await cache.load('main--s--o', of('main'))).status;
    expect([await status(), await status(), queries]).toEqual([404, 404, 1]);
    exists = true;
    cache.invalidate('o', 's');
    expect([await status(), queries]).toEqual([200, 2]);
  });
});

describe('text in config.json', () => {
  const backend = startBeforeAll(() => startTestBackend({ orgs: ['wknd'] }));

  it.each(['plain', 'naïve', 'łódź', '日本語', '👩‍🚀'])('is preserved: "%s"', async (title) => {
    const body = siteBody('wknd', 'letters', { public: { title } });
    await backend.call('PUT', '/config/wknd/sites/letters.json', { as: OPERATOR, body });
    for (const again of [false, true]) {
      const answer = await backend.visit('live', 'main--letters--wknd', '/config.json');
      expect(answer.json(), again ? 'from memory' : 'loaded').toEqual({ public: { title } });
      expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(answer.text)));
    }
  });
});

const header = (key: string, value: string) => ({ key, value });

describe('headers and folders of a site', () => {
  const PAGES: Readonly<Record<string, string>> = {
    '/content/market/index.html': '<html><body><main>Start</main></body></html>',
    '/content/market/products/default.html': '<html><body><main>Any product</main></body></html>',
    '/content/market/products/special.html': '<html><body><main>Special</main></body></html>',
  };

  const author = startBeforeAll(() => startAuthor((path) => PAGES[path]));
  const backend = startBeforeAll(() => {
    const base = { headers: { '/**': [header('X-Frame-Options', 'SAMEORIGIN'), header('x-brand', 'base')] } };
    const market = {
      extends: { profile: 'base' },
      content: contentAt(author, 'market'),
      public: { paths: { mappings: ['/content/market/:/'], includes: ['/content/market/'] } },
      headers: {
        '/**': [header('x-brand', 'market')],
        '/products/*': [header('cache-control', 'public, max-age=60'), header('x-depth', 'one')],
        '/products/special': [header('x-depth', 'exact'), header('Strict-Transport-Security', 'max-age=63072000')],
      },
      folders: { '/products/': '/products/default', '/shop': '/nowhere' },
    };
    const settings = { AUTHOR_HOSTS: author.host, HOST_PROTOCOL: 'https' };
    return startTestBackend({ settings, profiles: { base }, sites: { market } });
  });

  const visit = (path: string, headers = {}) => backend.visit('live', 'main--market--wknd', path, { headers });

  describe('Headers of a site', () => {
    it('override the default headers of the hosts', async () => {
      expect((await visit('/')).headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
      expect((await visit('/products/special')).headers['strict-transport-security']).toBe('max-age=63072000');
    });

    it('are sent with its pages, including those of its profile; the later pattern wins', async () => {
      expect((await visit('/')).headers).toMatchObject({ 'x-frame-options': 'SAMEORIGIN', 'x-brand': 'market' });
      expect((await visit('/')).headers['x-depth']).toBeUndefined();
      expect((await visit('/products/special')).headers).toMatchObject({ 'x-depth': 'exact', 'cache-control': 'public, max-age=60' });
      expect((await visit('/products/other')).headers).toMatchObject({ 'x-depth': 'one' });
    });

    it('are sent with a 304, too', async () => {
      const { headers } = await visit('/products/special');
      const again = await visit('/products/special', { 'if-none-match': headers['etag'] ?? '' });
      expect([again.status, again.headers['cache-control'], again.headers['x-brand']]).toEqual([304, 'public, max-age=60', 'market']);
    });

    it('are not sent with config.json and robots.txt', async () => {
      for (const path of ['/config.json', '/robots.txt']) expect((await visit(path)).headers['x-brand']).toBeUndefined();
    });

    it('are matched quickly, even by a pattern with the maximum of wildcards', async () => {
      const headers = { [`/${'**a'.repeat(10)}`]: [header('x-slow', '1')], '/products/**': [header('x-below', '1')] };
      const path = '/config/wknd/sites/market/headers.json';
      const before = (await backend.call('GET', path, { as: OPERATOR })).json();
      await backend.call('POST', path, { as: OPERATOR, body: headers });
      const blocked = await longestBlock(async () => {
        expect((await visit(`/products/${'a'.repeat(1500)}`)).headers['x-slow']).toBe('1');
      });
      expect(blocked).toBeLessThan(200);
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
    it('serves its page for all missing pages below it', async () => {
      expect(await visit('/products/anything/below')).toMatchObject({ status: 200, text: PAGES['/content/market/products/default.html'] });
      expect((await visit('/products/special')).text).toContain('Special');
      expect((await visit('/products/anything.plain.html')).text).toBe('Any product');
    });

    it('serves no page for sheets, other files, and paths outside it', async () => {
      for (const path of ['/products/list.json', '/products/picture.png', '/products-old/x', '/products', '/shop/x']) {
        expect([path, (await visit(path)).status]).toEqual([path, 404]);
      }
    });
  });
});
