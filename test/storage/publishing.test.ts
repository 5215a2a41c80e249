import { expect, it } from 'vitest';
import type { QueueLease } from '#backend/domain/publishing/ports.ts';
import type { Store } from '#backend/domain/ports.ts';
import { publicPaths, siteWrite } from '../support/builders.ts';
import { eachStore } from '../support/each-store.ts';
import { putSite } from './put-site.ts';

const NOW = new Date('2026-01-01T00:00:00Z');
const lease = (owner: string, more: Partial<QueueLease> = {}): QueueLease => ({
  place: 'here',
  owner,
  now: NOW,
  leased: NOW,
  until: new Date(NOW.getTime() + 60_000),
  limit: 10,
  behind: '',
  ...more,
});
const named = (sites: readonly { org: string; site: string }[]) => sites.map(({ org, site }) => `${org}/${site}`).toSorted();

eachStore((engine) => {
  async function open(): Promise<Store> {
    const store = await engine.open();
    await store.publishing.publishTo('here');
    return store;
  }
  const change = (store: Store, site: string, version = 1, org = 'acme') =>
    putSite(store, siteWrite(site, { public: publicPaths(`/content/${site}${version}`) }, version, org));

  it('queues a site in the transaction that changes it, and nothing of one that is taken back', async () => {
    const store = await open();
    await change(store, 'kept');
    const refused = store.write(async (writes) => {
      await writes.putSite(siteWrite('never'));
      await writes.addVersion({ subject: { kind: 'site', org: 'acme', site: 'never' }, version: 1, created: NOW, data: {} });
      throw new Error('The rules refuse it.');
    });
    await expect(refused).rejects.toThrow('The rules refuse it.');
    // The database refuses it, when others of the same commit are stored.
    await putSite(store, { ...siteWrite('owner'), contentRoot: 'root' });
    const both = [putSite(store, { ...siteWrite('taker'), contentRoot: 'root' }), change(store, 'beside')];
    expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(named(await store.publishing.claim(lease('one')))).toEqual(['acme/beside', 'acme/kept', 'acme/owner']);
  });

  it('claims each site for one at a time, and for the next one when a lease ran out', async () => {
    const store = await open();
    for (const site of ['a', 'b', 'c']) await change(store, site);
    const first = await store.publishing.claim(lease('one', { limit: 2 }));
    const second = await store.publishing.claim(lease('two'));
    expect(named([...first, ...second])).toEqual(['acme/a', 'acme/b', 'acme/c']);
    expect(await store.publishing.claim(lease('three'))).toEqual([]);
    const late = new Date(NOW.getTime() + 61_000);
    const again = await store.publishing.claim(lease('three', { now: late, leased: late, until: new Date(late.getTime() + 60_000) }));
    expect(again.map(({ attempts }) => attempts)).toEqual([2, 2, 2]);
    // Who lost it learns that, and ends nothing.
    expect(await store.publishing.finish('one')).toEqual([]);
    expect(await store.publishing.again({ org: 'acme', site: 'a' }, 'one', NOW)).toBe(false);
    expect(named(await store.publishing.finish('three'))).toEqual(['acme/a', 'acme/b', 'acme/c']);
    expect(await store.publishing.waiting()).toEqual({ count: 0, oldest: undefined });
  });

  it('keeps a site that changes while it is published', async () => {
    const store = await open();
    await change(store, 'a');
    await store.publishing.claim(lease('one'));
    await change(store, 'a', 2);
    expect(await store.publishing.finish('one')).toEqual([]);
    expect(await store.publishing.again({ org: 'acme', site: 'a' }, 'one', NOW)).toBe(true);
    expect(named(await store.publishing.claim(lease('two')))).toEqual(['acme/a']);
  });

  it('keeps what is written until a CDN was told, without keeping a change of it waiting', async () => {
    const store = await open();
    const { publishing } = store;
    for (const site of ['a', 'b', 'c']) await change(store, site);
    const sites = await publishing.claim(lease('one'));
    const [next, problem] = [new Date(NOW.getTime() + 30_000), 'It is not told.'];
    await change(store, 'c', 2);
    expect(named(await publishing.written({ sites, owner: 'one', as: 'cdn', next, problem }))).toEqual(['acme/a', 'acme/b', 'acme/c']);
    // It is the owner's no longer.
    expect(await publishing.written({ sites, owner: 'one', as: 'cdn', next, problem })).toEqual([]);
    expect(await publishing.finish('one')).toEqual([]);
    await change(store, 'b', 2);
    expect(named(await publishing.claim(lease('two')))).toEqual(['acme/b', 'acme/c']);
    expect(named(await publishing.finish('cdn'))).toEqual(['acme/a']);
    await publishing.written({ sites, owner: 'two', as: 'cdn', next, problem });
    // Whoever was to tell it is gone: another one does all of it again, and knows that somebody began.
    expect(await publishing.claim(lease('three'))).toEqual([]);
    const again = await publishing.claim(lease('three', { now: next, leased: next }));
    expect(again.map(({ site, attempts }) => `${site} ${attempts}`).toSorted()).toEqual(['b 3', 'c 3']);
    expect(await publishing.finish('cdn')).toEqual([]);
    expect(named(await publishing.finish('three'))).toEqual(['acme/b', 'acme/c']);
  });

  it('gives the sites of all organizations their turn', async () => {
    const store = await open();
    for (const site of ['a', 'b', 'c', 'd', 'e']) await change(store, site, 1, 'large');
    await change(store, 'only', 1, 'small');
    expect(named(await store.publishing.claim(lease('one', { limit: 2 })))).toEqual([expect.stringMatching(/^large\//), 'small/only']);
  });

  it('goes on behind the organization that had its turn last, and begins again after the last one', async () => {
    const store = await open();
    for (const org of ['a', 'b']) for (const site of ['one', 'two', 'three']) await change(store, `${org}-${site}`, 1, org);
    await change(store, 'only', 1, 'z');
    const claim = async (owner: string, behind: string) => named(await store.publishing.claim(lease(owner, { limit: 2, behind })));
    const of = (org: string) => expect.stringMatching(new RegExp(`^${org}/`)) as string;
    expect(await claim('one', '')).toEqual([of('a'), of('b')]);
    expect(await claim('two', 'b')).toEqual([of('a'), 'z/only']);
    expect(await claim('three', 'a')).toEqual([of('a'), of('b')]);
    expect(await claim('four', 'z')).toEqual([of('b')]);
  });

  it('gives nothing to whoever publishes to another place than the one that was named last', async () => {
    const store = await open();
    await change(store, 'a');
    await store.publishing.publishTo('there');
    expect(await store.publishing.claim(lease('one'))).toEqual([]);
    expect(named(await store.publishing.claim(lease('one', { place: 'there' })))).toEqual(['acme/a']);
    await store.publishing.stop();
    await change(store, 'b');
    expect(await store.publishing.waiting()).toEqual({ count: 0, oldest: undefined });
  });

  it('lets one look at all sites, and the next one go on where it ended', async () => {
    const store = await open();
    const { limit: _, ...look } = lease('one');
    expect(await store.publishing.claimLook(look)).toEqual({ phase: 'sites', after: '' });
    expect(await store.publishing.claimLook({ ...look, owner: 'two' })).toBeUndefined();
    await store.publishing.lookedUpTo({ phase: 'sites', after: 'acme/m' }, 'one', NOW);
    expect(await store.publishing.claimLook({ ...look, owner: 'two' })).toEqual({ phase: 'sites', after: 'acme/m' });
    await store.publishing.lookedUpTo({ phase: 'done', after: '' }, 'two', new Date(NOW.getTime() + 1));
    expect(await store.publishing.claimLook(look)).toBeUndefined();
    const later = new Date(NOW.getTime() + 1);
    expect(await store.publishing.claimLook({ ...look, now: later, leased: later })).toEqual({ phase: 'sites', after: '' });
  });
});
