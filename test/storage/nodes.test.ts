import { describe, expect, it, vi } from 'vitest';
import { openStore } from '@repoless/service/db/open-store.ts';
import type { Store } from '@repoless/service/domain/ports.ts';
import { siteWrite } from '../support/builders.ts';
import { postgresEngine } from '../support/each-store.ts';
import { changeProfile, extendProfile } from './profiles.ts';
import { putSite } from './put-site.ts';

describe('several nodes on one PostgreSQL', () => {
  const engine = postgresEngine();

  it('can be started at the same moment on an empty database', async () => {
    const place = await engine.emptyPlace();
    const [first, second] = await Promise.all([place.open(), place.open(), place.open(), place.open()]);
    await putSite(first, siteWrite());
    expect(await second.reads.site('acme', 'site')).toBeDefined();
  });

  it('hear of each other’s changes', async () => {
    const place = await engine.place();
    const [here, there] = [await place.open(), await place.open()];
    const heard: string[] = [];
    there.onSiteChange((_org, site) => heard.push(site));
    for (const site of ['a', 'b', 'c', 'd', 'e']) await putSite(here, siteWrite(site));
    await here.write((writes) => writes.deleteSite('acme', 'a', new Date()));
    await expect.poll(() => heard, WAIT).toEqual(['a', 'b', 'c', 'd', 'e', 'a']);
  });

  it('never give a version number twice, whoever writes', async () => {
    const place = await engine.place();
    const nodes = [await place.open(), await place.open()];
    await Promise.all(nodes.flatMap((node) => Array.from({ length: 10 }, () => bump(node))));
    const [one] = nodes;
    expect((await one?.reads.site('acme', 'site'))?.version).toBe(20);
    expect(await one?.reads.versions({ kind: 'site', org: 'acme', site: 'site' })).toHaveLength(20);
  });

  it('hear of each site that the change of a profile reached', async () => {
    const place = await engine.place();
    const [here, there] = [await place.open(), await place.open()];
    await changeProfile(here, { title: 'Old' });
    for (const site of ['a', 'b']) await extendProfile(there, site);
    const heard = Promise.all([changeOf(there, 'a'), changeOf(there, 'b')]);
    await changeProfile(here, { title: 'New' });
    await heard;
    expect((await there.reads.site('acme', 'b'))?.aggregate.title).toBe('New');
  });

  it('let a profile and the sites that come to extend it never miss each other', async () => {
    const place = await engine.place();
    const nodes = [await place.open(), await place.open(), await place.open()];
    const [first] = nodes;
    if (first === undefined) return expect.unreachable();
    await changeProfile(first, { title: 'Begun' });
    const names = Array.from({ length: 40 }, (_, index) => `site-${index}`);
    const spread = (index: number) => nodes[index % nodes.length] ?? first;
    await Promise.all([
      ...names.map((name, index) => extendProfile(spread(index), name)),
      ...Array.from({ length: 8 }, (_, index) => changeProfile(spread(index), { title: `Title ${index}` })),
      ...names.slice(0, 20).map((name, index) => extendProfile(spread(index + 1), name, undefined, { description: 'Again' })),
    ]);
    const base = await first.reads.profile('acme', 'base');
    expect(base?.version).toBe(9);
    const sites = await first.reads.sitesOfProfile('acme', 'base');
    expect(sites).toHaveLength(40);
    expect(new Set(sites.map(({ aggregate }) => aggregate.title))).toEqual(new Set([base?.config.title]));
  });

  it('hear again after their connection was lost', async () => {
    const place = await engine.place();
    const here = await place.open();
    const lost = vi.fn<(message: string, error: unknown) => void>();
    const there = await openStore({ ...place.options, log: lost });
    await engine.cutConnections();
    await vi.waitFor(() => expect(lost).toHaveBeenCalled(), WAIT);

    const heard: string[] = [];
    there.onSiteChange((_org, site) => heard.push(site));
    let tries = 0;
    const told = async () => {
      tries += 1;
      await putSite(here, siteWrite(`after-${tries}`));
      expect(heard).not.toEqual([]);
    };
    await vi.waitFor(told, WAIT);
    await there.close();
  });
});

function changeOf(store: Store, wanted: string): Promise<void> {
  return new Promise((resolve) => {
    const stop = store.onSiteChange((_org, site) => {
      if (site !== wanted) return;
      stop();
      resolve();
    });
  });
}

function bump(store: Store): Promise<void> {
  return store.write(async (writes) => {
    const version = ((await writes.site('acme', 'site'))?.version ?? 0) + 1;
    const config = siteWrite('site', { title: `${version}` }, version);
    const time = new Date();
    await writes.putSite(config);
    await writes.addVersion({ subject: { kind: 'site', org: 'acme', site: 'site' }, version, created: time, data: config.config });
    await writes.addAudit({ org: 'acme', site: 'site', time, user: 'ada@example.com', action: 'put-site', requestId: 'r', to: version });
  });
}

const WAIT = { timeout: 10_000 };
