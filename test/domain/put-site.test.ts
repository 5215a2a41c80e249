import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { endpoints } from '@repoless/contract/endpoints.ts';
import { Site, type SiteInput, type Profile } from '@repoless/contract/site.ts';
import { putSite } from '@repoless/service/sites/site-operations.ts';
import { siteInput } from '../support/builders.ts';
import { sqliteEngine } from '../support/each-store.ts';
import { anonymous, carl, otto, stranger, createWorld, type Request, type World } from './world.ts';
import { aggregateSite } from '@repoless/contract/aggregate-site.ts';

const put = (world: World, body: unknown, extra: Partial<Request> = {}, caller = otto) =>
  world.call(endpoints.putSite, putSite, caller, { params: { org: 'acme', site: 'site' }, body, ...extra });

describe('putting a site', () => {
  const engine = sqliteEngine();
  const openWorld = async () => createWorld(await engine.open());

  it('creates it, with the properties that the service sets', async () => {
    const world = await openWorld();
    const outcome = await put(world, siteInput('site', 'acme', { created: '1999-01-01T00:00:00Z', name: 'site' }));
    const stored = Site.parse(outcome.body);
    const url = 'https://author-p1-e2.example.com/bin/franklin.delivery/acme/site/main';
    expect(outcome.status).toBe(201);
    expect(stored).toMatchObject({ version: 1, name: 'site', created: stored.lastModified });
    expect(stored.created).not.toMatch(/^1999/);
    expect(stored.code?.source).toEqual({ type: 'github', url: 'https://code.example/acme/code' });
    expect(stored.content?.contentBusId).toBe(createHash('sha256').update(url).digest('hex').slice(0, 59));
    expect((await world.store.reads.site('acme', 'site'))?.config).toEqual(stored);
  });

  it('replaces it with a new version, an audit row and another etag', async () => {
    const world = await openWorld();
    const first = await put(world, siteInput());
    const second = await put(world, siteInput('site', 'acme', { title: 'New' }), { query: { versionName: 'renamed' } });
    expect(second).toMatchObject({ status: 200, body: { title: 'New', created: Site.parse(first.body).created } });
    expect(second.etag).not.toBe(first.etag);
    expect(await world.store.reads.versions({ kind: 'site', org: 'acme', site: 'site' })).toMatchObject([
      { version: 2, name: 'renamed', user: 'otto@example.com' },
      { version: 1 },
    ]);
  });

  it('stores nothing if nothing differs, whatever the order of the keys', async () => {
    const world = await openWorld();
    const first = await put(world, siteInput());
    const { code, content } = siteInput();
    const again = await put(world, { content, code, version: 1 });
    expect(again).toEqual({ ...first, status: 200 });
    expect(await world.store.reads.versions({ kind: 'site', org: 'acme', site: 'site' })).toHaveLength(1);
  });

  it('refuses strangers and anonymous callers, without naming an administrator', async () => {
    const world = await openWorld();
    const refusal: unknown = await put(world, siteInput(), {}, stranger).catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      code: 'ORG_NOT_FOUND',
      message: 'The organization "acme" is not claimed, or you have no role here.',
      data: { org: 'acme' },
    });
    expect(refusal).toHaveProperty('detail', expect.stringContaining('ask one of its administrators for access'));
    expect(JSON.stringify(refusal)).not.toContain('otto@example.com');
    const call = world.call(endpoints.putSite, putSite, anonymous, { params: { org: 'acme', site: 'site' }, body: siteInput() });
    await expect(call).rejects.toMatchObject({ code: 'NOT_AUTHENTICATED', message: 'not authenticated' });
    const cookie = put(world, siteInput(), {}, { ...otto, credential: 'cookie' });
    await expect(cookie).rejects.toMatchObject({ code: 'NOT_AUTHENTICATED' });
    const nowhere = world.call(endpoints.putSite, putSite, otto, { params: { org: 'nobody', site: 'site' }, body: siteInput() });
    await expect(nowhere).rejects.toMatchObject({
      code: 'ORG_NOT_FOUND',
      detail: expect.stringContaining('/config/nobody/challenge.json'),
    });
  });

  const github = (source: object): Partial<SiteInput> => ({ code: { owner: 'acme', repo: 'code', source: { type: 'github', ...source } } });
  const content = (url: string): Partial<SiteInput> => ({ content: { source: { type: 'markup', url } } });
  it.each<[string, Partial<SiteInput>, string, string | undefined]>([
    ['no code', { code: undefined } as Partial<SiteInput>, 'BODY_INVALID', '/code'],
    ['no content', { content: undefined } as Partial<SiteInput>, 'BODY_INVALID', '/content'],
    ['an unknown property', { colour: 'red' } as Partial<SiteInput>, 'BODY_INVALID', ''],
    ['a repository of another host', github({ url: 'https://elsewhere.example/acme/code' }), 'BODY_INVALID', '/code/source/url'],
    ['another repository in its address', github({ url: 'https://code.example/acme/other' }), 'BODY_INVALID', '/code/source/url'],
    ['two owners', github({ owner: 'other' }), 'BODY_INVALID', '/code/source/owner'],
    ['no owner', { code: { repo: 'code' } }, 'BODY_INVALID', '/code/owner'],
    ['a password in its content address', content('https://me:secret@author.example/x'), 'BODY_INVALID', '/content/source/url'],
    [
      'the delivery address of another site',
      content('https://a.example/bin/franklin.delivery/acme/other/main'),
      'CONTENT_ADDRESS_MISMATCH',
      undefined,
    ],
    [
      'the delivery address of another org',
      content('https://a.example/bin/franklin.delivery/other/site'),
      'CONTENT_ADDRESS_MISMATCH',
      undefined,
    ],
  ])('refuses %s', async (_what, extra, code, pointer) => {
    const world = await openWorld();
    const errors = pointer === undefined ? {} : { errors: [expect.objectContaining({ pointer })] };
    await expect(put(world, { ...siteInput(), ...extra })).rejects.toMatchObject({ code, ...errors });
    expect(await world.store.reads.site('acme', 'site')).toBeUndefined();
  });

  it('reads owner and repository from the code’s address', async () => {
    const world = await openWorld();
    const body = siteInput('site', 'acme', { code: { source: { type: 'github', url: 'https://code.example/acme/code.git' } } });
    expect((await put(world, body)).body).toMatchObject({
      code: { owner: 'acme', repo: 'code', source: { url: 'https://code.example/acme/code' } },
    });
  });

  it('allows only the first site of an external repository to name its secret', async () => {
    const world = await openWorld();
    const source = { type: 'byogit', url: 'https://sync.example', raw_url: 'https://raw.example', owner: 'p1', repo: 'r1' } as const;
    const further = (secretId: object) =>
      world.call(endpoints.putSite, putSite, otto, {
        params: { org: 'acme', site: 'two' },
        body: siteInput('two', 'acme', { code: { source: { ...source, ...secretId } } }),
      });
    const first = await put(world, siteInput('site', 'acme', { code: { source: { ...source, secretId: 'cm-byog' } } }));
    expect(first.body).toMatchObject({ code: { owner: 'p1', repo: 'r1', source: { secretId: 'cm-byog' } } });
    await expect(further({ secretId: 'cm-byog' })).rejects.toMatchObject({ code: 'SECRET_NOT_ALLOWED', data: { site: 'site' } });
    expect((await further({})).status).toBe(201);
  });

  it('allows a config_admin to configure, but not to change who administers', async () => {
    const world = await createWorld(await engine.open(), {
      users: [
        { id: 'u1', email: 'otto@example.com', roles: ['admin'] },
        { id: 'u2', email: 'carl@example.com', roles: ['config_admin'] },
      ],
    });
    const access = { admin: { role: { admin: ['carl@example.com'] } } };
    await expect(put(world, siteInput('site', 'acme', { access }), {}, carl)).rejects.toMatchObject({
      code: 'NOT_AUTHORIZED',
      message: expect.stringContaining('Only an admin'),
    });
    expect((await put(world, siteInput(), {}, carl)).status).toBe(201);
    const groups = { admins: { members: [{ email: 'carl@example.com' }] } };
    await expect(put(world, siteInput('site', 'acme', { groups }), {}, carl)).rejects.toMatchObject({ code: 'NOT_AUTHORIZED' });
    expect((await put(world, siteInput('site', 'acme', { title: 'Mine' }), {}, carl)).status).toBe(200);
  });
});
const times = { created: '2026-01-01T00:00:00.000Z', lastModified: '2026-01-02T00:00:00.000Z' };
const site = (extra: Partial<Site>): Site => ({ version: 1, name: 'one', ...times, extends: { profile: 'base' }, ...extra });
const profile = (extra: Partial<Profile>): Profile => ({
  version: 1,
  name: 'base',
  created: '2020-01-01T00:00:00.000Z',
  lastModified: '2020-01-01T00:00:00.000Z',
  ...extra,
});
const header = (key: string, value: string) => ({ key, value });

