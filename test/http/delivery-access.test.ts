import { startBeforeAll } from '../support/start-before-all.ts';
import { contentAt, startAuthor, startReceiver } from '../support/receiver.ts';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { callsAs, OPERATOR, publicPart } from '../support/backend.ts';
import { startCodeWorld } from '../support/code-world.ts';

const FILE = '/scripts/scripts.js';
const NOT_STORED = { 'cache-control': 'private, no-store', vary: 'authorization, x-auth-token' };
const REVALIDATED = { 'cache-control': 'private, max-age=0, must-revalidate', vary: 'authorization, x-auth-token' };

const author = startBeforeAll(() => startAuthor((path) => (path.endsWith('/index.html') ? '<main>Start</main>' : 404)));
const world = startBeforeAll(() => startCodeWorld({ settings: { AUTHOR_HOSTS: author.host } }));
beforeAll(async () => {
  await world.register('open', parts('open'));
  await world.register('shut', parts('shut'));
  await world.register('other', parts('other'));
  await world.sync('open');
});

function parts(site: string): Record<string, unknown> {
  const caching = [header('cache-control', 'public, max-age=60'), header('cdn-cache-control', 'max-age=900'), header('x-brand', site)];
  return { content: contentAt(author, site), public: publicPart(site), headers: { '/**': caching } };
}

function header(key: string, value: string): { key: string; value: string } {
  return { key, value };
}

async function call(method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await world.backend.call(method, path, { as: OPERATOR, ...(body !== undefined && { body }) });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.text === '' ? undefined : answer.json();
}

const Created = z.object({ id: z.string(), value: z.string() });
const pathOf = (site: string) => `/config/wknd/sites/${site}`;
const newSecret = async (site: string) => Created.parse(await call('POST', `${pathOf(site)}/secrets.json`));
const newKey = async (at: string) => Created.parse(await call('POST', `${at}/apiKeys.json`, { roles: ['author'] }));
const guard = (access: object, site = 'shut') => call('POST', `${pathOf(site)}/access.json`, access);

type Tier = 'preview' | 'live';
const visit = (path: string, headers: Record<string, string> = {}, { tier = 'live' as Tier, site = 'shut', method = 'GET' } = {}) =>
  world.backend.visit(tier, `main--${site}--wknd`, path, { headers, method });
const withToken = (value: string) => ({ authorization: `token ${value}` });

