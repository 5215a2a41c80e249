import { describe, expect, it } from 'vitest';
import { endpoints, sitePartEndpoints } from '@repoless/contract/endpoints.ts';
import type { SitePart } from '@repoless/contract/site.ts';
import {
  deleteRobots,
  getRobots,
  getSite,
  getSitePart,
  putSite,
  removeSitePart,
  setRobots,
  setSitePart,
} from '@repoless/service/sites/site-operations.ts';
import { publicPaths, siteInput } from '../support/builders.ts';
import { sqliteEngine } from '../support/each-store.ts';
import { ada, carl, otto, stranger, world, type Request, type World } from './world.ts';

const params = { org: 'acme', site: 'site' };
const register = (place: World, extra = {}) =>
  place.call(endpoints.putSite, putSite, otto, { params, body: siteInput('site', 'acme', extra) });
const set = (place: World, part: SitePart, body: unknown, caller = otto, extra: Partial<Request> = {}) =>
  place.call(sitePartEndpoints[part].set, setSitePart(part), caller, { params, body, ...extra });
const get = (place: World, part: SitePart) => place.call(sitePartEndpoints[part].get, getSitePart(part), otto, { params });
const remove = (place: World, part: SitePart, extra: Partial<Request> = {}) =>
  place.call(sitePartEndpoints[part].remove, removeSitePart(part), otto, { params, ...extra });

describe('writing a part of a site', () => {
  const engine = sqliteEngine();
  const openWorld = async () => world(await engine.open());

  it('publishes the path mapping at once (call 3)', async () => {
    const place = await openWorld();
    await register(place);
    const body = publicPaths('/content/site');
    const outcome = await set(place, 'public', body);
    expect(outcome).toMatchObject({ status: 200, body });
    expect(await get(place, 'public')).toEqual(outcome);
    expect((await place.store.reads.publicConfig('acme', 'site'))?.json).toBe(JSON.stringify({ public: outcome.body }, null, 2));
    expect(await place.store.reads.versions({ kind: 'site', org: 'acme', site: 'site' })).toHaveLength(2);
  });

  it('replaces that part entirely, and nothing else', async () => {
    const place = await openWorld();
    await register(place, { title: 'Kept' });
    await set(place, 'public', { ...publicPaths('/content/site'), theme: 'dark' });
    await set(place, 'public', publicPaths('/content/site'));
    const { body } = await place.call(endpoints.getSite, getSite, otto, { params });
    expect(body).toMatchObject({ title: 'Kept', public: publicPaths('/content/site') });
    expect(body).not.toHaveProperty('public.theme');
  });

  it('reads owner and repository from the code source (call 5)', async () => {
    const place = await openWorld();
    await register(place);
    const source = {
      type: 'byogit',
      url: 'https://sync.example',
      raw_url: 'https://raw.example',
      owner: 'p1',
      repo: 'r1',
      secretId: 'cm-byog',
    };
    expect((await set(place, 'code', { source })).body).toEqual({ owner: 'p1', repo: 'r1', source });
    const broken = set(place, 'code', { owner: 'p2', source });
    await expect(broken).rejects.toMatchObject({ code: 'BODY_INVALID', errors: [{ pointer: '/source/owner' }] });
  });

  it('changes a nested part by its address, and leaves no empty parent', async () => {
    const place = await openWorld();
    await register(place);
    await set(place, 'cdn/prod', { host: 'www.example.com' });
    expect((await get(place, 'cdn')).body).toEqual({ prod: { host: 'www.example.com' } });
    expect(await remove(place, 'cdn/prod')).toEqual({ status: 204 });
    await expect(get(place, 'cdn')).rejects.toMatchObject({ code: 'PART_NOT_FOUND' });
    await expect(remove(place, 'cdn/prod')).rejects.toMatchObject({ code: 'PART_NOT_FOUND' });
  });

  it('refuses to remove a required part', async () => {
    const place = await openWorld();
    await register(place);
    await expect(remove(place, 'code')).rejects.toMatchObject({ code: 'BODY_INVALID', errors: [{ pointer: '/code' }] });
  });

  it('refuses a missing site, and says how to register it', async () => {
    const place = await openWorld();
    await expect(set(place, 'public', publicPaths('/content/x'))).rejects.toMatchObject({
      code: 'SITE_NOT_FOUND',
      message: 'Error updating config: config not found.',
      detail: expect.stringContaining('PUT /config/acme/sites/site.json'),
    });
  });

  it('reports wrong mappings by their pointer', async () => {
    const place = await openWorld();
    await register(place);
    const relative = set(place, 'public', { paths: { mappings: ['/content/a/:/', 'content/b/:/b/'] } });
    await expect(relative).rejects.toMatchObject({ code: 'BODY_INVALID', errors: [{ pointer: '/paths/mappings/1' }] });
  });

  it('uses the etag of the part for preconditions', async () => {
    const place = await openWorld();
    await register(place);
    const { etag = '' } = await set(place, 'public', publicPaths('/content/site'));
    await set(place, 'sidekick', { project: 'other' }, otto, {});
    expect((await set(place, 'public', {}, otto, { ifMatch: etag })).status).toBe(200);
    await expect(set(place, 'public', { a: 1 }, otto, { ifMatch: etag })).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' });
    await expect(set(place, 'public', { a: 1 }, otto, { ifNoneMatch: '*' })).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' });
  });

  it('returns the difference as a dry run, also of a removal', async () => {
    const place = await openWorld();
    await register(place);
    await set(place, 'sidekick', { project: 'a' });
    const changed = await set(place, 'sidekick', { project: 'b' }, otto, { query: { dryRun: 'true' } });
    expect(changed.body).toEqual({
      dryRun: true,
      status: 200,
      result: { project: 'b' },
      diff: [{ op: 'replace', path: '/project', value: 'b' }],
    });
    const removed = await remove(place, 'sidekick', { query: { dryRun: 'true' } });
    expect(removed.body).toEqual({ dryRun: true, status: 204, result: null, diff: [{ op: 'remove', path: '' }] });
    expect((await get(place, 'sidekick')).body).toEqual({ project: 'a' });
  });

  it('stores robots.txt as text', async () => {
    const place = await openWorld();
    await register(place);
    const write = (body?: string) => place.call(endpoints.setRobots, setRobots, otto, { params, body });
    expect(await write('User-agent: *')).toMatchObject({ status: 200, body: 'User-agent: *' });
    expect(await place.call(endpoints.getRobots, getRobots, otto, { params })).toMatchObject({ body: 'User-agent: *' });
    await expect(write()).rejects.toMatchObject({ code: 'BODY_MISSING', message: 'missing body' });
    expect(await place.call(endpoints.deleteRobots, deleteRobots, otto, { params })).toEqual({ status: 204 });
    await expect(place.call(endpoints.getRobots, getRobots, otto, { params })).rejects.toMatchObject({ code: 'PART_NOT_FOUND' });
  });
});

