import { EXAMPLE, exampleSite } from '@repoless/sandbox/hosted/example.ts';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { afterEach, describe, expect, it } from 'vitest';
import { type Ask, asker, hostedForTests, sitePath } from './hosted-client.ts';

const { ownSite, org } = EXAMPLE;

describe('the access control of the hosted service', () => {
  const { started, as, admin, anonymous, delivery } = hostedForTests();
  afterEach(() =>
    started().set({
      ims: true,
      lists: 'map',
      successorNeedsKeyId: true,
      loopbackAuthToken: true,
      wholePostDropsKeys: true,
      wholePostBreaksKeys: false,
    }),
  );
  const create = async (site: string, more: object = {}) => {
    expect((await admin()('PUT', sitePath(site), { ...exampleSite(site), ...more })).status).toBe(201);
  };
  const session = () => started().token('session', { email: EXAMPLE.admin });

  const CREDENTIALS = {
    session,
    apiKey: () => started().token('apiKey', { sub: `${org}/*`, roles: ['admin'] }),
    ims: () => started().token('ims', { email: EXAMPLE.admin }),
    expired: () => started().token('expired', { email: EXAMPLE.admin }),
    foreignIms: () => started().token('foreignIms', { email: EXAMPLE.admin }),
    unregistered: () => started().token('unregistered', { sub: `${org}/*`, roles: ['admin'] }),
    malformed: () => 'nonsense',
  };
  it.each([
    ['session', [200, 200, 200, 401]],
    ['apiKey', [401, 200, 200, 401]],
    ['ims', [401, 401, 401, 200]],
    ['foreignIms', [401, 401, 401, 401]],
    ['expired', [401, 401, 401, 401]],
    ['unregistered', [401, 401, 401, 401]],
    ['malformed', [401, 401, 401, 401]],
  ] as const)('accepts %s in its own headers: cookie, x-auth-token, token, Bearer: %j', async (kind, statuses) => {
    const token = CREDENTIALS[kind]();
    const headers = [
      { cookie: `auth_token=${token}` },
      { 'x-auth-token': token },
      { authorization: `token ${token}` },
      { authorization: `Bearer ${token}` },
    ];
    const answers = await Promise.all(headers.map((header) => anonymous()('GET', sitePath(ownSite), undefined, header)));
    expect(answers.map(({ status }) => status)).toEqual(statuses);
    expect(answers.filter(({ status }) => status === 401).map(({ error, text }) => [error, text])).toEqual(
      statuses.filter((status) => status === 401).map(() => ['[admin] not authenticated', '']),
    );
  });

  it('reads the first credential only', async () => {
    const headers = { 'x-auth-token': 'nonsense', authorization: `token ${session()}` };
    expect((await anonymous()('GET', sitePath(ownSite), undefined, headers)).status).toBe(401);
  });

  it('refuses a stale session until a new sign-in, and IMS if it is not accepted', async () => {
    const stale = asker(started().address, { 'x-auth-token': started().token('stale', { email: EXAMPLE.admin }) });
    expect(await stale('GET', sitePath(ownSite))).toMatchObject({ status: 403, error: '[admin] not authorized' });
    started().set({ ims: false });
    const authorization = `Bearer ${CREDENTIALS.ims()}`;
    expect((await anonymous()('GET', sitePath(ownSite), undefined, { authorization })).status).toBe(401);
  });

  it.each([
    ['no origin, as from a server', {}, 200, 200],
    ["no origin, as from Node's fetch", { 'sec-fetch-mode': 'cors' }, 200, 403],
    ['the origin of the tools', { origin: 'https://tools.aem.live' }, 200, 200],
    ['another origin', { origin: 'https://extension.example.com' }, 403, 403],
    ['an origin that the site trusts', { origin: 'https://panel.trusted.example.com' }, 200, 200],
    ['the origin of its content source', { origin: 'https://author-p100-e200.example.com' }, 200, 200],
  ] as const)('allows a token of the browser extension to read and write from %s', async (_name, headers, read, write) => {
    await admin()('POST', sitePath(ownSite, 'limits'), { admin: { trustedHosts: ['*.trusted.example.com'] } });
    const sidekick = asker(started().address, { 'x-auth-token': started().token('sidekick', { email: EXAMPLE.admin }) });
    expect((await sidekick('GET', sitePath(ownSite), undefined, headers)).status).toBe(read);
    expect((await sidekick('POST', sitePath(ownSite, 'public'), {}, headers)).status).toBe(write);
    const plain = asker(started().address, { 'x-auth-token': session() });
    expect((await plain('POST', sitePath(ownSite, 'public'), {}, headers)).status).toBe(200);
  });

  it('answers every origin, and exposes two headers', async () => {
    const origin = 'https://any.example.com';
    const preflight = await anonymous()('OPTIONS', sitePath(ownSite), undefined, { origin, 'access-control-request-method': 'PUT' });
    expect(preflight.status).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, OPTIONS, DELETE',
      'access-control-allow-headers': 'Authorization, x-auth-token, x-content-source-authorization, content-type',
      'access-control-max-age': '86400',
      'access-control-expose-headers': 'x-error, x-error-code',
    });
  });

  it('opens a new site to everyone until someone is named', async () => {
    await create('open');
    const status = `/status/${org}/open/main`;
    expect((await anonymous()('GET', status)).json).toMatchObject({
      preview: { permissions: ['read', 'write'] },
      code: { permissions: ['read'] },
    });
    expect((await anonymous()('GET', sitePath('open'))).status).toBe(401);
    const named = await admin()('POST', sitePath('open', 'access/admin'), { role: { admin: [EXAMPLE.siteAdmin] } });
    expect(named.json).toEqual({ role: { admin: [EXAMPLE.siteAdmin] }, requireAuth: 'auto' });
    expect((await anonymous()('GET', status)).status).toBe(401);
    expect((await as(EXAMPLE.stranger)('GET', status)).status).toBe(403);
    expect((await as(EXAMPLE.siteAdmin)('GET', sitePath('open'))).status).toBe(200);
  });

  it('gives each role its own permissions', async () => {
    await create('roles', {
      access: { admin: { role: { config_admin: ['/groups/helpers'], config: ['reader@example.com'] } } },
      groups: { helpers: { members: [{ email: 'helper@example.com' }] } },
      headers: { '/**': [{ key: 'x', value: 'y' }] },
      public: { hidden: true },
    });
    const statuses = async (ask: Ask) =>
      [
        await ask('GET', sitePath('roles')),
        await ask('POST', sitePath('roles', 'public'), {}),
        await ask('POST', sitePath('roles', 'secrets/own'), { value: 'x' }),
        await ask('POST', sitePath('roles', 'access'), {
          admin: { role: { config_admin: ['/groups/helpers'], config: ['reader@example.com'] } },
        }),
        await ask('POST', sitePath('roles', 'apiKeys'), {}),
        await ask('GET', `/config/${org}/sites.json`),
        await ask('GET', `/config/${org}/aggregated/roles.json`),
      ].map(({ status }) => status);
    expect(await statuses(as('helper@example.com'))).toEqual([200, 200, 200, 403, 403, 403, 200]);
    expect(await statuses(as(EXAMPLE.configAdmin))).toEqual([200, 200, 200, 403, 403, 200, 200]);
    expect(await statuses(as(EXAMPLE.publisher))).toEqual([403, 403, 403, 403, 403, 403, 403]);
    expect(await statuses(as('reader@example.com'))).toEqual([403, 403, 403, 403, 403, 403, 200]);
    expect(await statuses(anonymous())).toEqual([401, 401, 401, 401, 401, 401, 401]);
    expect((await as('helper@example.com')('POST', sitePath('roles', 'access'), {})).error).toBe(
      '[admin] Error updating config: not authorized',
    );
    expect((await as('helper@example.com')('DELETE', sitePath('roles'))).status).toBe(403);
    const seen = (await as('reader@example.com')('GET', `/config/${org}/aggregated/roles.json`)).json;
    expect(Object.keys(Object(seen)).toSorted()).toEqual(['cdn', 'code', 'content', 'headers', 'version']);
    expect((await as(EXAMPLE.siteAdmin)('GET', `/config/${org}/sites.json`)).status).toBe(403);
    expect((await as(EXAMPLE.siteAdmin)('PUT', sitePath('more'), exampleSite('more'))).status).toBe(403);
    expect(await statuses(admin())).toEqual([200, 200, 200, 200, 200, 200, 200]);
  });

  it('creates API keys from any body, returns them once, and stores them in the configuration', async () => {
    await create('keys');
    const created = await admin()('POST', sitePath('keys', 'apiKeys'), {});
    expect(created.json).toMatchObject({
      roles: ['author'],
      subject: `${org}/keys`,
      value: expect.stringMatching(/^ey/),
      expiration: expect.any(String),
    });
    const { id, value } = (
      await admin()('POST', sitePath('keys', 'apiKeys'), { roles: ['config_admin'], expiresIn: 60, description: 'mine' })
    ).json as Record<string, string>;
    const key = asker(started().address, { 'x-auth-token': String(value) });
    const inAddress = String(id).replaceAll('+', '-').replaceAll('/', '_');
    expect(inAddress).not.toBe(id);
    expect((await key('GET', sitePath('keys'))).json).toMatchObject({ apiKeys: { [inAddress]: { id, description: 'mine' } } });
    expect((await key('POST', sitePath('keys', 'apiKeys'), {})).status).toBe(403);
    expect((await key('GET', sitePath(ownSite))).status).toBe(401);
    for (const path of [encodeURIComponent(String(id)), String(id)])
      expect((await admin()('DELETE', sitePath('keys', `apiKeys/${path}`))).status).toBe(404);

    // The next generation requires listing it once more, and accepts no lifetime.
    const next = asker(started().successor, { 'x-auth-token': String(value) });
    const nextPath = `/${org}/sites/keys/config.json`;
    expect(await next('GET', nextPath)).toMatchObject({ status: 401, error: '[AWS] Unauthorized' });
    await admin()('POST', sitePath('keys', 'access/admin'), { apiKeyId: [id] });
    expect((await next('GET', nextPath)).status).toBe(200);
    const nextAdmin = asker(started().successor, { 'x-auth-token': session() });
    expect((await nextAdmin('POST', `/${org}/sites/keys/config/apiKeys.json`, { expiresIn: 60 })).status).toBe(400);

    await admin()('POST', sitePath('keys', 'access/admin'), {});
    expect((await admin()('DELETE', sitePath('keys', `apiKeys/${inAddress}`))).status).toBe(204);
    expect((await key('GET', sitePath('keys'))).status).toBe(401);
    expect((await key('GET', '/profile')).status).toBe(200);
  });

  it('drops the keys that a complete document lacks, only if switched to do so', async () => {
    const exists = async (site: string) => (await admin()('GET', sitePath(site, 'apiKeys'))).text !== '{}';
    await create('whole');
    await admin()('POST', sitePath('whole', 'apiKeys'), {});
    const document = (await admin()('GET', sitePath('whole'))).json as object;
    await admin()('POST', sitePath('whole'), document);
    expect(await exists('whole')).toBe(true);
    started().set({ wholePostDropsKeys: false });
    await admin()('POST', sitePath('whole'), exampleSite('whole'));
    expect(await exists('whole')).toBe(true);
    started().set({ wholePostDropsKeys: true });
    await admin()('POST', sitePath('whole'), exampleSite('whole'));
    expect(await exists('whole')).toBe(false);
  });

  it.each([false, true])(
    'preserves the values of secrets when a complete document is sent back, or breaks them: %s',
    async (wholePostBreaksKeys) => {
      const site = `carried-${wholePostBreaksKeys}`;
      await create(site);
      const { id, value } = (await admin()('POST', sitePath(site, 'secrets'), {})).json as { id: string; value: string };
      await admin()('POST', sitePath(site, 'access/site'), { secretId: [id] });
      const opens = async () =>
        (await delivery('live', site)('GET', '/config.json', undefined, { authorization: `token ${value}` })).status;
      expect(await opens()).toBe(200);
      started().set({ wholePostBreaksKeys });
      const document = (await admin()('GET', sitePath(site))).json as object;
      expect((await admin()('POST', sitePath(site), document)).status).toBe(200);
      expect((await admin()('GET', sitePath(site, 'secrets'))).json).toHaveProperty(id);
      expect(await opens()).toBe(wholePostBreaksKeys ? 401 : 200);
    },
  );

  it('never returns the value of a secret again', async () => {
    await create('secrets');
    const named = await admin()('POST', sitePath('secrets', 'secrets/cm-byog'), { value: 'hidden-value' });
    expect(named.json).toEqual({ id: 'cm-byog', type: 'key', created: expect.any(String), lastModified: expect.any(String) });
    const hashed = await admin()('POST', sitePath('secrets', 'secrets'), {});
    expect(hashed.json).toMatchObject({ type: 'hashed', value: expect.stringMatching(/^hlx_/) });
    const { value } = hashed.json as { value: string };
    for (const path of [
      sitePath('secrets'),
      sitePath('secrets', 'secrets'),
      sitePath('secrets', 'secrets/cm-byog'),
      sitePath('secrets', 'versions/3'),
    ]) {
      const { text, status } = await admin()('GET', path);
      expect(status).toBe(200);
      expect(text).not.toMatch(new RegExp(`hidden-value|${value}|hash"`));
    }
    expect((await admin()('DELETE', sitePath('secrets', 'secrets/cm-byog'))).status).toBe(204);
    expect((await admin()('DELETE', sitePath('secrets', 'secrets/cm-byog'))).status).toBe(404);
  });

  it.each([
    ['map', '{}', 200, false],
    ['array', '[]', 200, true],
    ['absent', '', 404, false],
  ] as const)('lists credentials as %s', async (lists, empty, status, isArray) => {
    started().set({ lists });
    await create(`lists-${lists}`);
    expect(await admin()('GET', sitePath(`lists-${lists}`, 'secrets'))).toMatchObject({ status, text: empty });
    await admin()('POST', sitePath(`lists-${lists}`, 'secrets/one'), { value: 'x' });
    const { json } = await admin()('GET', sitePath(`lists-${lists}`, 'secrets'));
    expect(Array.isArray(json)).toBe(isArray);
    expect(Object.values(Object(json))).toMatchObject([{ id: 'one' }]);
  });

  it('returns who the caller is, but no roles', async () => {
    const own = await admin()('GET', '/profile');
    expect(own.json).toMatchObject({
      status: 200,
      profile: { email: EXAMPLE.admin, iss: 'https://admin.hlx.page/', ttl: expect.any(Number) },
      links: { logout: expect.any(String) },
    });
    expect(own.text).not.toContain('role');
    expect(await anonymous()('GET', '/profile')).toMatchObject({ status: 401, json: { status: 401 }, error: 'not authenticated.' });
    expect((await as(EXAMPLE.stranger)('GET', `/profile/${org}/${ownSite}`)).status).toBe(403);
    expect((await as(EXAMPLE.siteAdmin)('GET', `/profile/${org}/${ownSite}`)).status).toBe(200);
    expect((await admin()('HEAD', '/profile')).status).toBe(405);
    const { json } = await anonymous()('GET', '/auth/discovery/keys');
    const { payload } = await jwtVerify(session(), createLocalJWKSet(json as Parameters<typeof createLocalJWKSet>[0]));
    expect(payload).toMatchObject({ email: EXAMPLE.admin, sub: '*/*' });
  });

  it.each([true, false])(
    'signs in a command line through a page that sends it tokens, with an admin token: %s',
    async (loopbackAuthToken) => {
      started().set({ loopbackAuthToken });
      const query = new URLSearchParams({
        client_id: 'aem-cli',
        redirect_uri: 'http://localhost:3456/.aem/cli/login/ack',
        state: 'abc',
        selectAccount: 'true',
      });
      const redirect = await anonymous()('GET', `/login/${org}/${ownSite}/main?${query}`);
      expect(redirect.status).toBe(302);
      const provider = await anonymous()('GET', String(redirect.headers['location']));
      const link = /href="([^"]*ada\.admin[^"]*)"/.exec(provider.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
      const page = await anonymous()('GET', link);
      expect(page.text).toContain('Send');
      const sent = JSON.parse(/id="tokens">(.*?)<\/script>/.exec(page.text)?.[1] ?? '') as Record<string, string>;
      expect(sent).toMatchObject({ state: 'abc', siteToken: expect.stringMatching(/^hlxtst_/) });
      expect('authToken' in sent).toBe(loopbackAuthToken);
      if (loopbackAuthToken)
        expect((await anonymous()('GET', sitePath(ownSite), undefined, { 'x-auth-token': String(sent['authToken']) })).status).toBe(200);
    },
  );

  it('signs in a browser by a cookie, and no address other than loopback', async () => {
    const links = (await anonymous()('GET', '/login')).json;
    expect(Object.keys(Object(Object(links).links))).toHaveLength(8);
    expect((await anonymous()('GET', `/login/${org}/nowhere/main`)).status).toBe(404);
    const elsewhere = new URLSearchParams({ client_id: 'aem-cli', redirect_uri: 'https://evil.example.com/.aem/cli/login/ack' });
    expect((await anonymous()('GET', `/login/${org}/${ownSite}/main?${elsewhere}`)).status).toBe(400);
    const acknowledged = await anonymous()('GET', `/auth/adobe/ack?email=${EXAMPLE.admin}`);
    expect(acknowledged.headers['set-cookie']).toMatch(/^auth_token=ey.*; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
  });
});
