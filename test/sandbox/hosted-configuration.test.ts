import { EXAMPLE, exampleSite } from '@repoless/sandbox/hosted/example.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { hostedForTests, sitePath } from './hosted-client.ts';

describe('the configuration of the hosted service', () => {
  const { started, as, admin, anonymous } = hostedForTests();
  const create = async (site: string, more: object = {}) => {
    expect((await admin()('PUT', sitePath(site), { ...exampleSite(site), ...more })).status).toBe(201);
  };
  afterEach(() =>
    started().set({
      byogit: 'github',
      sourceAlone: true,
      wholePostDropsKeys: true,
      wholePostBreaksKeys: false,
      robotsText: true,
      head: false,
      lists: 'map',
      versionsSurviveDelete: false,
      versionsNameUser: false,
      tenantLocks: [],
      prefix: true,
    }),
  );

  it('is created by PUT without a body in the answer, and only once', async () => {
    const created = await admin()('PUT', sitePath('made'), { ...exampleSite('made'), version: 7 });
    expect(created).toMatchObject({ status: 201, text: '' });
    expect(created.headers).toMatchObject({ 'cache-control': 'no-store, private, must-revalidate', 'x-ratelimit-limit': '10' });
    expect(created.headers['x-invocation-id']).toMatch(/.{10}/);
    const again = await admin()('PUT', sitePath('made'), exampleSite('made'));
    expect(again).toMatchObject({ status: 409, text: '', error: '[admin] Error creating config: config already exists.' });
    expect(again.headers).toMatchObject({
      'x-error-code': 'AEM_BACKEND_CONFIG_CREATE',
      'content-type': expect.stringContaining('text/plain'),
    });
    const read = await admin()('GET', sitePath('made'));
    expect(read.json).toMatchObject({
      version: 7,
      created: expect.any(String),
      content: { contentBusId: expect.stringMatching(/^[0-9a-f]{59}$/) },
    });
    expect(read.json).not.toHaveProperty('name');
    expect(read.json).not.toHaveProperty('access');
    expect(read.text).toContain('\n  "content"');
    expect(read.headers).toMatchObject({ vary: 'Accept-Encoding' });
    expect(read.headers).not.toHaveProperty('etag');
    started().set({ prefix: false });
    expect((await admin()('PUT', sitePath('made'), exampleSite('made'))).error).toBe('Error creating config: config already exists.');
  });

  it('is replaced by POST, which drops what the body lacks', async () => {
    await create('replaced', { headers: { '/**': [{ key: 'x', value: 'y' }] } });
    const { public: _public, ...rest } = exampleSite('replaced') as { public: unknown };
    const answer = await admin()('POST', sitePath('replaced'), rest);
    expect(answer.status).toBe(200);
    expect(answer.json).not.toHaveProperty('public');
    expect((await admin()('GET', sitePath('replaced', 'headers'))).status).toBe(404);
    expect((await admin()('POST', sitePath('upserted'), rest)).status).toBe(200);
    expect(await admin()('POST', sitePath('replaced'), { access: {} })).toMatchObject({
      status: 400,
      text: '',
      error: "[admin] Error updating config: data must have required property 'content'; data must have required property 'code'",
    });
  });

  it.each([
    [{ headers: { '/**': [{ key: 'x' }] } }, "data/headers/~1**/0 must have required property 'value'"],
    [{ nonsense: 1 }, 'data must NOT have additional properties'],
    [{ content: { source: { type: 'ftp', url: 'ftp://x/' } } }, 'data/content/source/type must be equal to constant'],
    [{ access: { admin: { role: { Admin: [] } } } }, 'data/access/admin/role must NOT have additional properties'],
  ])('is refused if the published schema refuses it: %j', async (wrong, sentence) => {
    const { error, status } = await admin()('PUT', sitePath('wrong'), { ...exampleSite('wrong'), ...wrong });
    expect(status).toBe(400);
    expect(error).toContain('Error creating config: ');
    expect(error).toContain(sentence);
  });

  it.each([
    ['', 'application/json', 'error parsing request body'],
    ['{', 'application/json', 'error parsing request body'],
    ['', 'text/xml', "Error creating config: data must have required property 'content'; data must have required property 'code'"],
  ])('is parsed by the content type: %j as %s', async (body, media, error) => {
    expect(await admin()('PUT', sitePath('bodies'), body, { 'content-type': media })).toMatchObject({
      status: 400,
      error: `[admin] ${error}`,
    });
  });

  it('preserves unknown members of code and public', async () => {
    await create('extras', { public: { own: { deep: 1 } }, code: { ...(exampleSite('extras') as { code: object }).code, extra: true } });
    expect((await admin()('GET', sitePath('extras'))).json).toMatchObject({ public: { own: { deep: 1 } }, code: { extra: true } });
  });

  it('has an address for each part, which POST replaces', async () => {
    await create('parts');
    const ask = admin();
    expect(await ask('POST', sitePath('parts', 'public'), { a: 1 })).toMatchObject({ status: 200, json: { a: 1 } });
    expect((await ask('GET', sitePath('parts', 'public'))).json).toEqual({ a: 1 });
    expect((await ask('GET', sitePath('parts', 'content/source'))).json).toMatchObject({ type: 'markup' });
    expect(await ask('GET', sitePath('parts', 'cdn/prod'))).toMatchObject({ status: 404, text: '' });
    expect(await ask('GET', sitePath('parts', 'nonsense'))).toMatchObject({
      status: 400,
      error: '[admin] Error reading config: invalid object path.',
    });
    expect(await ask('PUT', sitePath('parts', 'sidekick'), {})).toMatchObject({
      status: 409,
      error: '[admin] Error creating config: create not supported on substructures.',
    });
    expect((await ask('POST', sitePath('parts', 'cdn/prod'), { host: 'www.example.com' })).status).toBe(200);
    expect((await ask('DELETE', sitePath('parts', 'public'))).status).toBe(204);
    const gone = await ask('DELETE', sitePath('parts', 'public'));
    expect(gone).toMatchObject({ status: 404, error: '[admin] Error removing config: object not found.' });
    expect(gone.headers).toMatchObject({ 'x-error-code': 'AEM_BACKEND_CONFIG_DELETE' });
    expect(await ask('POST', sitePath('nowhere', 'public'), {})).toMatchObject({
      status: 404,
      error: '[admin] Error updating config: config not found.',
    });
    expect((await ask('HEAD', sitePath('parts'))).status).toBe(405);
    started().set({ head: true });
    expect((await ask('HEAD', sitePath('parts'))).status).toBe(200);
  });

  it.each([
    ['github', 200, 'github'],
    ['byogit', 200, 'byogit'],
    ['refused', 400, undefined],
  ] as const)('accepts code of the type byogit: %s', async (byogit, status, type) => {
    started().set({ byogit });
    await create(`byogit-${byogit}`);
    const source = { type: 'byogit', url: 'https://git.example.com/team/repo.git', raw_url: 'https://raw.example.com/team/repo' };
    const answer = await admin()('POST', sitePath(`byogit-${byogit}`, 'code'), { owner: 'wknd', repo: 'wknd', source });
    expect(answer.status).toBe(status);
    if (type === undefined) expect(answer.error).toContain('data/code/source/type must be equal to constant');
    else expect(answer.json).toMatchObject({ source: { ...source, type } });
  });

  it('accepts code with only its source, unless switched off', async () => {
    await create('source-alone');
    const body = { source: { type: 'github', url: 'https://github.com/wknd/other' } };
    expect((await admin()('POST', sitePath('source-alone', 'code'), body)).json).toMatchObject({ owner: 'wknd', repo: 'other' });
    started().set({ sourceAlone: false });
    expect((await admin()('POST', sitePath('source-alone', 'code'), body)).error).toContain(
      "data/code must have required property 'owner'; data/code",
    );
  });

  it('cannot have hosts that a lock gives to another tenant', async () => {
    started().set({ tenantLocks: ['author-p100-e200.example.com'] });
    expect((await admin()('PUT', sitePath('locked'), exampleSite('locked'))).error).toMatch(/denied by tenant lock$/);
  });

  it('is listed in full for sites and profiles, and merged for a site over its profile', async () => {
    await create('listed', { cdn: { prod: { host: 'www.example.com' } } });
    const ask = admin();
    const { sites } = (await ask('GET', `/config/${EXAMPLE.org}/sites.json`)).json as { sites: { name: string }[] };
    expect(sites).toContainEqual({ name: 'listed', path: sitePath('listed') });
    const detailed = (await ask('GET', `/config/${EXAMPLE.org}/sites.json?details=true`)).json as { sites: { name: string }[] };
    expect(detailed.sites.find(({ name }) => name === 'listed')).toMatchObject({
      content: { source: { type: 'markup' } },
      code: { repo: 'wknd' },
      cdn: { prod: { host: 'www.example.com' } },
    });
    const profile = `/config/${EXAMPLE.org}/profiles/default.json`;
    expect((await ask('PUT', profile, { headers: { '/**': [{ key: 'x', value: 'y' }] } })).status).toBe(201);
    expect((await ask('GET', `/config/${EXAMPLE.org}/profiles.json`)).json).toEqual({ profiles: [{ name: 'default', path: profile }] });
    const aggregated = `/config/${EXAMPLE.org}/aggregated/listed.json`;
    expect((await ask('GET', aggregated)).json).toMatchObject({ headers: { '/**': [{ key: 'x' }] }, public: {} });
    expect((await ask('POST', aggregated, {})).status).toBe(405);
    expect(await ask('GET', `/config/${EXAMPLE.org}/aggregated/nowhere.json`)).toMatchObject({
      status: 404,
      error: '[admin] no such config',
    });
    expect((await ask('DELETE', profile)).status).toBe(204);
  });

  it.each([
    [`/config/${EXAMPLE.org}/neighbours.json`, 400],
    [`/config/${EXAMPLE.org}/neighbours/access.json`, 404],
    [`/config/${EXAMPLE.org}.json/versions`, 404],
    [sitePath('neighbours', 'apikeys'), 400],
    [`/${EXAMPLE.org}/neighbours/main/.helix/config.json`, 404],
    [`/config/${EXAMPLE.org}/sites/Neighbours.json`, 400],
    ['/config//sites.json', 400],
  ])('has no address that manuals invent: %s', async (path, status) => {
    expect((await admin()('GET', path)).status).toBe(status);
  });

  it('of an unknown organization is refused like that of another tenant', async () => {
    expect((await admin()('GET', '/config/nowhere.json')).status).toBe(403);
    expect((await admin()('PUT', '/config/nowhere.json', {})).status).toBe(403);
    expect((await anonymous()('GET', `/config/${EXAMPLE.org}.json`)).status).toBe(401);
    expect((await admin()('PUT', `/config/${EXAMPLE.org}.json`, {})).status).toBe(409);
    expect((await admin()('GET', `/config/${EXAMPLE.org}.json`)).json).toMatchObject({ title: 'Tarnfell' });
  });

  it('gets another user with each request, and is validated with all of them', async () => {
    const users = `/config/${EXAMPLE.org}/users.json`;
    const count = async () => ((await admin()('GET', users)).json as unknown[]).length;
    const before = await count();
    const body = { email: 'new@example.com', roles: ['author'] };
    const first = await admin()('POST', users, body);
    expect(first).toMatchObject({ status: 200, json: { ...body, id: expect.any(String) } });
    await admin()('POST', users, body);
    expect(await count()).toBe(before + 2);
    const { error } = await admin()('POST', users, { ...body, roles: ['king'] });
    expect(error).toBe(`[admin] Error updating config: data/users/${before + 2}/roles/0 must be equal to one of the allowed values`);
    expect((await admin()('POST', users, [body])).status).toBe(400);
    const { id } = first.json as { id: string };
    expect((await admin()('DELETE', `/config/${EXAMPLE.org}/users/${id}.json`)).status).toBe(204);
    expect((await admin()('DELETE', `/config/${EXAMPLE.org}/users/${id}.json`)).status).toBe(404);
    expect((await as(EXAMPLE.configAdmin)('POST', users, body)).status).toBe(403);
  });

  it('gets a version for every write, and is restored completely from one', async () => {
    const ask = admin();
    expect((await ask('GET', sitePath('versioned', 'versions'))).status).toBe(404);
    await create('versioned');
    started().set({ versionsNameUser: true });
    await ask('POST', `${sitePath('versioned', 'public')}?versionName=second`, { a: 2 });
    await ask('POST', sitePath('versioned', 'public'), { a: 2 });
    const list = (await ask('GET', sitePath('versioned', 'versions'))).json;
    expect(list).toMatchObject({
      current: 3,
      versions: [{ version: 1 }, { version: 2, name: 'second', user: EXAMPLE.admin }, { version: 3 }],
    });
    expect((await ask('GET', sitePath('versioned', 'versions/2'))).json).toMatchObject({ version: 2, data: { public: { a: 2 } } });
    expect((await ask('POST', sitePath('versioned', 'versions/1'), { name: 'first' })).json).toMatchObject({ name: 'first' });
    expect((await ask('POST', `${sitePath('versioned')}?restoreVersion=1`)).json).toMatchObject({ public: { paths: {} } });
    expect((await ask('DELETE', sitePath('versioned', 'versions/2'))).status).toBe(204);
    expect((await ask('GET', sitePath('versioned', 'versions/2'))).status).toBe(404);
  });

  it('is deleted permanently, with access and versions', async () => {
    await create('deleted', { access: { admin: { role: { admin: ['x@example.com'] } } } });
    expect((await admin()('DELETE', sitePath('deleted'))).status).toBe(204);
    expect((await admin()('DELETE', sitePath('deleted'))).status).toBe(404);
    expect((await admin()('GET', sitePath('deleted'))).status).toBe(404);
    expect((await admin()('GET', sitePath('deleted', 'versions'))).status).toBe(404);
    await create('deleted');
    expect((await admin()('GET', sitePath('deleted', 'access/admin'))).status).toBe(404);
    started().set({ versionsSurviveDelete: true });
    await admin()('DELETE', sitePath('deleted'));
    expect((await admin()('GET', sitePath('deleted', 'versions'))).status).toBe(200);
  });

  it('stores robots.txt and the definitions of indexes as text', async () => {
    await create('texts');
    const robots = `/config/${EXAMPLE.org}/sites/texts/robots.txt`;
    const plain = { 'content-type': 'text/plain' };
    expect((await admin()('GET', robots)).status).toBe(404);
    expect(await admin()('POST', robots, 'User-agent: *', plain)).toMatchObject({ status: 200, text: 'User-agent: *' });
    started().set({ robotsText: false });
    expect(await admin()('POST', robots, 'User-agent: *', plain)).toMatchObject({ status: 400, error: '[admin] missing body' });
    expect((await admin()('POST', sitePath('texts', 'robots'), { txt: 'Allow: /' })).status).toBe(200);
    expect((await admin()('GET', robots)).text).toBe('Allow: /');

    const query = `/config/${EXAMPLE.org}/sites/texts/content/query.yaml`;
    const yaml = { 'content-type': 'text/yaml' };
    const missing = await admin()('POST', query, 'version: 1', yaml);
    expect([missing.status, missing.headers['x-error-code']]).toEqual([404, 'AEM_BACKEND_CONFIG_MISSING']);
    expect((await admin()('PUT', query, 'version: 1', yaml)).status).toBe(201);
    expect((await admin()('PUT', query, 'version: 1', yaml)).status).toBe(409);
    expect((await admin()('POST', query, 'version: 2', yaml)).status).toBe(204);
    expect((await admin()('GET', query)).text).toBe('version: 2');
    expect((await admin()('POST', query, '{}', {})).status).toBe(400);
    await create('second-of-content', { content: (exampleSite('texts') as { content: object }).content });
    expect((await admin()('PUT', query.replace('texts', 'second-of-content'), 'version: 1', yaml)).error).toBe(
      `[admin] Content operation restricted to the primary site: ${EXAMPLE.org}/texts`,
    );
    expect((await admin()('DELETE', query)).status).toBe(204);
    expect((await admin()('DELETE', query)).status).toBe(404);
  });
});
