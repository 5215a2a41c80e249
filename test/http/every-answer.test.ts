import { beforeAll, describe, expect, it } from 'vitest';
import { allEndpoints } from '@repoless/contract/endpoints.ts';
import { ask } from '../support/ask.ts';
import { callsAs, EXTENSION_ORIGIN, OPERATOR, publicPart, siteBody, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const SITE = '/config/wknd/sites/rules.json';

const backend = startBeforeAll(() => startTestBackend());
const { call } = callsAs(backend, OPERATOR);
beforeAll(async () => {
  const { status } = await call('PUT', SITE, siteBody('wknd', 'rules', { public: publicPart('rules') }));
  expect(status).toBe(201);
});

describe('a success', () => {
  it('is JSON indented by two spaces and not stored by caches', async () => {
    const answer = await call('GET', SITE);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.text).toBe(JSON.stringify(answer.json(), null, 2));
    expect(answer.headers['cache-control']).toBe('no-store, private, must-revalidate');
  });

  it('has a strong etag, which gives the next read a 304', async () => {
    const { headers } = await call('GET', SITE);
    expect(headers['etag']).toMatch(/^"[^"]+"$/);
    const again = await backend.call('GET', SITE, { as: OPERATOR, headers: { 'if-none-match': `"other", ${headers['etag']}` } });
    expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', headers['etag']]);
  });

  it('has no body for HEAD, and the headers of GET', async () => {
    const get = await call('GET', SITE);
    const head = await call('HEAD', SITE);
    expect([head.status, head.text]).toEqual([200, '']);
    for (const name of ['etag', 'content-length', 'content-type']) expect(head.headers[name]).toBe(get.headers[name]);
  });
});

describe('an error', () => {
  it('has a message and a code in its headers, and a problem document', async () => {
    const answer = await call('GET', '/config/wknd/sites/nowhere.json');
    expect(answer.status).toBe(404);
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(answer.code).toBe('SITE_NOT_FOUND');
    expect(answer.error).toMatch(/nowhere/);
    expect(answer.headers['cache-control']).toBe('no-store, private, must-revalidate');
    expect(answer.json()).toMatchObject({
      status: 404,
      code: 'SITE_NOT_FOUND',
      title: 'No such site',
      requestId: answer.headers['x-request-id'],
    });
  });

  it('has non-ASCII letters only in its body', async () => {
    const answer = await call('GET', `/config/wknd/sites/${encodeURIComponent('größe\n')}.json`);
    expect(answer).toMatchObject({ status: 400, code: 'NAME_INVALID' });
    expect(answer.error).toContain('gr??e');
    expect(answer.json()).toMatchObject({ detail: expect.stringContaining('größe') });
  });

  it('asks anonymous callers to sign in, without a browser prompt', async () => {
    const answer = await backend.call('GET', SITE);
    expect(answer).toMatchObject({ status: 401, error: 'not authenticated', code: 'NOT_AUTHENTICATED' });
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer /);
  });

  it('names a broken token invalid', async () => {
    const answer = await backend.call('GET', SITE, { headers: { authorization: 'Bearer broken' } });
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, expect.stringContaining('invalid_token')]);
  });

  it('is 404 for signed-in callers without a role', async () => {
    const answer = await backend.call('GET', SITE, { as: 'sam.stranger@example.com' });
    expect(answer).toMatchObject({
      status: 404,
      error: 'The organization "wknd" is not claimed, or you have no role here.',
      code: 'ORG_NOT_FOUND',
    });
  });
});

