import { describe, expect, it, vi } from 'vitest';
import { openStore } from '@repoless/service/db/open-store.ts';
import type { Store } from '@repoless/service/domain/ports.ts';
import { siteWrite } from '../support/builders.ts';
import { postgresEngine, eachStore } from '../support/each-store.ts';
import { changeProfile, extendProfile } from './profiles.ts';
import { putSite } from './put-site.ts';
import { nodeWithOwnClock, register } from './checked-sites.ts';
import { executeIn } from '../support/operate.ts';

describe('several nodes on one PostgreSQL', () => {
  const engine = postgresEngine();

  it('can start at the same time on an empty database', async () => {
    const database = await engine.emptyDatabase();
    const [first, second] = await Promise.all([database.open(), database.open(), database.open(), database.open()]);
    await putSite(first, siteWrite());
    expect(await second.reads.site('acme', 'site')).toBeDefined();
  });

  it('are notified of each other’s changes', async () => {
    const database = await engine.newDatabase();
    const [here, there] = [await database.open(), await database.open()];
    const notified: string[] = [];
    there.onSiteChange((_org, site) => notified.push(site));
    for (const site of ['a', 'b', 'c', 'd', 'e']) await putSite(here, siteWrite(site));
    await here.write((writes) => writes.deleteSite('acme', 'a', new Date()));
    await expect.poll(() => notified, WAIT).toEqual(['a', 'b', 'c', 'd', 'e', 'a']);
  });

  it('never assign a version number twice', async () => {
    const database = await engine.newDatabase();
    const nodes = [await database.open(), await database.open()];
    await Promise.all(nodes.flatMap((node) => Array.from({ length: 10 }, () => bump(node))));
    const [one] = nodes;
    expect((await one?.reads.site('acme', 'site'))?.version).toBe(20);
    expect(await one?.reads.versions({ kind: 'site', org: 'acme', site: 'site' })).toHaveLength(20);
  });

  it('are notified of each site that a profile change affects', async () => {
    const database = await engine.newDatabase();
    const [here, there] = [await database.open(), await database.open()];
    await changeProfile(here, { title: 'Old' });
    for (const site of ['a', 'b']) await extendProfile(there, site);
    const notified = Promise.all([changeOf(there, 'a'), changeOf(there, 'b')]);
    await changeProfile(here, { title: 'New' });
    await notified;
    expect((await there.reads.site('acme', 'b'))?.aggregate.title).toBe('New');
  });

  it('apply a profile to all sites that start to extend it while it changes', async () => {
    const database = await engine.newDatabase();
    const nodes = [await database.open(), await database.open(), await database.open()];
    const [first] = nodes;
    if (first === undefined) return expect.unreachable();
    await changeProfile(first, { title: 'Started' });
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

  it('are notified again after their connection was lost', async () => {
    const database = await engine.newDatabase();
    const here = await database.open();
    const lost = vi.fn<(message: string, error: unknown) => void>();
    const there = await openStore({ ...database.options, log: lost });
    await engine.cutConnections();
    await vi.waitFor(() => expect(lost).toHaveBeenCalled(), WAIT);

    const notified: string[] = [];
    there.onSiteChange((_org, site) => notified.push(site));
    let tries = 0;
    const expectNotification = async () => {
      tries += 1;
      await putSite(here, siteWrite(`after-${tries}`));
      expect(notified).not.toEqual([]);
    };
    await vi.waitFor(expectNotification, WAIT);
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
const MINUTE = 60_000;
const ahead = () => ({ time: new Date(Date.now() + 10 * MINUTE) });

describe('a node on PostgreSQL whose clock is ahead', () => {
  const engine = postgresEngine();

  it('joins another node’s check of an organization', async () => {
    const database = await engine.newDatabase();
    const [store, other] = [await database.open(), await database.open()];
    await register(store, 1);
    const gate = signal();
    const checks: Store['checks'] = { ...store.checks, due: (...args) => gate.given.then(() => store.checks.due(...args)) };
    const [slow, second] = [nodeWithOwnClock({ ...store, checks }, { time: new Date() }), nodeWithOwnClock(other, ahead())];
    expect(await slow.start('acme')).toMatchObject({ joined: false });
    expect(await second.start('acme')).toMatchObject({ joined: true });
    gate.give();
    await slow.close();
    await second.close();
  });
});

function signal(): { readonly given: Promise<void>; give(): void } {
  let give: () => void = () => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give: () => give() };
}
eachStore(({ emptyDatabase: database }) => {
  it('does not open on tables that a newer version migrated, at the second attempt either', async () => {
    const used = await database();
    await used.open().then((store) => store.close());
    await executeIn(used.options, `insert into migrations (name, applied) values ('9999-of-the-future', '2100-01-01T00:00:00.000Z')`);
    const sentence = /A newer version has migrated the tables \("9999-of-the-future"\), .*Start the newer version, or restore the backup/;
    await expect(used.open()).rejects.toThrow(sentence);
    await expect(used.open()).rejects.toThrow(sentence);
  });
});

describe('a running node', () => {
  const engine = postgresEngine();

  it('continues to read and write after a newer version added columns', async () => {
    const used = await engine.newDatabase();
    const store = await used.open();
    await changeProfile(store, { title: 'Shared' });
    await extendProfile(store, 'site');
    const read = () => Promise.all(Array.from({ length: 20 }, () => store.reads.profile('acme', 'base')));
    await read();
    for (const table of ['profiles', 'sites', 'versions', 'audit'])
      await executeIn(used.options, `alter table ${table} add column more text`);
    expect((await read()).map((profile) => profile?.version)).toEqual(Array.from({ length: 20 }, () => 1));
    await changeProfile(store, { title: 'Changed' });
    await extendProfile(store, 'other');
    expect((await store.reads.site('acme', 'site'))?.aggregate.title).toBe('Changed');
  });
});