describe('the administration of a site', () => {
  const engine = sqliteEngine();
  const admins = (...admin: string[]) => ({ admin: { role: { admin, config_admin: ['carl@example.com'] }, requireAuth: 'auto' } });
  const openWorld = async () => {
    const place = await world(await engine.open());
    await register(place);
    await set(place, 'access', admins('ada@example.com'));
    return place;
  };

  it('is as call 4 says', async () => {
    const place = await openWorld();
    expect((await get(place, 'access')).body).toEqual(admins('ada@example.com'));
    expect((await set(place, 'public', publicPaths('/content/x'), carl)).status).toBe(200);
    expect((await set(place, 'access', admins('ada@example.com', '*@example.org'), ada)).status).toBe(200);
    await expect(set(place, 'public', {}, stranger)).rejects.toMatchObject({ code: 'ORG_NOT_FOUND' });
  });

  it('cannot be changed by a config_admin, whatever the call', async () => {
    const place = await openWorld();
    await expect(set(place, 'access', admins('carl@example.com'), carl)).rejects.toMatchObject({ code: 'NOT_AUTHORIZED' });
    const whole = place.call(endpoints.putSite, putSite, carl, { params, query: { replace: 'true' }, body: siteInput() });
    await expect(whole).rejects.toMatchObject({ code: 'NOT_AUTHORIZED', message: expect.stringContaining('Only an admin') });
  });

  it.each<[string, (place: World, query: Record<string, string>) => Promise<unknown>]>([
    ['the access part', (place, query) => set(place, 'access', admins('other@example.com'), ada, { query })],
    ['the admin part', (place, query) => set(place, 'access/admin', admins('other@example.com').admin, ada, { query })],
    [
      'the whole site',
      (place, query) => place.call(endpoints.putSite, putSite, ada, { params, body: siteInput(), query: { ...query, replace: 'true' } }),
    ],
    [
      'the removal of access',
      (place, query) => place.call(sitePartEndpoints.access.remove, removeSitePart('access'), ada, { params, query }),
    ],
  ])('is not lost by accident with %s', async (_what, change) => {
    const place = await openWorld();
    await expect(change(place, {})).rejects.toMatchObject({ code: 'WOULD_LOCK_OUT', message: expect.stringContaining('?confirm=true') });
    expect((await get(place, 'access')).body).toEqual(admins('ada@example.com'));
    await change(place, { confirm: 'true' });
    await expect(set(place, 'public', {}, ada)).rejects.toMatchObject({ code: 'ORG_NOT_FOUND' });
  });

  it('remains with the admins of the organization, who cannot lock themselves out', async () => {
    const place = await openWorld();
    expect((await set(place, 'access', admins('other@example.com'))).status).toBe(200);
    expect((await set(place, 'public', {})).status).toBe(200);
  });

  it('can be given to groups, and to everyone of a domain', async () => {
    const place = await openWorld();
    await register(place, {
      access: { admin: { role: { admin: ['groups/editors', '*@partner.example'] } } },
      groups: { editors: { members: [{ email: 'ada@example.com' }] } },
    });
    expect((await set(place, 'public', {}, ada)).status).toBe(200);
    const partner = { ...stranger, names: ['pia@partner.example'] };
    expect((await set(place, 'public', { a: 1 }, partner)).status).toBe(200);
    await expect(set(place, 'public', {}, stranger)).rejects.toMatchObject({ code: 'ORG_NOT_FOUND' });
  });
});
