import { Problem } from '@repoless/contract/errors.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { UsageReport } from '@repoless/contract/org.ts';
import { openStore } from '@repoless/service/db/open-store.ts';
import type { Store } from '@repoless/service/domain/ports.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestAnswer } from '../support/ask.ts';
import { callsAs, externalCode, OPERATOR, publicPart, siteBody, startTestBackend, type TestBackend } from '../support/backend.ts';
import { eachStore, postgresEngine, startRaced } from '../support/each-store.ts';
import { startBeforeAll, stopAfterTest } from '../support/start-before-all.ts';

const as = OPERATOR;
const BASE = '/config/wknd/profiles/base.json';
const WITH = (brand: string) => ({ public: { brand, paths: { includes: ['/content/'] } } });
const extending = (site: string) => siteBody('wknd', site, { extends: { profile: 'base' } });

describe('the calls of profiles', () => {
  const backend = startBeforeAll(() => startTestBackend());
  const { call } = callsAs(backend, as);

  it('create, list, read, change by parts, and remove a profile', async () => {
    expect((await call('GET', '/config/wknd/profiles.json')).json()).toEqual({ profiles: [] });
    const created = await call('PUT', BASE, WITH('one'));
    expect([created.status, created.json()]).toEqual([201, expect.objectContaining({ version: 1, name: 'base' })]);
    expect((await call('GET', '/config/wknd/profiles.json')).json()).toEqual({
      profiles: [{ name: 'base', path: '/config/wknd/profiles/base.json' }],
    });
    expect(await call('GET', BASE)).toMatchObject({ text: created.text, headers: { etag: created.headers['etag'] } });
    expect((await call('PUT', BASE, WITH('two'), { 'if-match': '"another"' })).status).toBe(412);

    const headers = { '/**': [{ key: 'x-brand', value: 'one' }] };
    const set = await call('POST', '/config/wknd/profiles/base/headers.json', headers);
    expect([set.status, set.json()]).toEqual([200, headers]);
    expect((await call('GET', '/config/wknd/profiles/base/headers.json')).json()).toEqual(headers);
    const group = { members: [{ email: 'ada@example.com' }] };
    expect((await call('POST', '/config/wknd/profiles/base/groups/editors.json', group)).json()).toEqual(group);
    expect((await call('DELETE', '/config/wknd/profiles/base/groups/editors.json')).status).toBe(204);

    const dryRun = await call('DELETE', '/config/wknd/profiles/base.json?dryRun=true');
    expect(dryRun.json()).toMatchObject({ dryRun: true, status: 204 });
    expect((await call('DELETE', BASE)).status).toBe(204);
    expect((await call('GET', BASE)).code).toBe('PROFILE_NOT_FOUND');
  });

  it('accept robots.txt as text, which the live hosts of its sites serve', async () => {
    await call('PUT', BASE, {});
    await call('PUT', '/config/wknd/sites/robots.json', extending('robots'));
    const text = { 'content-type': 'text/plain' };
    expect(await call('POST', '/config/wknd/profiles/base/robots.txt', '', text)).toMatchObject({ status: 400, error: 'missing body' });
    expect((await call('POST', '/config/wknd/profiles/base/robots.txt', 'User-agent: *\n', text)).text).toBe('User-agent: *\n');
    expect((await backend.visit('live', 'main--robots--wknd', '/robots.txt')).text).toBe('User-agent: *\n');
    expect((await call('GET', '/config/wknd/sites/robots/robots.txt')).code).toBe('PART_NOT_FOUND');
    expect((await call('DELETE', '/config/wknd/profiles/base/robots.txt')).status).toBe(204);
    const none = await backend.visit('live', 'main--robots--wknd', '/robots.txt');
    expect([none.status, none.text]).toEqual([200, expect.stringContaining('Disallow: /')]);
  });

  it.each([
    ['PUT', '/config/wknd/profiles/ba+se.json', {}, 'NAME_INVALID'],
    ['PUT', BASE, { extends: { profile: 'other' } }, 'BODY_INVALID'],
    ['PUT', BASE, { headers: { '/**': [{ key: 'Set-Cookie', value: 'a=b' }] } }, 'BODY_INVALID'],
    ['PUT', BASE, { headers: { '/**': [{ key: 'x-two', value: 'a\r\nx-three: b' }] } }, 'BODY_INVALID'],
    ['GET', '/config/wknd/profiles/base/extends.json', undefined, 'PROPERTY_UNKNOWN'],
    ['POST', '/config/wknd/profiles/none/headers.json', {}, 'PROFILE_NOT_FOUND'],
    ['PUT', '/config/acme/profiles/base.json', {}, 'ORG_NOT_FOUND'],
  ])('refuse %s %s with %j', async (method, path, body, code) => {
    expect((await call(method, path, body)).code).toBe(code);
  });
});