describe('addresses', () => {
  it.each([
    ['/config/WKND/sites/rules.json', 400, 'NAME_INVALID', /write "wknd"/],
    ['/config/wknd/sites/Rules.json', 400, 'NAME_INVALID', /write "rules"/],
    ['/config/wknd/sites/a--b.json', 400, 'NAME_INVALID', /site name/],
    ['/config/wknd/sites/%zz.json', 400, 'NAME_INVALID', /%25/],
    ['/config/wknd/sites/rules', 404, 'CONFIG_TYPE_INVALID', /^invalid config type$/],
    ['/config/wknd', 404, 'CONFIG_TYPE_INVALID', /^invalid config type$/],
    ['/config/wknd/sites/rules/public.yaml', 404, 'CONFIG_TYPE_INVALID', /^invalid config type$/],
    ['/config/wknd/sites/rules/nonsense.json', 400, 'PROPERTY_UNKNOWN', /"nonsense"/],
    ['/config/wknd/nonsense.json', 404, 'ROUTE_NOT_FOUND', /openapi/],
    ['/nowhere', 404, 'ROUTE_NOT_FOUND', /openapi/],
  ])('%s: %i %s', async (path, status, code, message) => {
    const answer = await call('GET', path);
    expect(answer).toMatchObject({ status: status, code: code });
    expect(answer.error).toMatch(message);
  });

  it('reveal unknown parts only to authorized callers', async () => {
    const path = '/config/wknd/sites/rules/nonsense.json';
    expect((await backend.call('GET', path)).status).toBe(401);
    expect((await backend.call('GET', path, { as: 'sam.stranger@example.com' })).status).toBe(404);
    expect((await call('POST', path, {})).code).toBe('PROPERTY_UNKNOWN');
  });

  it.each([
    ['PATCH', SITE, 'GET, PUT, POST, DELETE, HEAD, OPTIONS'],
    ['PUT', '/config/wknd/sites/rules/public.json', 'GET, POST, DELETE, HEAD, OPTIONS'],
    ['DELETE', '/config/wknd/sites.json', 'GET, HEAD, OPTIONS'],
    ['POST', '/', 'GET, HEAD, OPTIONS'],
  ])('refuse an unsupported method and list the others: %s %s', async (method, path, allow) => {
    const answer = await call(method, path);
    expect([answer.status, answer.error, answer.headers['allow']]).toEqual([405, 'method not allowed', allow]);
  });
});

