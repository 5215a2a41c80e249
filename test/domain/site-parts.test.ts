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
import { ada, carl, otto, stranger, createWorld, type Request, type World } from './world.ts';

const params = { org: 'acme', site: 'site' };
const register = (world: World, extra = {}) =>
  world.call(endpoints.putSite, putSite, otto, { params, body: siteInput('site', 'acme', extra) });
const set = (world: World, part: SitePart, body: unknown, caller = otto, extra: Partial<Request> = {}) =>
  world.call(sitePartEndpoints[part].set, setSitePart(part), caller, { params, body, ...extra });
const get = (world: World, part: SitePart) => world.call(sitePartEndpoints[part].get, getSitePart(part), otto, { params });
const remove = (world: World, part: SitePart, extra: Partial<Request> = {}) =>
  world.call(sitePartEndpoints[part].remove, removeSitePart(part), otto, { params, ...extra });

describe('writing a part of a site', () => {
  const engine = sqliteEngine();
  const openWorld = async () => createWorld(await engine.open());

  it('publishes the path mapping at once (call 3)', async () => {
    const world = await openWorld();
    await register(world);
    const body = publicPaths('/content/site');
    const outcome = await set(world, 'public', body);
    expect(outcome).toMatchObject({ status: 200, body });
    expect(await get(world, 'public')).toEqual(outcome);
    expect((await world.store.reads.publicConfig('acme', 'site'))?.json).toBe(JSON.stringify({ public: outcome.body }, null, 2));
    expect(await world.store.reads.versions({ kind: 'site', org: 'acme', site: 'site' })).toHaveLength(2);
  });

  it('replaces that part entirely, and nothing else', async () => {
    const world = await openWorld();
    await register(world, { title: 'Kept' });
    await set(world, 'public', { ...publicPaths('/content/site'), theme: 'dark' });
    await set(world, 'public', publicPaths('/content/site'));
    const { body } = await world.call(endpoints.getSite, getSite, otto, { params });
    expect(body).toMatchObject({ title: 'Kept', public: publicPaths('/content/site') });
    expect(body).not.toHaveProperty('public.theme');
  });

  it('reads owner and repository from the code source (call 5)', async () => {
    const world = await openWorld();
    await register(world);
    const source = {
      type: 'byogit',
      url: 'https://sync.example',
      raw_url: 'https://raw.example',
      owner: 'p1',
      repo: 'r1',
      secretId: 'cm-byog',
    };
    expect((await set(world, 'code', { source })).body).toEqual({ owner: 'p1', repo: 'r1', source });
    const broken = set(world, 'code', { owner: 'p2', source });
    await expect(broken).rejects.toMatchObject({ code: 'BODY_INVALID', errors: [{ pointer: '/source/owner' }] });
  });

  it('changes a nested part by its address, and leaves no empty parent', async () => {
    const world = await openWorld();
    await register(world);
    await set(world, 'cdn/prod', { host: 'www.example.com' });
    expect((await get(world, 'cdn')).body).toEqual({ prod: { host: 'www.example.com' } });
    expect(await remove(world, 'cdn/prod')).toEqual({ status: 204 });
    await expect(get(world, 'cdn')).rejects.toMatchObject({ code: 'PART_NOT_FOUND' });
    await expect(remove(world, 'cdn/prod')).rejects.toMatchObject({ code: 'PART_NOT_FOUND' });
  });

  it('refuses to remove a required part', async () => {
    const world = await openWorld();
    await register(world);
    await expect(remove(world, 'code')).rejects.toMatchObject({ code: 'BODY_INVALID', errors: [{ pointer: '/code' }] });
  });

  it('refuses a missing site, and says how to register it', async () => {
    const world = await openWorld();
    await expect(set(world, 'public', publicPaths('/content/x'))).rejects.toMatchObject({
      code: 'SITE_NOT_FOUND',
      message: 'Error updating config: config not found.',
      detail: expect.stringContaining('PUT /config/acme/sites/site.json'),
    });
  });

  it('reports wrong mappings by their pointer', async () => {
    const world = await openWorld();
    await register(world);
    const relative = set(world, 'public', { paths: { mappings: ['/content/a/:/', 'content/b/:/b/'] } });
    await expect(relative).rejects.toMatchObject({ code: 'BODY_INVALID', errors: [{ pointer: '/paths/mappings/1' }] });
  });

  it('uses the etag of the part for preconditions', async () => {
    const world = await openWorld();
    await register(world);
    const { etag = '' } = await set(world, 'public', publicPaths('/content/site'));
    await set(world, 'sidekick', { project: 'other' }, otto, {});
    expect((await set(world, 'public', {}, otto, { ifMatch: etag })).status).toBe(200);
    await expect(set(world, 'public', { a: 1 }, otto, { ifMatch: etag })).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' });
    await expect(set(world, 'public', { a: 1 }, otto, { ifNoneMatch: '*' })).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' });
  });

  it('returns the difference as a dry run, also of a removal', async () => {
    const world = await openWorld();
    await register(world);
    await set(world, 'sidekick', { project: 'a' });
    const changed = await set(world, 'sidekick', { project: 'b' }, otto, { query: { dryRun: 'true' } });
    expect(changed.body).toEqual({
      dryRun: true,
      status: 200,
      result: { project: 'b' },
      diff: [{ op: 'replace', path: '/project', value: 'b' }],
    });
    const removed = await remove(world, 'sidekick', { query: { dryRun: 'true' } });
    expect(removed.body).toEqual({ dryRun: true, status: 204, result: null, diff: [{ op: 'remove', path: '' }] });
    expect((await get(world, 'sidekick')).body).toEqual({ project: 'a' });
  });

  it('stores robots.txt as text', async () => {
    const world = await openWorld();
    await register(world);
    const write = (body?: string) => world.call(endpoints.setRobots, setRobots, otto, { params, body });
    expect(await write('User-agent: *')).toMatchObject({ status: 200, body: 'User-agent: *' });
    expect(await world.call(endpoints.getRobots, getRobots, otto, { params })).toMatchObject({ body: 'User-agent: *' });
    await expect(write()).rejects.toMatchObject({ code: 'BODY_MISSING', message: 'missing body' });
    expect(await world.call(endpoints.deleteRobots, deleteRobots, otto, { params })).toEqual({ status: 204 });
    await expect(world.call(endpoints.getRobots, getRobots, otto, { params })).rejects.toMatchObject({ code: 'PART_NOT_FOUND' });
  });
});