describe('a profile on two nodes', () => {
  const engine = postgresEngine();
  const stores: Store[] = [];
  let writer: TestBackend;
  let reader: TestBackend;
  beforeAll(async () => {
    const database = await engine.newDatabase();
    const open = async (): Promise<Store> => {
      const store = await openStore(database.options);
      stores.push(store);
      return store;
    };
    writer = await startTestBackend({ open });
    reader = await startTestBackend({ claim: false, open });
  });
  afterAll(async () => {
    await reader.stop();
    await writer.stop();
    await Promise.allSettled(stores.map((store) => store.close()));
  });

  it('is in the config.json of its sites on both nodes as soon as its change is acknowledged', async () => {
    await writer.call('PUT', BASE, { as, body: WITH('before') });
    for (const name of ['one', 'two']) await writer.call('PUT', `/config/wknd/sites/${name}.json`, { as, body: extending(name) });
    const shown = async (node: TestBackend, site: string) => (await node.visit('live', `main--${site}--wknd`, '/config.json')).text;
    for (const node of [writer, reader]) expect(await shown(node, 'one')).toContain('before');
    expect((await writer.call('PUT', BASE, { as, body: WITH('after') })).status).toBe(200);
    for (const node of [writer, reader])
      expect(await Promise.all(['one', 'two'].map((site) => shown(node, site)))).toEqual([
        expect.stringContaining('after'),
        expect.stringContaining('after'),
      ]);
  });

  it('is refused if its sites would share a content root, even one that a site claims concurrently', async () => {
    const shared = { public: publicPart('shared') };
    const [profile, site] = await Promise.all([
      writer.call('PUT', BASE, { as, body: shared }),
      reader.call('PUT', '/config/wknd/sites/alone.json', { as, body: siteBody('wknd', 'alone', shared) }),
    ]);
    expect(profile.code).toBe('CONTENT_ROOT_TAKEN');
    expect(site.status).toBe(201);
  });
});

const READER = 'rita.reader@example.com';
const EDITOR = 'ed.editor@example.com';
const HIDDEN = ['ada@example.com', 'key-1', 'reader-secret', 'purge-token', 'cm-byog', READER];
const AGGREGATED = '/config/wknd/aggregated/one.json';

const backend = startBeforeAll(() => {
  const profile = {
    access: { admin: { role: { admin: ['ada@example.com'], config: [READER], author: [EDITOR] }, apiKeyId: ['key-1'] } },
    groups: { editors: { members: [{ email: 'ada@example.com' }] } },
    cdn: { prod: { type: 'fastly', host: '', serviceId: 's1', authToken: 'purge-token' } },
    headers: { '/**': [{ key: 'x-brand', value: 'base' }] },
  };
  const source = {
    type: 'byogit',
    url: 'https://git.example/api',
    raw_url: 'https://git.example/raw',
    owner: '1',
    repo: '2',
    secretId: 'cm-byog',
  };
  const site = {
    code: { source },
    extends: { profile: 'base' },
    access: { preview: { secretId: ['reader-secret'] } },
    cdn: { prod: { host: 'www.one.example' } },
  };
  return startTestBackend({ profiles: { base: profile }, sites: { one: site } });
});

const putDocument = (path: string, body: object) => callsAs(backend, OPERATOR).done('PUT', path, body);

