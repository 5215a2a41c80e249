import { expect, it } from 'vitest';
import type { StoredApiKey } from '@repoless/service/domain/ports.ts';
import { siteWrite } from '../support/builders.ts';
import { eachStore } from '../support/each-store.ts';
import { putSite } from './put-site.ts';

eachStore((engine) => {
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