describe('A guarded host', () => {
  it('admits no one without a token and does not reveal what exists', async () => {
    const { id } = await newSecret('shut');
    await guard({ site: { secretId: [id] } });
    for (const path of [FILE, '/', '/nowhere', '/%E0%A4', '/products.json']) {
      const answer = await visit(path);
      expect([path, answer.status, answer.error]).toEqual([path, 401, 'not authenticated']);
      expect(answer.headers).toMatchObject({
        ...NOT_STORED,
        'x-error-code': 'NOT_AUTHENTICATED',
        'www-authenticate': 'Bearer realm="repoless"',
      });
      // Headers set by path patterns don't reveal what exists.
      expect(answer.headers['x-brand']).toBe('shut');
    }
    expect((await visit(FILE, { 'if-none-match': '*' })).status).toBe(401);
    expect((await visit(FILE, { range: 'bytes=0-3' })).status).toBe(401);
    expect(await visit(FILE, {}, { method: 'HEAD' })).toMatchObject({ status: 401, text: '' });
    expect((await world.backend.visit('live', 'other-branch--shut--wknd', FILE)).status).toBe(401);
  });

  it('accepts a listed generated secret of its site, in each header', async () => {
    const [named, unnamed, foreign] = [await newSecret('shut'), await newSecret('shut'), await newSecret('other')];
    await guard({ live: { secretId: [named.id, foreign.id] } });
    for (const headers of [withToken(named.value), { authorization: `Bearer ${named.value}` }, { 'x-auth-token': named.value }]) {
      expect([headers, (await visit(FILE, headers)).status]).toEqual([headers, 200]);
    }
    for (const value of [unnamed.value, foreign.value, `${named.value}x`, 'token', 'a.b.c']) {
      const answer = await visit(FILE, withToken(value));
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer realm="repoless", error="invalid_token"']);
    }
    expect((await visit(FILE, { authorization: `Basic ${named.value}` })).status).toBe(401);
  });

  it('never accepts a secret that the service itself uses', async () => {
    await call('POST', `${pathOf('shut')}/secrets/kept-sealed.json`, { value: 'a-sealed-value' });
    await guard({ live: { secretId: ['kept-sealed'] } });
    expect((await visit(FILE, withToken('a-sealed-value'))).status).toBe(401);
  });

  it('accepts a listed API key of its site or organization, until it is revoked', async () => {
    const [own, shared] = [await newKey(pathOf('shut')), await newKey('/config/wknd')];
    const [unnamed, foreign] = [await newKey(pathOf('shut')), await newKey(pathOf('other'))];
    await guard({ live: { apiKeyId: [own.id, shared.id, foreign.id], allow: ['*@example.com'] } });
    expect((await visit(FILE, withToken(own.value))).status).toBe(200);
    expect((await visit(FILE, withToken(shared.value))).status).toBe(200);
    for (const { value } of [unnamed, foreign]) {
      const answer = await visit(FILE, withToken(value));
      expect(answer).toMatchObject({ status: 403, error: 'not authorized', headers: { 'cache-control': 'private, no-store' } });
    }
    await guard({ live: { allow: ['*'] } });
    expect((await visit(FILE, withToken(own.value))).status).toBe(403);
    await guard({ live: { apiKeyId: [own.id] } });
    await call('DELETE', `${pathOf('shut')}/apiKeys/${own.id}.json`);
    expect((await visit(FILE, withToken(own.value))).status).toBe(401);
  });

  it('admits readers by address, domain, and groups of the site and of the organization', async () => {
    const status = async (who: string) => (await visit(FILE, withToken(await world.backend.token(who)))).status;
    await call('POST', '/config/wknd/groups/readers.json', { members: [{ email: 'rita@example.net' }] });
    await call('POST', `${pathOf('shut')}/groups/close.json`, { members: [{ email: 'clara@example.net' }, { email: 'groups/readers' }] });
    await guard({ live: { allow: ['Ada@example.com', '*@example.org', 'groups/close'] } });
    for (const who of ['ada@example.com', 'anyone@example.org', 'rita@example.net', 'clara@example.net']) {
      expect([who, await status(who)]).toEqual([who, 200]);
    }
    for (const who of ['sam@example.com', 'ada@example.com.example', OPERATOR]) expect([who, await status(who)]).toEqual([who, 403]);
    await guard({ live: { allow: ['groups/nowhere'] } });
    expect(await status('ada@example.com')).toBe(403);
    const token = await world.backend.token('ada@example.com');
    await guard({ live: { allow: ['*'] } });
    expect((await visit(FILE, { cookie: `auth_token=${token}` })).status).toBe(401);
    await world.backend.call('GET', '/logout', { headers: { 'x-auth-token': token } });
    expect((await visit(FILE, withToken(token))).status).toBe(401);
  });
});

