import { expect, it } from 'vitest';
import { endpoints } from '#contract/endpoints.ts';
import { historyVerbs } from '#backend/domain/history/history-verbs.ts';
import { deleteSite } from '#backend/domain/sites/delete-site.ts';
import { getSite } from '#backend/domain/sites/get-site.ts';
import { listSites } from '#backend/domain/sites/list-sites.ts';
import { postSite } from '#backend/domain/sites/post-site.ts';
import { putSite } from '#backend/domain/sites/put-site.ts';
import { publicPaths, siteInput } from '../support/builders.ts';
import { eachStore } from '../support/each-store.ts';
import { carl, otto, stranger, world } from './world.ts';
import type { World } from './world.ts';

const params = { org: 'acme', site: 'site' };
const put = (place: World, extra = {}, site = 'site') =>
  place.call(endpoints.putSite, putSite, otto, { params: { org: 'acme', site }, body: siteInput(site, 'acme', extra) });
const restore = (place: World, version: number, caller = otto) =>
  place.call(endpoints.postSite, postSite, caller, { params, query: { restoreVersion: `${version}` } });
const remove = (place: World, caller = otto) => place.call(endpoints.deleteSite, deleteSite, caller, { params });
const versions = async (place: World) => (await place.call(endpoints.listVersions, historyVerbs.listVersions, otto, { params })).body;

eachStore((engine) => {
  const begin = async () => world(await engine.open());

  it('brings a version back as a new version', async () => {
    const place = await begin();
    await put(place, { title: 'One' });
    await put(place, { title: 'Two' });
    expect(await restore(place, 1)).toMatchObject({ status: 200, body: { title: 'One' } });
    expect(await versions(place)).toMatchObject({ current: 3, versions: [{ version: 3 }, { version: 2 }, { version: 1 }] });
    const old = await place.call(endpoints.getVersion, historyVerbs.getVersion, otto, { params: { ...params, version: 2 } });
    expect(old.body).toMatchObject({ version: 2, user: 'otto@example.com', data: { title: 'Two' } });
  });

  it('keeps the history of a removed site, brings it back, and never gives a number twice', async () => {
    const place = await begin();
    const { body: first } = await put(place, { title: 'One' });
    expect(await remove(place)).toEqual({ status: 204 });
    await expect(place.call(endpoints.getSite, getSite, otto, { params })).rejects.toMatchObject({ code: 'SITE_NOT_FOUND' });
    await expect(remove(place)).rejects.toMatchObject({ code: 'SITE_NOT_FOUND' });
    const removed = await versions(place);
    expect(removed).not.toHaveProperty('current');
    expect(removed).toMatchObject({ versions: [{ version: 2 }, { version: 1 }] });
    await expect(restore(place, 2)).rejects.toMatchObject({ code: 'VERSION_NOT_FOUND' });
    const back = await restore(place, 1);
    expect(back.status).toBe(201);
    expect(back.body).toMatchObject({ title: 'One', created: Object(first).created });
    expect(await versions(place)).toMatchObject({ current: 3 });
  });

  it('refuses a version whose content root another site took meanwhile', async () => {
    const place = await begin();
    await put(place, { public: publicPaths('/content/x') });
    await remove(place);
    await put(place, { public: publicPaths('/content/x') }, 'two');
    await expect(restore(place, 1)).rejects.toMatchObject({
      code: 'VERSION_REFUSED',
      message: expect.stringContaining('"acme/two"'),
      data: { site: 'two', code: 'CONTENT_ROOT_TAKEN', version: '1' },
    });
  });

  it('refuses versions that are not there, bodies beside a version, and callers without a role', async () => {
    const place = await begin();
    await put(place);
    await expect(restore(place, 7)).rejects.toMatchObject({ code: 'VERSION_NOT_FOUND' });
    await expect(restore(place, 1, stranger)).rejects.toMatchObject({ code: 'NOT_AUTHORIZED' });
    await expect(remove(place, carl)).rejects.toMatchObject({ code: 'NOT_AUTHORIZED' });
    const both = place.call(endpoints.postSite, postSite, otto, { params, query: { restoreVersion: '1' }, body: siteInput() });
    await expect(both).rejects.toMatchObject({ code: 'BODY_INVALID' });
    const none = place.call(endpoints.postSite, postSite, otto, { params });
    await expect(none).rejects.toMatchObject({ code: 'BODY_MISSING', message: 'missing body' });
  });

  it('keeps both of two people’s changes in the history when they write at once', async () => {
    const place = await begin();
    const outcomes = await Promise.all([put(place, { title: 'Ada' }), put(place, { title: 'Otto' })]);
    expect(outcomes.map(({ status }) => status).sort((one, other) => one - other)).toEqual([200, 201]);
    expect(await versions(place)).toMatchObject({ current: 2, versions: [{ version: 2 }, { version: 1 }] });
  });

  it('lets one of two people win who change what both read', async () => {
    const place = await begin();
    const { etag = '' } = await put(place);
    const change = (title: string) =>
      place.call(endpoints.putSite, putSite, otto, { params, body: siteInput('site', 'acme', { title }), ifMatch: etag });
    const outcomes = await Promise.allSettled([change('a'), change('b')]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'PRECONDITION_FAILED' } });
  });

  it('gives a content root to one of two sites that ask for it at once', async () => {
    const place = await begin();
    const outcomes = await Promise.allSettled(['one', 'two'].map((site) => put(place, { public: publicPaths('/content/x') }, site)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const refused = outcomes.find(({ status }) => status === 'rejected');
    expect(refused).toMatchObject({ reason: { code: 'CONTENT_ROOT_TAKEN', data: { org: 'acme' } } });
  });

  it('lists sites with a link to the next page, and with details where asked', async () => {
    const place = await begin();
    for (const site of ['a', 'b', 'c']) await put(place, { cdn: { prod: { host: `${site}.example` } } }, site);
    const list = (query: Record<string, string>) => place.call(endpoints.listSites, listSites, otto, { params: { org: 'acme' }, query });
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
