import { AuditLog } from '@repoless/contract/audit.ts';
import { endpoints, sitePartEndpoints } from '@repoless/contract/endpoints.ts';
import { VersionList } from '@repoless/contract/history.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { createAnswerBudget } from '@repoless/service/domain/answer-budget.ts';
import { getLog } from '@repoless/service/history/audit/get-log.ts';
import { historyOperations } from '@repoless/service/history/history-operations.ts';
import { listSites } from '@repoless/service/sites/find-site.ts';
import { deleteSite, getSite, postSite, putSite, setSitePart } from '@repoless/service/sites/site-operations.ts';
import { expect, it } from 'vitest';
import { org, publicPaths, siteInput, user } from '../support/builders.ts';
import { eachStore } from '../support/each-store.ts';
import { carl, otto, stranger, createWorld, type World } from './world.ts';
import type { User } from '@repoless/service/sessions/identity.ts';

const budget = createAnswerBudget(LIMITS.answerBytes);
const histories = historyOperations(budget);
const params = { org: 'acme', site: 'site' };
const put = (world: World, extra = {}, site = 'site') =>
  world.call(endpoints.putSite, putSite, otto, { params: { org: 'acme', site }, body: siteInput(site, 'acme', extra) });
const restore = (world: World, version: number, caller = otto) =>
  world.call(endpoints.postSite, postSite, caller, { params, query: { restoreVersion: `${version}` } });
const remove = (world: World, caller = otto) => world.call(endpoints.deleteSite, deleteSite, caller, { params });
const versions = async (world: World) =>
  (await world.call(endpoints.listVersions, histories.listVersions, otto, { params, query: { limit: '1000' } })).body;

const dataOf = async (world: World, version: number): Promise<unknown> =>
  Object((await world.call(endpoints.getVersion, histories.getVersion, otto, { params: { ...params, version } })).body).data;
const asAdmin = ({ email }: User) => ({ id: email, email, roles: ['admin' as const] });