describe('other origins', () => {
  it('are echoed if the settings allow them, and may read the headers that explain an answer', async () => {
    const answer = await backend.call('GET', SITE, { headers: { origin: EXTENSION_ORIGIN } });
    expect(answer.headers).toMatchObject({ 'access-control-allow-origin': EXTENSION_ORIGIN, 'access-control-allow-credentials': 'true' });
    const exposed = answer.headers['access-control-expose-headers']?.split(', ');
    expect(exposed).toEqual(expect.arrayContaining(['x-error', 'x-error-code', 'etag', 'location', 'link', 'retry-after']));
    expect(answer.headers['vary']).toContain('origin');
  });

  it.each([undefined, 'https://elsewhere.example.com'])('get no CORS headers if they are %s', async (origin) => {
    const answer = await backend.call('GET', SITE, { headers: origin === undefined ? {} : { origin } });
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('may call any address with OPTIONS, without a token', async () => {
    for (const path of new Set(allEndpoints().map(([, row]) => row.path.replaceAll(/\{\w+\*?\}/g, 'x')))) {
      const answer = await backend.call('OPTIONS', path, { headers: { origin: EXTENSION_ORIGIN, 'access-control-request-method': 'PUT' } });
      expect([path, answer.status, answer.text]).toEqual([path, 204, '']);
      expect(answer.headers).toMatchObject({
        'access-control-allow-methods': 'GET, HEAD, POST, PUT, OPTIONS, DELETE',
        'access-control-allow-headers':
          'authorization, x-auth-token, x-content-source-authorization, content-type, if-match, if-none-match, x-dry-run, mcp-protocol-version, traceparent',
        'access-control-max-age': '86400',
      });
    }
  });
});

describe('preconditions', () => {
  it('refuse an outdated write, and nothing changes', async () => {
    const before = await call('GET', SITE);
    const stale = { 'if-match': '"another"' };
    const answer = await call('PUT', SITE, siteBody('wknd', 'rules'), stale);
    expect(answer).toMatchObject({ status: 412, code: 'PRECONDITION_FAILED' });
    expect((await call('PUT', SITE, siteBody('wknd', 'rules'), { 'if-none-match': '*' })).status).toBe(412);
    expect((await call('GET', SITE)).text).toBe(before.text);
  });

  it('allow a write with a matching etag', async () => {
    const { headers } = await call('GET', SITE);
    const body = siteBody('wknd', 'rules', { public: publicPart('rules'), title: 'Rules' });
    const answer = await call('PUT', SITE, body, { 'if-match': headers['etag'] ?? '' });
    expect(answer.status).toBe(200);
    expect(answer.headers['etag']).not.toBe(headers['etag']);
  });

  it('apply to reads, too', async () => {
    expect((await backend.call('GET', SITE, { as: OPERATOR, headers: { 'if-match': '"another"' } })).status).toBe(412);
  });
});

describe('a dry run', () => {
  it('returns what would be stored and changes nothing', async () => {
    const before = await call('GET', SITE);
    const body = siteBody('wknd', 'rules', { title: 'Only thought of' });
    const answer = await call('PUT', `${SITE}?dryRun=true`, body);
    expect(answer.json()).toMatchObject({ dryRun: true, status: 200, result: { title: 'Only thought of' } });
    expect((await call('GET', SITE)).text).toBe(before.text);
  });

  it('is refused if the write would be', async () => {
    const refusal = async (path: string) => {
      const { status, code } = await backend.call('PUT', path, { as: 'sam.stranger@example.com', body: siteBody('wknd', 'rules') });
      return { status, code };
    };
    expect(await refusal(`${SITE}?dryRun=true`)).toEqual({ status: 404, code: 'ORG_NOT_FOUND' });
    expect(await refusal(SITE)).toEqual(await refusal(`${SITE}?dryRun=true`));
  });

  it('is refused for an invalid value of dryRun', async () => {
    const answer = await call('PUT', `${SITE}?dryRun=perhaps`, siteBody('wknd', 'rules'));
    expect(answer).toMatchObject({ status: 400, code: 'QUERY_INVALID' });
  });
});

describe('the request id', () => {
  it('is taken from the caller if valid, or else generated', async () => {
    const given = await backend.call('GET', '/health', { headers: { 'x-request-id': 'pipeline-42' } });
    expect(given.headers['x-request-id']).toBe('pipeline-42');
    const generated = await backend.call('GET', '/health', { headers: { 'x-request-id': 'two words' } });
    expect(generated.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('the cookie', () => {
  const withCookie = async (headers: Record<string, string> = {}) => ({
    headers: { cookie: `auth_token=${await backend.token(OPERATOR)}`, ...headers },
  });

  it('authorizes reads from the same origin', async () => {
    expect((await backend.call('GET', SITE, await withCookie())).status).toBe(200);
    expect((await backend.call('GET', SITE, await withCookie({ 'sec-fetch-site': 'same-origin' }))).status).toBe(200);
  });

  it.each<Record<string, string>>([{ origin: EXTENSION_ORIGIN }, { 'sec-fetch-site': 'same-site' }, { 'sec-fetch-site': 'cross-site' }])(
    'is ignored for reads from another origin: %o',
    async (headers) => {
      expect((await backend.call('GET', SITE, await withCookie(headers))).status).toBe(401);
    },
  );

  it('never authorizes a change', async () => {
    const ofBrowser = { 'sec-fetch-site': 'same-origin' };
    const answer = await backend.call('POST', '/config/wknd/sites/rules/public.json', {
      ...(await withCookie(ofBrowser)),
      body: publicPart('other'),
    });
    expect(answer).toMatchObject({ status: 401, code: 'NOT_AUTHENTICATED' });
    expect((await backend.call('DELETE', SITE, await withCookie(ofBrowser))).status).toBe(401);
    expect((await call('GET', SITE)).status).toBe(200);
  });
});

describe('the service itself', () => {
  it('describes the deployment and its health to anyone', async () => {
    expect((await backend.call('GET', '/health')).json()).toEqual({ status: 'ready' });
    const info = (await backend.call('GET', '/service.json')).json();
    expect(info).toMatchObject({ name: 'repoless', previewDomain: `preview.localhost:${backend.port}`, protocol: 'http' });
  });

  it.each(['localhost', '127.0.0.1', '[::1]'])('answers under %s', async (name) => {
    expect((await ask(backend.address, '/health', { host: `${name}:${backend.port}` })).status).toBe(200);
  });

  it('is not served under another host name', async () => {
    expect(await ask(backend.address, '/health', { host: 'rebound.example.com' })).toMatchObject({ status: 404, error: 'not found' });
  });

  it('serves a page to try the calls, which loads nothing from other origins', async () => {
    const page = await backend.call('GET', '/');
    expect(page.headers['content-type']).toMatch(/^text\/html/);
    expect(page.headers['content-security-policy']).toContain("script-src 'self'");
    expect(page.text).not.toMatch(/(?:src|href)="https?:/);
    expect(page.text).toContain('/config/{org}/sites/{site}/public.json');
    for (const path of ['/api-page.js', '/api-page.css']) expect((await backend.call('GET', path)).status).toBe(200);
  });
});