describe('An answer of a guarded host', () => {
  let token: Record<string, string>;
  beforeAll(async () => {
    const { id, value } = await newSecret('shut');
    await guard({ site: { secretId: [id] } });
    token = withToken(value);
  });

  it('is not stored by shared caches, whatever the headers of the site say', async () => {
    const etag = (await visit(FILE, token)).headers['etag'] ?? '';
    const answers = await Promise.all([
      visit(FILE, token),
      visit(FILE, token, { method: 'HEAD' }),
      visit(FILE, { ...token, 'if-none-match': etag }),
      visit(FILE, { ...token, range: 'bytes=2-5' }),
      visit('/', token),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 304, 206, 200]);
    for (const { headers } of answers) {
      expect(headers).toMatchObject({ ...REVALIDATED, 'x-brand': 'shut' });
      expect(headers['cdn-cache-control']).toBeUndefined();
    }
    const wrong = await Promise.all([
      visit('/nowhere', token),
      visit(FILE, { ...token, range: 'bytes=9999999-' }),
      visit('/%E0%A4', token),
    ]);
    expect(wrong.map(({ status }) => status)).toEqual([404, 416, 400]);
    for (const { headers } of wrong) expect(headers).toMatchObject(NOT_STORED);
  });

  it('is the same as without a guard except for caching', async () => {
    const [open, shut] = [await visit(FILE, {}, { site: 'open' }), await visit(FILE, token)];
    expect([shut.text, shut.headers['content-type']]).toEqual([open.text, open.headers['content-type']]);
    expect(open.headers).toMatchObject({ 'cache-control': 'public, max-age=60', 'cdn-cache-control': 'max-age=900' });
    expect(open.headers['vary']).toBeUndefined();
  });

  it('is open and unchanged for config.json', async () => {
    await guard({});
    const before = await visit('/config.json');
    await guard({ site: { allow: ['nobody@example.com'], requireAuth: true } });
    const after = await visit('/config.json');
    const unchanged = ({ headers, status, text }: typeof before) => ({ status, text, headers: { ...headers, date: '' } });
    expect(after.status).toBe(200);
    expect(unchanged(after)).toEqual(unchanged(before));
    expect((await visit(FILE)).status).toBe(401);
  });

  it('for robots.txt disallows everything without a token, and is the site’s own with one', async () => {
    const text = 'User-agent: *\nDisallow: /hidden/\n';
    const set = await world.backend.call('POST', `${pathOf('shut')}/robots.txt`, {
      as: OPERATOR,
      headers: { 'content-type': 'text/plain' },
      body: text,
    });
    expect(set.status, set.text).toBeLessThan(300);
    const { id, value } = await newSecret('shut');
    await guard({ site: { secretId: [id] } });
    const closed = await visit('/robots.txt');
    expect([closed.status, closed.text]).toEqual([200, 'User-agent: *\nDisallow: /\n']);
    expect(closed.headers).toMatchObject(REVALIDATED);
    expect((await visit('/robots.txt', withToken(value))).text).toBe(text);
    await guard({});
    expect((await visit('/robots.txt')).text).toBe(text);
  });

  it('allows pages of other origins to send a token', async () => {
    const answer = await visit(
      FILE,
      { origin: 'https://example.com', 'access-control-request-headers': 'authorization' },
      { method: 'OPTIONS' },
    );
    expect(answer).toMatchObject({
      status: 204,
      headers: { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'authorization, x-auth-token' },
    });
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
  });
});

