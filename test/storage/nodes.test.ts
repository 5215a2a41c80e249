import pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { siteDigest } from '@repoless/service/db/digest.ts';
import { openStore } from '@repoless/service/db/open-store.ts';
import type { StoreOptions } from '@repoless/service/db/open-store.ts';
import type { Store } from '@repoless/service/domain/ports.ts';
import { profileRow } from '@repoless/service/db/write-rows.ts';
import { siteWrite } from '../support/builders.ts';
import { postgresEngine } from '../support/each-store.ts';
import { changeProfile, extendProfile, profile } from './profiles.ts';
import { somebodyWaits } from '../support/somebody-waits.ts';
import { putSite } from './put-site.ts';

describe('several nodes on one PostgreSQL', () => {
  const engine = postgresEngine();

  it('can be started at the same moment on an empty database', async () => {
    const place = await engine.emptyPlace();
    const [first, second] = await Promise.all([place.open(), place.open(), place.open(), place.open()]);
    await putSite(first, siteWrite());
    expect(await second.reads.site('acme', 'site')).toBeDefined();
  });

  it('hear of each other’s changes before these are acknowledged', async () => {
    const place = await engine.place();
    const [here, there] = [await place.open(), await place.open()];
    const heard: string[] = [];
    there.onSiteChange((_org, site) => heard.push(site));
    for (const site of ['a', 'b', 'c', 'd', 'e']) {
      await putSite(here, siteWrite(site));
      expect(heard.at(-1)).toBe(site);
    }
    await here.write((writes) => writes.deleteSite('acme', 'a', new Date()));
    expect(heard).toEqual(['a', 'b', 'c', 'd', 'e', 'a']);
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

  it('wait, to change a profile, for the end of a site that comes to extend it', async () => {
    const place = await engine.place();
    const store = await place.open();
    await changeProfile(store, { title: 'Old' });
    const other = await connected(place.options);
    const config = JSON.stringify(siteWrite('late').config);
    await other.query('begin');
    await other.query("select version from profiles where org = 'acme' and profile = 'base' for share");
    await other.query(
      `insert into sites (org, site, config, etag, version, holds_secret, profile, digest)
        values ('acme', 'late', $1, '"e"', 1, 0, 'base', $2)`,
      [config, siteDigest({ org: 'acme', site: 'late', config, etag: '"e"', version: 1 })],
    );
    const seen: number[] = [];
    const changed = changeProfile(store, { title: 'New' }, (sites) => void seen.push(sites));
    await somebodyWaits(other);
    await other.query('commit');
    await other.end();
    await changed;
    expect(seen).toEqual([0, 1]);
    expect((await store.reads.site('acme', 'late'))?.aggregate.title).toBe('New');
  });

  it('wait, to store a site, for the end of a change of the profile that it extends', async () => {
    const place = await engine.place();
    const store = await place.open();
    await changeProfile(store, { title: 'Old' });
    const other = await connected(place.options);
    await other.query('begin');
    await other.query("select version from profiles where org = 'acme' and profile = 'base' for update");
    const changed = profileRow({ ...profile({ title: 'New' }), version: 2 });
    await other.query('update profiles set version = 2, config = $1, etag = $2, digest = $3', [
      changed.config,
      changed.etag,
      changed.digest,
    ]);
    const seen: number[] = [];
    const extended = extendProfile(store, 'site', (version) => void seen.push(version));
    await somebodyWaits(other);
    await other.query('commit');
    await other.end();
    await extended;
    expect(seen).toEqual([1, 2]);
    expect((await store.reads.site('acme', 'site'))?.aggregate.title).toBe('New');
  });

  it('say that changes may have been missed when their connection is lost, and hear again afterwards', async () => {
    const place = await engine.place();
    const here = await place.open();
    const log = vi.fn<(message: string, error: unknown) => void>();
    const there = await openStore({ ...place.options, log });
    let missed = 0;
    there.onChangesMissed(() => (missed += 1));
    await engine.cutConnections();
    await vi.waitFor(() => expect(missed).toBe(2), WAIT);

    const heard = changeOf(there, 'after');
    await vi.waitFor(() => putSite(here, siteWrite('after')), WAIT);
    await heard;
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

/** Another node in the middle of a write: nothing of it can be seen before its end. */
async function connected({ databaseUrl }: StoreOptions): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  return client;
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
