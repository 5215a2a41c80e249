import { expect, it } from 'vitest';
import { siteWrite, org } from '../support/builders.ts';
import { eachStore } from '../support/each-store.ts';
import { putSite } from './put-site.ts';
import type { Org } from '@repoless/contract/org.ts';
import type { StoredApiKey } from '@repoless/service/domain/ports.ts';

eachStore((engine) => {
  it('counts what an organization has, with each change', async () => {
    const store = await engine.open();
    const usage = () => store.reads.usage('acme');
    expect(await usage()).toEqual({ sites: 0, versions: 0, bytes: 0, secrets: 0, apiKeys: 0 });

    const site = siteWrite();
    const bytes = Buffer.byteLength(JSON.stringify(site.config));
    await putSite(store, site);
    expect(await usage()).toEqual({ sites: 1, versions: 1, bytes: 2 * bytes, secrets: 0, apiKeys: 0 });

    const longer = { ...site, version: 2, config: { ...site.config, title: 'ä' } };
    const more = Buffer.byteLength(JSON.stringify(longer.config));
    await putSite(store, longer);
    expect(await usage()).toMatchObject({ sites: 1, versions: 2, bytes: bytes + 2 * more });

    const secret = {
      org: 'acme',
      site: site.site,
      name: 's',
      type: 'key',
      sealed: 'x',
      created: new Date(),
      lastModified: new Date(),
    } as const;
    for (const sealed of ['x', 'y']) await store.write((writes) => writes.putSecret({ ...secret, sealed }));
    expect(await usage()).toMatchObject({ secrets: 1 });

    await store.write((writes) => writes.deleteVersion({ kind: 'site', org: 'acme', site: site.site }, 1));
    expect(await usage()).toMatchObject({ versions: 1, bytes: 2 * more });
    await store.write((writes) => writes.deleteSite('acme', site.site, new Date()));
    expect(await usage()).toEqual({ sites: 0, versions: 1, bytes: more, secrets: 0, apiKeys: 0 });
    expect(await store.reads.usage('other')).toMatchObject({ sites: 0, bytes: 0 });
  });

  it('finds the organizations that name somebody, in their order, and follows each change', async () => {
    const { reads, write } = await engine.open();
    const put = async (name: string, extra: Partial<Org>, version = 1) =>
      write(async (writes) => {
        await writes.org(name);
        await writes.putOrg({ ...org(name, extra), version });
      });
    await put('beta', { ...users('Ada@example.com', 'ada@example.com'), groups: { all: { members: [{ email: 'bob@example.com' }] } } });
    await put('alpha', users('*@example.com', '*', 'groups/all', 'odd\0"name'));
    const naming = (...entries: string[]) => reads.orgsNaming(entries, { limit: 9 });
    expect(await naming('ada@example.com')).toEqual(['beta']);
    expect(await naming('bob@example.com', '*@example.com')).toEqual(['alpha', 'beta']);
    expect(await naming('odd\uFFFD"name')).toEqual(['alpha']);
    expect(await naming('*', 'groups/all', '')).toEqual([]);
    expect(await reads.orgsNaming(['ada@example.com', '*@example.com'], { limit: 1 })).toEqual(['alpha']);
    expect(await reads.orgsNaming(['ada@example.com', '*@example.com'], { limit: 9, after: 'alpha' })).toEqual(['beta']);

    await put('beta', users('carl@example.com'), 2);
    expect(await naming('ada@example.com', 'bob@example.com')).toEqual([]);
    expect(await naming('carl@example.com')).toEqual(['beta']);
    await put('beta', { users: [] }, 3);
    expect(await naming('carl@example.com')).toEqual([]);
  });

  it('answers the keys of a site, or those of the organization itself, the newest last', async () => {
    const { reads, write } = await engine.open();
    const [late, early, ofOrg] = [key('a', 2, 'site'), { ...key('b', 1, 'site'), description: 'For the build' }, key('c', 0)];
    for (const one of [late, early, ofOrg, key('d', 0, 'other')]) await write((writes) => writes.putApiKey(one));
    expect(await reads.apiKeys('acme', 'site')).toEqual([early, late]);
    expect(await reads.apiKeys('acme')).toEqual([ofOrg]);
    expect(await reads.apiKeys('other')).toEqual([]);
    expect(await reads.apiKey('b')).toEqual(early);

    await write((writes) => writes.putApiKey({ ...early, description: 'For nothing' }));
    expect(await reads.apiKey('b')).toMatchObject({ description: 'For nothing' });
    await write((writes) => writes.deleteApiKey('b'));
    expect(await reads.apiKey('b')).toBeUndefined();
    expect(await reads.apiKeys('acme', 'site')).toEqual([late]);
  });

  it('removes the keys of a site with it, and no other', async () => {
    const store = await engine.open();
    await putSite(store, siteWrite());
    for (const one of [key('a', 1, 'site'), key('b', 1, 'site-2'), key('c', 1)]) await store.write((writes) => writes.putApiKey(one));
    await store.write((writes) => writes.deleteSite('acme', 'site', new Date()));
    expect(await store.reads.apiKey('a')).toBeUndefined();
    expect([await store.reads.apiKey('b'), await store.reads.apiKey('c')]).toMatchObject([{ id: 'b' }, { id: 'c' }]);
  });

  it.each(['the key', 'the removal'])('leaves no key whose site is removed at the same moment: %s first', async (first) => {
    const store = await engine.open();
    await putSite(store, siteWrite());
    const issue = () =>
      store.write(async (writes) => {
        if ((await writes.site('acme', 'site')) !== undefined) await writes.putApiKey(key('a', 1, 'site'));
      });
    const remove = () => store.write((writes) => writes.deleteSite('acme', 'site', new Date()));
    await Promise.all(first === 'the key' ? [issue(), remove()] : [remove(), issue()]);
    expect(await store.reads.apiKeys('acme', 'site')).toEqual([]);
  });
});

const users = (...emails: string[]): Partial<Org> => ({ users: emails.map((email, id) => ({ id: String(id), email, roles: ['admin'] })) });

function key(id: string, hour: number, site?: string): StoredApiKey {
  const created = new Date(Date.UTC(2026, 0, 1, hour));
  const expires = new Date(Date.UTC(2027, 0, 1, hour));
  return {
    id,
    org: 'acme',
    ...(site === undefined ? {} : { site }),
    roles: ['author', 'publish'],
    created,
    createdBy: 'ada@example.com',
    expires,
  };
}