eachStore((engine) => {
  const openWorld = async () => createWorld(await engine.open());

  it('refuses missing versions, a body together with a version, and callers without a role', async () => {
    const world = await openWorld();
    await put(world);
    await expect(restore(world, 7)).rejects.toMatchObject({ code: 'VERSION_NOT_FOUND' });
    await expect(restore(world, 1, stranger)).rejects.toMatchObject({ code: 'ORG_NOT_FOUND' });
    await expect(remove(world, carl)).rejects.toMatchObject({ code: 'ORG_NOT_FOUND' });
    const both = world.call(endpoints.postSite, postSite, otto, { params, query: { restoreVersion: '1' }, body: siteInput() });
    await expect(both).rejects.toMatchObject({ code: 'BODY_INVALID' });
    const none = world.call(endpoints.postSite, postSite, otto, { params });
    await expect(none).rejects.toMatchObject({ code: 'BODY_MISSING', message: 'missing body' });
  });

  it('stores both of two people’s concurrent changes in the history', async () => {
    const world = await openWorld();
    const outcomes = await Promise.all([put(world, { title: 'Ada' }), put(world, { title: 'Otto' })]);
    expect(outcomes.map(({ status }) => status).sort((one, other) => one - other)).toEqual([200, 201]);
    expect(await versions(world)).toMatchObject({ current: 2, versions: [{ version: 2 }, { version: 1 }] });
  });

  it('accepts only one of two concurrent changes with the same etag', async () => {
    const world = await openWorld();
    const { etag = '' } = await put(world);
    const change = (title: string) =>
      world.call(endpoints.putSite, putSite, otto, { params, body: siteInput('site', 'acme', { title }), ifMatch: etag });
    const outcomes = await Promise.allSettled([change('a'), change('b')]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'PRECONDITION_FAILED' } });
  });

  it('stores every change of one part by two concurrent writers, numbered without gaps', async () => {
    const world = await openWorld();
    await put(world);
    const row = sitePartEndpoints.sidekick.set;
    const write = (caller: User, turn: number) =>
      world.call(row, setSitePart('sidekick'), caller, { params, body: { project: `${caller.email} ${turn}` } });
    const writers = [otto, user('second@example.com')];
    await world.store.write((writes) => writes.putOrg({ ...org('acme', { users: writers.map(asAdmin) }), version: 2 }));
    await Promise.all(writers.flatMap((caller) => Array.from({ length: 10 }, (_, turn) => write(caller, turn))));
    const list = VersionList.parse(await versions(world));
    expect(list.versions.map(({ version }) => version)).toEqual(Array.from({ length: 21 }, (_, index) => 21 - index));
    const changes = await Promise.all(
      list.versions.slice(0, 20).map(async ({ version }) => String(Object(await dataOf(world, version)).sidekick.project)),
    );
    const sent = writers.flatMap(({ email }) => Array.from({ length: 10 }, (_, turn) => `${email} ${turn}`));
    expect(changes.toSorted()).toEqual(sent.toSorted());
  });

  it('accepts only one of two concurrent changes of a part with the same etag', async () => {
    const world = await openWorld();
    const part = sitePartEndpoints.sidekick;
    const write = (project: string, ifMatch?: string) =>
      world.call(part.set, setSitePart('sidekick'), otto, { params, body: { project }, ...(ifMatch === undefined ? {} : { ifMatch }) });
    await put(world);
    const { etag = '' } = await write('before');
    const outcomes = await Promise.allSettled(['one', 'two'].map((project) => write(project, etag)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'PRECONDITION_FAILED' } });
    expect(await versions(world)).toMatchObject({ current: 3 });
  });

  it('stores concurrent restores and writes as versions, of which the latest is effective', async () => {
    const world = await openWorld();
    await put(world, { title: 'One' });
    await put(world, { title: 'Two' });
    await Promise.all([restore(world, 1), put(world, { title: 'Three' }), put(world, { title: 'Four' }), restore(world, 1)]);
    const list = VersionList.parse(await versions(world));
    const titles = await Promise.all(list.versions.map(async ({ version }) => String(Object(await dataOf(world, version)).title)));
    expect(titles.toSorted()).toEqual(expect.arrayContaining(['Four', 'One', 'Three', 'Two']));
    expect(list.versions.map(({ version }) => version)).toEqual(list.versions.map((_, index) => list.versions.length - index));
    const { body } = await world.call(endpoints.getSite, getSite, otto, { params });
    expect(Object(body).title).toBe(titles[0]);
  });

  it('loses no number in a concurrent restore and removal', async () => {
    const world = await openWorld();
    await put(world, { title: 'One' });
    await put(world, { title: 'Two' });
    await Promise.allSettled([remove(world), restore(world, 1), remove(world)]);
    const list = VersionList.parse(await versions(world));
    expect(list.versions.map(({ version }) => version)).toEqual(list.versions.map((_, index) => list.versions.length - index));
    const exists = (await world.store.reads.site('acme', 'site')) !== undefined;
    expect(list.current).toBe(exists ? list.versions[0]?.version : undefined);
  });

  it('orders by number if the clock went backwards', async () => {
    const world = await openWorld();
    await put(world, { title: 'One' });
    world.advance(-24 * 60 * 60 * 1000);
    await put(world, { title: 'Two' });
    const list = VersionList.parse(await versions(world));
    expect([list.current, ...list.versions.map(({ version }) => version)]).toEqual([2, 2, 1]);
    const [newest = '', oldest = ''] = list.versions.map(({ created }) => created);
    expect(newest < oldest).toBe(true);
    const log = AuditLog.parse((await world.call(endpoints.getLog, getLog, otto, { params: { org: 'acme' } })).body);
    expect(log.entries.map(({ to }) => to)).toEqual([2, 1]);
  });

  it('gives a content root to one of two sites that request it concurrently', async () => {
    const world = await openWorld();
    const outcomes = await Promise.allSettled(['one', 'two'].map((site) => put(world, { public: publicPaths('/content/x') }, site)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const refused = outcomes.find(({ status }) => status === 'rejected');
    expect(refused).toMatchObject({ reason: { code: 'CONTENT_ROOT_TAKEN', data: { org: 'acme' } } });
  });

  it('lists sites with a link to the next page, and with details on request', async () => {
    const world = await openWorld();
    for (const site of ['a', 'b', 'c']) await put(world, { cdn: { prod: { host: `${site}.example` } } }, site);
    const operation = listSites(budget);
    const list = async (query: Record<string, string>) => {
      const { printed, headers } = await world.call(endpoints.listSites, operation, otto, { params: { org: 'acme' }, query });
      return { headers, body: JSON.parse(Buffer.concat(printed?.pieces ?? []).toString()) as unknown };
    };
    expect((await list({})).body).toEqual({
      sites: ['a', 'b', 'c'].map((name) => ({ name, path: `/config/acme/sites/${name}.json` })),
    });
    const first = await list({ limit: '2' });
    expect(first.headers).toEqual({ link: '</config/acme/sites.json?limit=2&after=b>; rel="next"' });
    const second = await list({ limit: '2', after: 'b', details: 'true' });
    expect(second.headers).toBeUndefined();
    expect(second.body).toMatchObject({ sites: [{ name: 'c', code: { owner: 'acme' }, cdn: { prod: { host: 'c.example' } } }] });
  });
});