describe('the aggregate of a site', () => {
  it('is its configuration merged over that of its profile', async () => {
    const answer = await backend.call('GET', AGGREGATED, { as: OPERATOR });
    expect(answer.json()).toMatchObject({
      name: 'one',
      extends: { profile: 'base' },
      access: { admin: { apiKeyId: ['key-1'] }, preview: { secretId: ['reader-secret'] } },
      cdn: { prod: { type: 'fastly', host: 'www.one.example', serviceId: 's1', authToken: 'purge-token' } },
      headers: { '/**': [{ key: 'x-brand', value: 'base' }] },
    });
    const own = await backend.call('GET', '/config/wknd/sites/one.json', { as: OPERATOR });
    expect(own.json()).not.toHaveProperty('headers');
  });

  it('can be read part by part, with an etag of the part', async () => {
    const headers = await backend.call('GET', '/config/wknd/aggregated/one/headers.json', { as: OPERATOR });
    expect([headers.status, headers.json()]).toEqual([200, { '/**': [{ key: 'x-brand', value: 'base' }] }]);
    const again = { 'if-none-match': headers.headers['etag'] ?? '' };
    expect((await backend.call('GET', '/config/wknd/aggregated/one/headers.json', { as: OPERATOR, headers: again })).status).toBe(304);
    const below = await backend.call('GET', '/wknd/aggregated/one/config/cdn/prod.json', { as: READER });
    expect(below.json()).toEqual({ type: 'fastly', host: 'www.one.example' });
    const answers = await Promise.all(
      ['access/admin.json', 'folders.json', 'nonsense.json', 'robots.txt'].map(async (part) => {
        const { status, headers: answered } = await backend.call('GET', `/config/wknd/aggregated/one/${part}`, { as: READER });
        return [part, status, answered['x-error-code']];
      }),
    );
    expect(answers).toEqual([
      ['access/admin.json', 404, 'PART_NOT_FOUND'],
      ['folders.json', 404, 'PART_NOT_FOUND'],
      ['nonsense.json', 400, 'PROPERTY_UNKNOWN'],
      ['robots.txt', 404, 'PART_NOT_FOUND'],
    ]);
  });

  it('has the robots.txt of the profile if the site has none', async () => {
    await putDocument('/config/wknd/profiles/robots.json', { robots: { txt: 'User-agent: *\nDisallow: /base/\n' } });
    await putDocument('/config/wknd/sites/two.json', siteBody('wknd', 'two', { extends: { profile: 'robots' } }));
    const answer = await backend.call('GET', '/wknd/aggregated/two/config/robots.txt', { as: OPERATOR });
    expect([answer.status, answer.text]).toEqual([200, 'User-agent: *\nDisallow: /base/\n']);
    expect(answer.headers['content-type']).toMatch(/^text\/plain/);
  });

  it('omits people, keys and secrets for callers who only have the role config', async () => {
    const answer = await backend.call('GET', AGGREGATED, { as: READER });
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ cdn: { prod: { type: 'fastly', host: 'www.one.example' } }, headers: {} });
    for (const hidden of HIDDEN) expect(answer.text).not.toContain(hidden);
  });

  it('has another etag for redacted content', async () => {
    const { headers } = await backend.call('GET', AGGREGATED, { as: READER });
    expect(headers['etag']).not.toBe((await backend.call('GET', AGGREGATED, { as: OPERATOR })).headers['etag']);
    const again = await backend.call('GET', AGGREGATED, { as: READER, headers: { 'if-none-match': headers['etag'] ?? '' } });
    expect(again.status).toBe(304);
  });

  it('grants the roles of the profile on the site', async () => {
    expect((await backend.call('GET', '/config/wknd/sites/one.json', { as: 'ada@example.com' })).status).toBe(200);
    expect((await backend.call('GET', '/config/wknd/sites/one.json', { as: READER })).status).toBe(403);
    expect((await backend.call('GET', AGGREGATED, { as: EDITOR })).status).toBe(403);
    expect((await backend.call('GET', AGGREGATED)).status).toBe(401);
  });

  it('is public and redacted if reads need no sign-in', async () => {
    const open = { role: { admin: ['ada@example.com'] }, requireAuth: false };
    await backend.call('POST', '/config/wknd/sites/one/access/admin.json', { as: OPERATOR, body: open });
    const answer = await backend.call('GET', AGGREGATED);
    expect(answer.status).toBe(200);
    for (const hidden of HIDDEN) expect(answer.text).not.toContain(hidden);
  });
});