describe('the administration of a site', () => {
  const engine = sqliteEngine();
  const admins = (...admin: string[]) => ({ admin: { role: { admin, config_admin: ['carl@example.com'] }, requireAuth: 'auto' } });
  const openWorld = async () => {
    const world = await createWorld(await engine.open());
    await register(world);
    await set(world, 'access', admins('ada@example.com'));
    return world;
  };

  it('is as call 4 says', async () => {
    const world = await openWorld();
    expect((await get(world, 'access')).body).toEqual(admins('ada@example.com'));
    expect((await set(world, 'public', publicPaths('/content/x'), carl)).status).toBe(200);
    expect((await set(world, 'access', admins('ada@example.com', '*@example.org'), ada)).status).toBe(200);
    await expect(set(world, 'public', {}, stranger)).rejects.toMatchObject({ code: 'ORG_NOT_FOUND' });
  });

  it('cannot be changed by a config_admin, whatever the call', async () => {
    const world = await openWorld();
    await expect(set(world, 'access', admins('carl@example.com'), carl)).rejects.toMatchObject({ code: 'NOT_AUTHORIZED' });
    const whole = world.call(endpoints.putSite, putSite, carl, { params, query: { replace: 'true' }, body: siteInput() });
    await expect(whole).rejects.toMatchObject({ code: 'NOT_AUTHORIZED', message: expect.stringContaining('Only an admin') });
  });

  it.each<[string, (world: World, query: Record<string, string>) => Promise<unknown>]>([
    ['the access part', (world, query) => set(world, 'access', admins('other@example.com'), ada, { query })],
    ['the admin part', (world, query) => set(world, 'access/admin', admins('other@example.com').admin, ada, { query })],
    [
      'the whole site',
      (world, query) => world.call(endpoints.putSite, putSite, ada, { params, body: siteInput(), query: { ...query, replace: 'true' } }),
    ],
    [
      'the removal of access',
      (world, query) => world.call(sitePartEndpoints.access.remove, removeSitePart('access'), ada, { params, query }),
    ],
  ])('is not lost by accident with %s', async (_what, change) => {
    const world = await openWorld();
    await expect(change(world, {})).rejects.toMatchObject({ code: 'WOULD_LOCK_OUT', message: expect.stringContaining('?confirm=true') });
    expect((await get(world, 'access')).body).toEqual(admins('ada@example.com'));
    await change(world, { confirm: 'true' });
    await expect(set(world, 'public', {}, ada)).rejects.toMatchObject({ code: 'ORG_NOT_FOUND' });
  });

  it('remains with the admins of the organization, who cannot lock themselves out', async () => {
    const world = await openWorld();
    expect((await set(world, 'access', admins('other@example.com'))).status).toBe(200);
    expect((await set(world, 'public', {})).status).toBe(200);
  });

  it('can be given to groups, and to everyone of a domain', async () => {
    const world = await openWorld();
    await register(world, {
      access: { admin: { role: { admin: ['groups/editors', '*@partner.example'] } } },
      groups: { editors: { members: [{ email: 'ada@example.com' }] } },
    });
    expect((await set(world, 'public', {}, ada)).status).toBe(200);
    const partner = { ...stranger, names: ['pia@partner.example'] };
    expect((await set(world, 'public', { a: 1 }, partner)).status).toBe(200);
    await expect(set(world, 'public', {}, stranger)).rejects.toMatchObject({ code: 'ORG_NOT_FOUND' });
  });
});
