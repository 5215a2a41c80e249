import { describe, expect, it } from 'vitest';
import { openStore } from '@repoless/service/db/open-store.ts';
import type { StoreOptions } from '@repoless/service/db/open-store.ts';
import { LEASE } from '@repoless/service/db/hearing.ts';
import type { Store } from '@repoless/service/domain/ports.ts';
import { siteWrite } from '../support/builders.ts';
import { postgresEngine } from '../support/each-store.ts';
import type { Engine } from '../support/each-store.ts';
import { waitOf } from '../support/loop-clock.ts';
import { millisecondsOf } from '../support/milliseconds-of.ts';
import { startNetwork } from '../support/network.ts';
import type { Network } from '../support/network.ts';
import { changeProfile, extendProfile } from './profiles.ts';
import { putSite } from './put-site.ts';

/** Milliseconds that a write may wait for a node that does not respond. */
const BOUND = LEASE + 500;
const KEY = { id: 'key-1', org: 'acme', site: 'site', roles: ['author' as const], createdBy: 'ada@example.com' };

describe('a write on one of several nodes', () => {
  const engine = postgresEngine();

  it.each<[string, (store: Store) => Promise<void>, string]>([
    ['a site', (store) => putSite(store, siteWrite('site', { title: 'New' }, 2)), 'acme/site'],
    ['the removal of a site', (store) => store.write((writes) => writes.deleteSite('acme', 'site', new Date())), 'acme/site'],
    ['a profile that sites extend', (store) => changeProfile(store, { title: 'New' }), 'acme/extending'],
    ['a site that extends a profile', (store) => extendProfile(store, 'extending', undefined, { title: 'New' }), 'acme/extending'],
    ['an API key', (store) => store.write((writes) => writes.putApiKey({ ...KEY, created: new Date(), expires: new Date() })), 'key-1'],
    ['an ended sign-in', (store) => store.shortLived.put('revoked-token', 'token-1', true, new Date(Date.now() + 60_000)), 'token-1'],
    ['the end of all sessions of a person', (store) => store.sessionEnds.end('person-1', new Date()), 'person-1'],
  ])('is acknowledged when all of them have heard of it, however far they are: %s', async (_what, write, told) => {
    const { here, there, network, stop } = await twoNodes(engine);
    await putSite(here, siteWrite('site'));
    await changeProfile(here, { title: 'Old' });
    await extendProfile(here, 'extending');
    const heard = new Set<string>();
    there.onSiteChange((org, site) => heard.add(`${org}/${site}`));
    there.onTokenChange((id) => heard.add(id));
    network.delay(150);
    await write(here);
    expect(heard).toContain(told);
    await stop();
  });

  it('is acknowledged together with those of its batch', async () => {
    const { here, there, network, stop } = await twoNodes(engine);
    const heard = new Set<string>();
    there.onSiteChange((_org, site) => heard.add(site));
    network.delay(100);
    const sites = Array.from({ length: 30 }, (_, index) => `site-${index}`);
    const alone = await millisecondsOf(() => putSite(here, siteWrite('alone')));
    heard.clear();
    const together = await millisecondsOf(() => Promise.all(sites.map((site) => putSite(here, siteWrite(site)))));
    expect([...heard].sort()).toEqual([...sites].sort());
    // Not one wait after the other.
    expect(together / alone).toBeLessThan(10);
    await stop();
  });

  it('that wants what another node has just stored is acknowledged when all of them have heard of that', async () => {
    const { here, there, network, place, stop } = await twoNodes(engine);
    const other = await openStore(place.options);
    await putSite(here, siteWrite('site'));
    const heard: string[] = [];
    there.onSiteChange((_org, site) => heard.push(site));
    network.delay(150);
    const first = putSite(here, siteWrite('site', { title: 'New' }, 2));
    await expect.poll(() => versionOf(other)).toBe(2);
    await changeNothing(other);
    expect(heard).toEqual(['site']);
    await first;
    await Promise.all([other.close(), stop()]);
  });

  it('waits for a node that is silent until that one uses nothing it kept, and the next ones do not wait', async () => {
    const { here, there, network, stop } = await twoNodes(engine);
    expect(there.isHearing()).toBe(true);
    network.freeze();
    const took = await waitOf(() => putSite(here, siteWrite('first')));
    expect(there.isHearing()).toBe(false);
    expect(took).toBeLessThan(BOUND);
    expect(await waitOf(() => putSite(here, siteWrite('second')))).toBeLessThan(took / 2);
    network.thaw();
    await stop();
  });

  it('does not wait for a node that was stopped in order', async () => {
    const { here, there, stop } = await twoNodes(engine);
    await there.close();
    expect(await waitOf(() => putSite(here, siteWrite('site')))).toBeLessThan(LEASE / 2);
    await stop();
  });

  it('says in the log which node it waited for, once', async () => {
    const said: string[] = [];
    const { here, network, stop } = await twoNodes(engine, (message) => said.push(message));
    network.freeze();
    await putSite(here, siteWrite('first'));
    await putSite(here, siteWrite('second'));
    expect(said).toEqual([expect.stringMatching(new RegExp(`process ${process.pid} does not confirm`))]);
    network.thaw();
    await stop();
  });
});

/** A write of a site that finds it as it wants it. */
function changeNothing(store: Store): Promise<void> {
  return store.write(
    async (writes) => {
      expect(await writes.site('acme', 'site')).toBeDefined();
    },
    { kind: 'site', org: 'acme', site: 'site' },
  );
}

async function versionOf(store: Store): Promise<number | undefined> {
  return (await store.reads.site('acme', 'site'))?.version;
}

/** Two nodes; the second reaches the database over a network that can fail. */
async function twoNodes(engine: Engine, log: (message: string) => void = () => undefined) {
  const place = await engine.place();
  const here = await openStore({ ...place.options, log });
  const network = await startNetwork({ path: socketOf(place.options) });
  const there = await openStore({ ...place.options, databaseUrl: through(network, place.options) });
  const stop = async () => {
    await Promise.all([here.close(), there.close()]);
    await network.close();
  };
  return { here, there, network, place, stop };
}

function socketOf({ databaseUrl = '' }: StoreOptions): string {
  return `${new URL(databaseUrl).searchParams.get('host') ?? ''}/.s.PGSQL.5432`;
}

function through({ port }: Network, { databaseUrl = '' }: StoreOptions): string {
  const address = new URL(databaseUrl);
  address.search = '';
  address.host = `127.0.0.1:${port}`;
  return address.href;
}