describe('if a site extends a profile,', () => {
  const SITE_ADMIN = 'ada@agency.example.com';
  const SITE_CARL = 'carl@agency.example.com';
  const ORG_CARLA = 'carla@example.com';
  const SITE = '/config/wknd/sites/agency';
  const backend = startBeforeAll(() => {
    const cdn = { prod: { type: 'fastly', host: 'www.example.com', serviceId: 's1', authToken: 'PROFILE-TOKEN' } };
    return startTestBackend({
      users: [
        { email: OPERATOR, roles: ['admin'] },
        { email: ORG_CARLA, roles: ['config_admin'] },
      ],
      profiles: { hidden: { cdn }, shared: { sidekick: { project: 'shared' } } },
    });
  });
  beforeEach(async () => {
    await backend.call('DELETE', `${SITE}.json`, { as: OPERATOR });
    await done('PUT', `${SITE}.json`, agency());
  });

  const agency = (more: object = {}) =>
    siteBody('wknd', 'agency', { access: { admin: { role: { admin: [SITE_ADMIN], config_admin: [SITE_CARL] } } }, ...more });
  const call = (method: string, path: string, as: string, body?: unknown) =>
    backend.call(method, path, { as, ...(body === undefined ? {} : { body }) });
  const { done } = callsAs(backend, OPERATOR);

  /** Every way to let a site extend a profile. */
  const WAYS: Readonly<Record<string, (as: string, profile: string) => Promise<TestAnswer>>> = {
    'its part': (as, profile) => call('POST', `${SITE}/extends.json`, as, { profile }),
    'a dry run of it': (as, profile) => call('POST', `${SITE}/extends.json?dryRun=true`, as, { profile }),
    'an update of the site': (as, profile) => call('PUT', `${SITE}.json`, as, { extends: { profile } }),
    'a replacement of the site': (as, profile) => call('POST', `${SITE}.json`, as, agency({ extends: { profile } })),
  };

  describe('setting the profile', () => {
    describe.each(Object.keys(WAYS))('with %s', (way) => {
      it.each([SITE_CARL, SITE_ADMIN])(
        'is refused to callers who only have a role on the site, and reveals no profile to them: %s',
        async (who) => {
          const answers = [await WAYS[way]?.(who, 'hidden'), await WAYS[way]?.(who, 'made-up')];
          for (const answer of answers) {
            expect([answer?.status, answer?.code]).toEqual([403, 'NOT_AUTHORIZED']);
            expect(answer?.error).toBe(
              'To make a site extend another profile, you need permission to read the profiles of the organization.',
            );
          }
          expect(answers[0]?.text.replaceAll('hidden', 'made-up').replaceAll(/"requestId": "[^"]+"/g, '')).toBe(
            answers[1]?.text.replaceAll(/"requestId": "[^"]+"/g, ''),
          );
          expect((await call('GET', '/config/wknd/aggregated/agency.json', who)).text).not.toContain('PROFILE-TOKEN');
        },
      );

      it('is allowed to callers who may read profiles, and reports a missing one', async () => {
        expect((await WAYS[way]?.(ORG_CARLA, 'hidden'))?.status).toBe(200);
        expect((await WAYS[way]?.(ORG_CARLA, 'made-up'))?.error).toMatch(/^The profile "wknd\/made-up" does not exist/);
      });
    });

    it('by restoring a version is refused to callers who only have a role on the site', async () => {
      await done('POST', `${SITE}/extends.json`, { profile: 'hidden' });
      const { current } = (await call('GET', `${SITE}/versions.json`, SITE_ADMIN)).json() as { current: number };
      await done('POST', `${SITE}/extends.json`, { profile: 'shared' });
      const restored = await call('POST', `${SITE}.json?restoreVersion=${current}`, SITE_ADMIN);
      expect(restored).toMatchObject({ status: 403, code: 'NOT_AUTHORIZED' });
    });

    it('again, to none, or to the default one is allowed to callers with a role on the site', async () => {
      await done('POST', `${SITE}/extends.json`, { profile: 'shared' });
      for (const body of [{ extends: { profile: 'shared' }, sidekick: { project: 'mine' } }, { sidekick: { project: 'other' } }])
        expect((await call('PUT', `${SITE}.json`, SITE_CARL, body)).status).toBe(200);
      expect((await call('POST', `${SITE}/extends.json`, SITE_CARL, {})).status).toBe(200);
      expect((await call('DELETE', `${SITE}/extends.json`, SITE_CARL)).status).toBe(204);
      await done('PUT', '/config/wknd/profiles/default.json', { sidekick: { project: 'default' } });
      expect((await call('POST', `${SITE}/extends.json`, SITE_CARL, { profile: 'default' })).status).toBe(200);
      expect((await call('DELETE', `${SITE}/extends.json`, SITE_CARL)).status).toBe(204);
      expect((await call('DELETE', '/config/wknd/profiles/default.json', OPERATOR)).status).toBe(204);
    });
  });
});

const at = (kind: 'sites' | 'profiles', name: string) => `/config/wknd/${kind}/${name}.json`;
const NO_HOLDER = 'No site of the organization "wknd" holds the secret of the external repository 100/200.';

