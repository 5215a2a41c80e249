import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '@repoless/service/domain/ports.ts';
import { openStore } from '@repoless/service/db/open-store.ts';
import { OPERATOR, publicPart, siteBody, startTestBackend } from '../support/backend.ts';
import type { TestBackend } from '../support/backend.ts';
import { postgresEngine } from '../support/each-store.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const as = OPERATOR;
const BASE = '/config/wknd/profiles/base.json';
const WITH = (brand: string) => ({ public: { brand, paths: { includes: ['/content/'] } } });
const extending = (site: string) => siteBody('wknd', site, { extends: { profile: 'base' } });

describe('The calls of profiles', () => {
  const backend = startBeforeAll(() => startTestBackend());
  const call = (method: string, path: string, body?: unknown, headers = {}) =>
    backend.call(method, path, { as, headers, ...(body === undefined ? {} : { body }) });

  it('make, list, read, change by parts, and remove one', async () => {
    expect((await call('GET', '/config/wknd/profiles.json')).json()).toEqual({ profiles: [] });
    const made = await call('PUT', BASE, WITH('one'));
    expect([made.status, made.json()]).toEqual([201, expect.objectContaining({ version: 1, name: 'base' })]);
    expect((await call('GET', '/config/wknd/profiles.json')).json()).toEqual({
      profiles: [{ name: 'base', path: '/config/wknd/profiles/base.json' }],
    });
    const read = await call('GET', BASE);
    expect([read.text, read.headers['etag']]).toEqual([made.text, made.headers['etag']]);
    expect((await call('PUT', BASE, WITH('two'), { 'if-match': '"another"' })).status).toBe(412);

    const headers = { '/**': [{ key: 'x-brand', value: 'one' }] };
    const set = await call('POST', '/config/wknd/profiles/base/headers.json', headers);
    expect([set.status, set.json()]).toEqual([200, headers]);
    expect((await call('GET', '/config/wknd/profiles/base/headers.json')).json()).toEqual(headers);
    const group = { members: [{ email: 'ada@example.com' }] };
    expect((await call('POST', '/config/wknd/profiles/base/groups/editors.json', group)).json()).toEqual(group);
    expect((await call('DELETE', '/config/wknd/profiles/base/groups/editors.json')).status).toBe(204);

    const tried = await call('DELETE', '/config/wknd/profiles/base.json?dryRun=true');
    expect(tried.json()).toMatchObject({ dryRun: true, status: 204 });
    expect((await call('DELETE', BASE)).status).toBe(204);
    expect((await call('GET', BASE)).headers['x-error-code']).toBe('PROFILE_NOT_FOUND');
  });

  it('take robots.txt as a text, which the live host of its sites shows', async () => {
    await call('PUT', BASE, {});
    await call('PUT', '/config/wknd/sites/robots.json', extending('robots'));
    const text = { 'content-type': 'text/plain' };
    const empty = await call('POST', '/config/wknd/profiles/base/robots.txt', '', text);
    expect([empty.status, empty.headers['x-error']]).toEqual([400, 'missing body']);
    expect((await call('POST', '/config/wknd/profiles/base/robots.txt', 'User-agent: *\n', text)).text).toBe('User-agent: *\n');
    expect((await backend.visit('live', 'main--robots--wknd', '/robots.txt')).text).toBe('User-agent: *\n');
    expect((await call('GET', '/config/wknd/sites/robots/robots.txt')).headers['x-error-code']).toBe('PART_NOT_FOUND');
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
    expect((await call(method, path, body)).headers['x-error-code']).toBe(code);
  });
});

describe('A profile on two nodes', () => {
  const engine = postgresEngine();
  const stores: Store[] = [];
  let writer: TestBackend;
  let reader: TestBackend;
  beforeAll(async () => {
    const place = await engine.place();
    const open = async (): Promise<Store> => {
      const store = await openStore(place.options);
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

  it('is seen in the config.json of its sites when its change is acknowledged, on the node that stored it and on the other', async () => {
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

  it('keeps content roots apart, whichever node stores them', async () => {
    const shared = { public: publicPart('shared') };
    const [profile, site] = await Promise.all([
      writer.call('PUT', BASE, { as, body: shared }),
      reader.call('PUT', '/config/wknd/sites/alone.json', { as, body: siteBody('wknd', 'alone', shared) }),
    ]);
    expect(profile.headers['x-error-code']).toBe('CONTENT_ROOT_TAKEN');
    expect(site.status).toBe(201);
  });
});