describe('Access settings', () => {
  const states = async () => [(await visit(FILE, {}, { tier: 'preview' })).status, (await visit(FILE, {}, { tier: 'live' })).status];
  const allow = ['ada@example.com'];

  it.each([
    ['no host without access', {}, [200, 200]],
    ['both hosts by a list of the site', { site: { allow } }, [401, 401]],
    ['only preview', { preview: { allow } }, [401, 200]],
    ['only live', { live: { allow } }, [200, 401]],
    ['no host by empty lists', { site: { allow: [], apiKeyId: [], secretId: [] } }, [200, 200]],
    ['only live if preview overrides the list of the site', { site: { allow }, preview: { allow: [] } }, [200, 401]],
    ['both hosts if preview overrides another list of the site', { site: { apiKeyId: ['one'] }, preview: { allow: [] } }, [401, 401]],
    ['no host by "auto" without a list', { site: { requireAuth: 'auto' } }, [200, 200]],
    ['both hosts by "auto" with a list', { site: { requireAuth: 'auto', secretId: ['none'] } }, [401, 401]],
    ['both hosts by requireAuth without a list', { preview: { requireAuth: true }, live: { requireAuth: true } }, [401, 401]],
    [
      'no host without requireAuth despite a list',
      { site: { allow }, preview: { requireAuth: false }, live: { requireAuth: false } },
      [200, 200],
    ],
  ])('guard %s', async (_name, access, expected) => {
    await guard(access);
    expect(await states()).toEqual(expected);
  });

  it('apply from the profile that the site extends', async () => {
    await call('PUT', '/config/wknd/profiles/closed.json', { access: { live: { allow } } });
    await world.register('brand', { ...parts('brand'), extends: { profile: 'closed' } });
    const brand = async (who: string, tier: Tier = 'live') =>
      (await visit(FILE, withToken(await world.backend.token(who)), { site: 'brand', tier })).status;
    expect([await brand('ada@example.com'), await brand('sam@example.com'), await brand('sam@example.com', 'preview')]).toEqual([
      200, 403, 200,
    ]);
    await call('PUT', '/config/wknd/profiles/closed.json', { access: { live: { allow: ['sam@example.com'] } } });
    expect([await brand('ada@example.com'), await brand('sam@example.com')]).toEqual([403, 200]);
  });

  it('reveal nothing for an unknown site', async () => {
    expect(await visit(FILE, {}, { site: 'nowhere' })).toMatchObject({ status: 404, error: 'not found' });
  });

  it('do not affect the code sync', async () => {
    await guard({ site: { requireAuth: true } });
    expect((await world.sync('shut')).error).toBeUndefined();
  });
});