it('a profile can move its sites to an external repository once a site holds its secret, and not before', async () => {
  const { code, ...rest } = siteBody('wknd', 'moved');
  expect((await put('profiles', 'brand', { code })).status).toBe(201);
  expect((await put('sites', 'moved', { ...rest, extends: { profile: 'brand' } })).status).toBe(201);

  const dryRun = await put('profiles', 'brand', externalCode('200'), '?dryRun=true');
  for (const refused of [dryRun, await put('profiles', 'brand', externalCode('200'))]) {
    expect(refused).toMatchObject({ status: 400, code: 'BODY_INVALID' });
    const { detail, errors, data } = Problem.parse(refused.json());
    expect(detail).toContain(`With this profile site "wknd/moved" would break a rule. ${NO_HOLDER}`);
    expect(detail).toContain('Set "code" on one site itself, with "secretId": "cm-byog", and store the secret there. Then try again.');
    expect([errors, data]).toEqual([[expect.objectContaining({ pointer: '/code' })], expect.objectContaining({ extending: 'wknd/moved' })]);
  }
  const part = await backend.call('POST', '/config/wknd/profiles/brand/code.json', { as, body: externalCode('200').code });
  expect([part.status, Problem.parse(part.json()).errors], part.text).toEqual([400, [expect.objectContaining({ pointer: '/code' })]]);
  const rollout = { title: 'Move', profile: 'brand', config: externalCode('200') };
  const started = await backend.call('POST', '/config/wknd/rollouts.json', { as, body: rollout });
  expect(started, started.text).toMatchObject({ status: 400, code: 'BODY_INVALID' });
  expect(await codeOf('moved')).toMatchObject({ source: { type: 'github' } });

  expect((await put('sites', 'holder', siteBody('wknd', 'holder', externalCode('200', true)))).status).toBe(201);
  expect((await put('profiles', 'brand', externalCode('200'))).status).toBe(200);
  expect(await codeOf('moved')).toMatchObject({ source: { type: 'byogit', repo: '200' } });
});

it('a version of a profile is not restored if no site holds the secret of its repository', async () => {
  const { code } = siteBody('wknd', 'moved');
  expect((await put('profiles', 'brand', { code })).status).toBe(200);
  expect((await backend.call('DELETE', at('sites', 'holder'), { as })).status).toBe(204);
  const refused = await backend.call('POST', `${at('profiles', 'brand')}?restoreVersion=2`, { as });
  expect(refused).toMatchObject({ status: 409, code: 'VERSION_REFUSED' });
  expect(Problem.parse(refused.json()).detail).toContain(NO_HOLDER);
});

it('the first site with an external repository from a profile is refused if no site holds the secret', async () => {
  expect((await put('profiles', 'outside', externalCode('200'))).status).toBe(201);
  const { code: _code, ...rest } = siteBody('wknd', 'first');
  const refused = await put('sites', 'first', { ...rest, extends: { profile: 'outside' } });
  expect(refused).toMatchObject({ status: 400, code: 'BODY_INVALID' });
  const { detail, errors } = Problem.parse(refused.json());
  expect(detail).toContain(NO_HOLDER);
  expect(errors).toEqual([expect.objectContaining({ pointer: '/code' })]);
});

it('a profile cannot make a site exceed the size limit', async () => {
  const half = (name: string) => ({ public: { [name]: Array.from({ length: LIMITS.documentValues / 2 }, (_, index) => index) } });
  expect((await put('profiles', 'large', half('a'))).status).toBe(201);
  expect((await put('profiles', 'large', {})).status).toBe(200);
  const site = { ...siteBody('wknd', 'large', half('b')), extends: { profile: 'large' } };
  expect((await put('sites', 'large', site)).status).toBe(201);
  const refused = await put('profiles', 'large', half('a'));
  expect(refused).toMatchObject({ status: 413, code: 'STORAGE_QUOTA_REACHED' });
  expect(Problem.parse(refused.json()).detail).toContain('With this profile site "wknd/large" would break a rule.');
});