describe('The effective configuration of a site that extends a profile', () => {
  it('has the name and times of the site, and what it extends', () => {
    expect(aggregateSite(site({}), profile({ title: 'Brand' }))).toEqual({ ...site({}), title: 'Brand' });
  });

  it('merges objects by their keys', () => {
    const cdn = aggregateSite(
      site({ cdn: { prod: { host: 'www.one.example' } }, folders: { '/a': '/own' } }),
      profile({
        cdn: { prod: { type: 'fastly', host: 'www.example' }, live: { host: 'live.example' } },
        folders: { '/a': '/base', '/b': '/base' },
      }),
    );
    expect(cdn).toMatchObject({
      cdn: { prod: { type: 'fastly', host: 'www.one.example' }, live: { host: 'live.example' } },
      folders: { '/a': '/own', '/b': '/base' },
    });
  });

  it('has the lists of the site or of the profile, never both', () => {
    const merged = aggregateSite(
      site({ access: { admin: { role: { admin: ['ada@example.com'] } } }, public: { paths: { mappings: ['/content/one/:/'] } } }),
      profile({
        access: { admin: { role: { admin: ['otto@example.com'], author: ['*@example.com'] }, requireAuth: true } },
        public: { paths: { mappings: ['/content/base/:/'], includes: ['/content/base/'] }, brand: 'x' },
      }),
    );
    expect(merged.access?.admin).toEqual({ role: { admin: ['ada@example.com'], author: ['*@example.com'] }, requireAuth: true });
    expect(merged.public).toEqual({ paths: { mappings: ['/content/one/:/'], includes: ['/content/base/'] }, brand: 'x' });
  });

  it('has the complete code source of the site or of the profile', () => {
    const code = { owner: 'acme', repo: 'own', source: { type: 'github' as const, url: 'https://code.example/acme/own' } };
    const base = {
      owner: '1',
      repo: '2',
      source: { type: 'byogit' as const, url: 'https://git.example/api', raw_url: 'https://git.example/raw' },
    };
    expect(aggregateSite(site({ code }), profile({ code: base })).code).toEqual(code);
    expect(aggregateSite(site({}), profile({ code: base })).code).toEqual(base);
  });

  it('merges headers by path and name, whatever the case of the name', () => {
    const merged = aggregateSite(
      site({ headers: { '/**': [header('X-Frame-Options', 'DENY')], '/own': [header('x-own', '1')] } }),
      profile({ headers: { '/**': [header('x-frame-options', 'SAMEORIGIN'), header('content-security-policy', "default-src 'self'")] } }),
    );
    expect(merged.headers).toEqual({
      '/**': [header('content-security-policy', "default-src 'self'"), header('X-Frame-Options', 'DENY')],
      '/own': [header('x-own', '1')],
    });
  });
});