describe('caches in front of a host', () => {
  const CODE = '/scripts/scripts.js';
  const PAGE = '/';
  const YAML = '/helix-query.yaml';
  const SITE = '/config/wknd/sites/cached';
  const BRAND = header('x-brand', 'one');
  const FRAMES = header('x-frame-options', 'SAMEORIGIN');
  let media = 'text/html; charset=utf-8';

  const author = startBeforeAll(() =>
    startReceiver((request, response) => {
      const exists = request.url?.endsWith('/index.html') === true;
      response.writeHead(exists ? 200 : 404, { 'content-type': media }).end('<main>Start</main>');
    }),
  );
  const world = startBeforeAll(() => startCodeWorld({ settings: { AUTHOR_HOSTS: author.host } }));
  beforeAll(async () => {
    await world.register('cached', { content: contentAt(author, 'cached'), public: publicPart('cached') });
    await world.sync('cached');
    await call('POST', `${SITE}/content/query.yaml`, 'indices: {}\n', { 'content-type': 'text/yaml' });
  });
  beforeEach(async () => {
    await call('POST', `${SITE}/headers.json`, { '/**': [BRAND, FRAMES] });
  });

  const { done: call } = callsAs(world, OPERATOR);

  const visit = (path: string, headers: Record<string, string> = {}) =>
    world.backend.visit('live', 'main--cached--wknd', path, { headers });

  type CachedAnswer = Awaited<ReturnType<typeof visit>>;

  /** Revalidates a stored answer as a cache does (RFC 9111, 3.2 and 4.3.4). */
  async function revalidated(path: string, cached: CachedAnswer, headers: Record<string, string> = {}): Promise<CachedAnswer> {
    const answer = await visit(path, { ...headers, 'if-none-match': cached.headers['etag'] ?? '' });
    if (answer.status !== 304) return answer;
    return { ...cached, headers: { ...cached.headers, ...answer.headers } };
  }

  /** What a visitor sees of an answer, cached or not. */
  function seen({ status, text, headers }: CachedAnswer): object {
    const { date: _, 'x-request-id': __, ...rest } = headers;
    return { status, text, headers: rest };
  }

  const AFTER: Readonly<Record<string, object | undefined>> = {
    'a header has another value': { '/**': [header('x-brand', 'two'), FRAMES] },
    'another header is sent': { '/**': [BRAND, FRAMES, header('x-more', '1')] },
    'a header is no longer sent': { '/**': [BRAND] },
    'a path no longer has headers': { '/elsewhere/**': [BRAND, FRAMES] },
    'no headers are left': undefined,
  };

  describe.each([
    ['a page', PAGE],
    ['a file of the code', CODE],
    ['a file of the configuration', YAML],
  ])('A cached answer for %s', (_, path) => {
    it.each(Object.entries(AFTER))('revalidates to what a new visitor gets if %s', async (__, headers) => {
      const cached = await visit(path);
      expect([cached.status, cached.headers['x-brand'], cached.headers['x-frame-options']]).toEqual([200, 'one', 'SAMEORIGIN']);
      if (headers === undefined) await call('DELETE', `${SITE}/headers.json`);
      else await call('POST', `${SITE}/headers.json`, headers);
      expect(seen(await revalidated(path, cached))).toEqual(seen(await visit(path)));
    });

    it('stays valid if the headers of other paths change', async () => {
      const cached = await visit(path);
      await call('POST', `${SITE}/headers.json`, { '/**': [BRAND, FRAMES], '/elsewhere/**': [header('x-more', '1')] });
      expect((await visit(path, { 'if-none-match': cached.headers['etag'] ?? '' })).status).toBe(304);
    });

    it('loses its lifetime in shared caches when the host becomes guarded', async () => {
      await call('POST', `${SITE}/headers.json`, { '/**': [header('surrogate-control', 'max-age=900')] });
      const cached = await visit(path);
      const { id, value } = z.object({ id: z.string(), value: z.string() }).parse((await call('POST', `${SITE}/secrets.json`)).json());
      await call('POST', `${SITE}/access.json`, { live: { secretId: [id] } });
      const after = await revalidated(path, cached, { 'x-auth-token': value });
      expect([after.status, after.headers['surrogate-control']]).toEqual([200, undefined]);
      expect(seen(after)).toEqual(seen(await visit(path, { 'x-auth-token': value })));
      await call('POST', `${SITE}/access.json`, {});
      expect(seen(await revalidated(path, after))).toEqual(seen(await visit(path)));
    });
  });

  describe('A cache', () => {
    it('gets the rest of a file only if its headers are unchanged', async () => {
      const cached = await visit(CODE);
      const rest = { range: 'bytes=2-5', 'if-range': cached.headers['etag'] ?? '' };
      expect((await visit(CODE, rest)).status).toBe(206);
      await call('POST', `${SITE}/headers.json`, { '/**': [BRAND] });
      expect((await visit(CODE, rest)).status).toBe(200);
    });

    it('gets ranges only by GET, and a 304 takes precedence over them (RFC 9110, 13.2.2 and 14.2)', async () => {
      const whole = await visit(CODE);
      const size = String(whole.text.length);
      for (const range of ['bytes=2-5', 'bytes=9999999-']) {
        const head = await world.backend.visit('live', 'main--cached--wknd', CODE, { method: 'HEAD', headers: { range } });
        expect([range, head.status, head.headers['content-length'], head.headers['content-range'], head.text]).toEqual([
          range,
          200,
          size,
          undefined,
          '',
        ]);
        const had = { range, 'if-none-match': whole.headers['etag'] ?? '' };
        expect([range, (await visit(CODE, had)).status, (await visit(CODE, { ...had, 'if-none-match': '*' })).status]).toEqual([
          range,
          304,
          304,
        ]);
      }
      expect((await visit(CODE, { range: 'bytes=9999999-', 'if-none-match': '"other"' })).status).toBe(416);
      expect((await visit(CODE, { range: 'bytes=2-5', 'if-none-match': '"other"' })).status).toBe(206);
    });

    it('learns of a new content source and a new content type of a page', async () => {
      const cached = await visit(PAGE);
      await call('POST', `${SITE}/public.json`, { paths: { mappings: ['/content/moved/:/'], includes: ['/content/moved/'] } });
      expect(seen(await revalidated(PAGE, cached))).toEqual(seen(await visit(PAGE)));
      media = 'text/html; charset=iso-8859-1';
      const after = await revalidated(PAGE, cached);
      expect(after.headers['content-type']).toBe(media);
      expect(seen(after)).toEqual(seen(await visit(PAGE)));
    });
  });
});