it('a profile cannot make groups of a site contain themselves', async () => {
  const containing = (name: string, other: string) => ({ groups: { [name]: { members: [{ email: `groups/${other}` }] } } });
  expect((await put('profiles', 'people', {})).status).toBe(201);
  const site = { ...siteBody('wknd', 'people', containing('authors', 'editors')), extends: { profile: 'people' } };
  expect((await put('sites', 'people', site)).status).toBe(201);
  const refused = await put('profiles', 'people', containing('editors', 'authors'));
  expect(refused, refused.text).toMatchObject({ status: 400, code: 'BODY_INVALID' });
  expect(Problem.parse(refused.json()).detail).toMatch(/With this profile site "wknd\/people" .* A group cannot contain itself: "/);
  expect((await put('profiles', 'people', containing('editors', 'readers'))).status).toBe(200);
});

eachStore((engine) => {
  it('moving the sites of a profile is decided again if the holder of the secret is removed concurrently, and vice versa', async () => {
    const { backend: own, next } = await startRaced(engine);
    const set = (kind: 'sites' | 'profiles', name: string, body: object) => own.call('PUT', at(kind, name), { as, body });
    const { code, ...rest } = siteBody('wknd', 'moved');
    expect((await set('profiles', 'brand', { code })).status).toBe(201);
    expect((await set('sites', 'moved', { ...rest, extends: { profile: 'brand' } })).status).toBe(201);
    expect((await set('sites', 'holder', siteBody('wknd', 'holder', externalCode('200', true)))).status).toBe(201);
    next(async () => expect((await own.call('DELETE', at('sites', 'holder'), { as })).status).toBe(204));
    const refused = await set('profiles', 'brand', externalCode('200'));
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('holds the secret of the external repository 100/200')]);

    expect((await set('sites', 'holder', siteBody('wknd', 'holder', externalCode('200', true)))).status).toBe(201);
    next(async () => expect((await set('profiles', 'brand', externalCode('200'))).status).toBe(200));
    const kept = await own.call('DELETE', at('sites', 'holder'), { as });
    expect(kept, kept.text).toMatchObject({ status: 409, code: 'SECRET_IN_USE' });
  });
});

function put(kind: 'sites' | 'profiles', name: string, body: object, query = ''): Promise<TestAnswer> {
  return backend.call('PUT', `${at(kind, name)}${query}`, { as, body });
}

async function codeOf(site: string): Promise<unknown> {
  const answer = await backend.call('GET', `/config/wknd/aggregated/${site}.json`, { as });
  return Object(answer.json())['code'];
}

it('a profile cannot exceed the quota of repositories', async () => {
  const backend = await stopAfterTest(startTestBackend({ settings: { ORG_REPOSITORIES: '1' } }));
  const put = (path: string, body: unknown) => backend.call('PUT', `/config/wknd/${path}.json`, { as: OPERATOR, body });
  const profile = (repo: string, title = '') =>
    put('profiles/shared', { code: { owner: 'wknd', repo }, ...(title !== '' && { title }), public: { shared: true } });
  expect((await profile('wknd')).status).toBe(201);
  const { code: _code, ...rest } = siteBody('wknd', 'one');
  const site = { ...rest, extends: { profile: 'shared' }, public: publicPart('one') };
  expect((await put('sites/one', site)).status).toBe(201);
  const refused = await profile('another');
  expect(refused).toMatchObject({ status: 403, code: 'QUOTA_REACHED' });
  expect(refused.error).toContain('use 1 code repositories; 1 are allowed');
  expect((await profile('wknd', 'The same repository')).status).toBe(200);
  const usage = UsageReport.parse((await backend.call('GET', '/config/wknd/usage.json', { as: OPERATOR })).json());
  expect(usage.repositories).toEqual({ used: 1, limit: 1 });
});

it('a profile cannot exceed the quota of configuration bytes', async () => {
  const backend = await stopAfterTest(startTestBackend({ settings: { ORG_CONFIGURATION_BYTES: '200000' } }));
  const call = (method: string, path: string, body?: unknown) => backend.call(method, `/config/wknd/${path}.json`, { as: OPERATOR, body });
  const used = async () => UsageReport.parse((await call('GET', 'usage')).json()).configurationBytes.used;
  const profile = (text: string) => call('PUT', 'profiles/default', { robots: { txt: text } });
  for (const name of ['one', 'two', 'three', 'four', 'five']) {
    expect((await call('PUT', `sites/${name}`, siteBody('wknd', name))).status).toBe(201);
  }
  const before = await used();
  for (const method of ['created', 'changed']) {
    expect(await profile('x'.repeat(40_000)), method).toMatchObject({ status: 413, code: 'STORAGE_QUOTA_REACHED' });
    expect((await profile(method)).status).toBe(method === 'created' ? 201 : 200);
  }
  expect((await profile('x'.repeat(20_000))).status).toBe(200);
  const after = await used();
  expect(after - before).toBeGreaterThan(7 * 20_000);
  expect(after).toBeLessThan(200_000);
  // Unchanged sites take no extra space, and a shorter text takes less.
  expect((await profile('short')).status).toBe(200);
  expect(await used()).toBeLessThan(after);
});
