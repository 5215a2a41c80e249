import { openStore } from '@repoless/service/db/open-store.ts';
import type { Store } from '@repoless/service/domain/ports.ts';
import { verifyChain } from '@repoless/service/history/audit/chain.ts';
import { assignAuthoringHost, releaseAuthoringHost, releaseContentRoot } from '@repoless/service/administration/authoring-hosts.ts';
import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { org, publicPaths, siteWrite } from '../support/builders.ts';
import { eachStore, postgresEngine } from '../support/each-store.ts';
import { changeProfile, extendProfile } from './profiles.ts';
import { putSite } from './put-site.ts';

const HOST = 'author-p1-e2.example.com';
const CALL = { time: new Date('2026-11-01T00:00:00.000Z'), requestId: 'command' };
const TAKEN = { code: 'CONTENT_ROOT_TAKEN' };

const rooted = (site: string, of: string, version = 1, root = site) =>
  siteWrite(site, { public: publicPaths(`/content/${root}`) }, version, of);
const assign = (store: Store, name = 'acme') => assignAuthoringHost(store, { host: HOST, org: name }, CALL);
const heldOn = async (store: Store) => (await store.reads.contentRootsOn(HOST)).map((root) => `${root.org}/${root.site}`);

async function prepared(store: Store): Promise<Store> {
  for (const name of ['acme', 'other']) await store.write((writes) => writes.putOrg(org(name)));
  await putSite(store, rooted('mine', 'acme'));
  await putSite(store, rooted('theirs', 'other'));
  return store;
}

eachStore((engine) => {
  it('releases what sites of others hold on a host that is assigned, and tells their trail', async () => {
    const store = await prepared(await engine.open());
    expect(await heldOn(store)).toEqual(['acme/mine', 'other/theirs']);
    expect(await assign(store)).toEqual([{ org: 'other', site: 'theirs', contentRoot: `${HOST}/content/theirs` }]);
    expect(await heldOn(store)).toEqual(['acme/mine']);
    const site = await store.reads.site('other', 'theirs');
    expect(site).toMatchObject({ version: 1, config: rooted('theirs', 'other').config });
    expect(site?.contentRoot).toBeUndefined();
    expect(await store.reads.audits('other', { limit: 1 })).toMatchObject([
      { site: 'theirs', user: 'operator', action: `release-content-root/${HOST}/content/theirs`, ...CALL },
    ]);
    for (const name of ['acme', 'other']) expect((await verifyChain(store.reads, name)).broken).toBeUndefined();
    // A second time releases nothing; a missing organization holds nothing.
    expect(await assign(store)).toEqual([]);
    expect(await assign(store, 'nobody')).toBeUndefined();
    expect(await store.reads.authoringHosts()).toEqual([{ host: HOST, org: 'acme' }]);
  });

  it('refuses a root on it to all others, whatever they looked at before', async () => {
    const store = await prepared(await engine.open());
    await assign(store);
    await expect(putSite(store, rooted('new', 'other'))).rejects.toMatchObject(TAKEN);
    await expect(putSite(store, rooted('theirs', 'other', 2))).rejects.toMatchObject(TAKEN);
    await expect(store.write((writes) => writes.putSite(rooted('unseen', 'other')))).rejects.toMatchObject(TAKEN);
    await putSite(store, rooted('theirs', 'acme'));
    await putSite(store, rooted('mine', 'acme', 2));
    expect(await heldOn(store)).toEqual(['acme/mine', 'acme/theirs']);
  });

  it('refuses one among many writes that are stored together', async () => {
    const store = await prepared(await engine.open());
    await assign(store);
    const names = Array.from({ length: 10 }, (_, index) => `site-${index}`);
    const writes = names.map((name, index) => putSite(store, rooted(name, index === 4 ? 'other' : 'acme')));
    const ended = (await Promise.allSettled(writes)).map(({ status }) => status);
    expect(ended).toEqual(names.map((_, index) => (index === 4 ? 'rejected' : 'fulfilled')));
  });

  it('refuses what a profile makes of a site, too', async () => {
    const store = await prepared(await engine.open());
    await changeProfile(store, { title: 'Base' });
    await extendProfile(store, 'site');
    await assign(store, 'other');
    await expect(changeProfile(store, { public: publicPaths('/content/x') })).rejects.toMatchObject(TAKEN);
    expect((await store.reads.profile('acme', 'base'))?.version).toBe(1);
  });

  it('lets a root that is claimed while the host is assigned be released or refused', async () => {
    const store = await prepared(await engine.open());
    const names = Array.from({ length: 10 }, (_, index) => `late-${index}`);
    const claims = names.map((name) => putSite(store, rooted(name, 'other')));
    const [released] = await Promise.all([assign(store), Promise.allSettled(claims)]);
    expect(released?.map(({ site }) => site)).toContain('theirs');
    expect(await heldOn(store)).toEqual(['acme/mine']);
  });

  it('does not give a root back to a write that comes while it is released', async () => {
    const store = await prepared(await engine.open());
    const [, late] = await Promise.allSettled([assign(store), putSite(store, rooted('theirs', 'other', 2))]);
    expect(late.status === 'fulfilled' || late.reason.code === TAKEN.code).toBe(true);
    expect(await heldOn(store)).toEqual(['acme/mine']);
  });

  it('releases one root, which whoever comes first has again, and a host that everybody may use again', async () => {
    const store = await prepared(await engine.open());
    const contentRoot = `${HOST}/content/theirs`;
    expect(await releaseContentRoot(store, contentRoot, CALL)).toEqual({ org: 'other', site: 'theirs', contentRoot });
    expect(await releaseContentRoot(store, contentRoot, CALL)).toBeUndefined();
    await putSite(store, rooted('theirs', 'other', 2));
    expect((await store.reads.site('other', 'theirs'))?.contentRoot).toBe(contentRoot);
    await assign(store);
    expect(await releaseAuthoringHost(store, HOST)).toBe('acme');
    expect(await releaseAuthoringHost(store, HOST)).toBeUndefined();
    await putSite(store, rooted('theirs', 'other', 3));
    expect(await heldOn(store)).toEqual(['acme/mine', 'other/theirs']);
    expect((await verifyChain(store.reads, 'other')).broken).toBeUndefined();
  });

  it('tells another host from it by its port and its whole name', async () => {
    const store = await prepared(await engine.open());
    await assign(store);
    const on = (host: string, site: string) => ({ ...rooted(site, 'other'), contentRoot: `${host}/content/${site}` });
    for (const [index, host] of [`${HOST}:8443`, `${HOST}.org`, `x${HOST}`].entries()) await putSite(store, on(host, `far-${index}`));
    expect(await heldOn(store)).toEqual(['acme/mine']);
  });
});

const postgres = postgresEngine();

it('waits on PostgreSQL for a root that somebody claims at this moment', async () => {
  const { options } = await postgres.place();
  const store = await prepared(await openStore(options));
  const client = new pg.Client({ connectionString: options.databaseUrl ?? '' });
  await client.connect();
  try {
    await client.query('begin');
    await client.query(
      `insert into sites (org, site, config, etag, version, content_root, holds_secret) values ('other', 'late', '{}', '"e"', 1, $1, 0)`,
      [`${HOST}/content/late`],
    );
    const assigned = assign(store);
    await waitForBlockedQuery(client);
    await client.query('commit');
    expect((await assigned)?.map(({ site }) => site)).toEqual(['late', 'theirs']);
  } finally {
    await client.end();
    await store.close();
  }
});

/** Waits until a transaction waits for a lock that another one holds. */
async function waitForBlockedQuery(client: pg.Client): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rows } = await client.query('select 1 from pg_locks where not granted');
      expect(rows).toHaveLength(1);
    },
    { timeout: 10_000 },
  );
}
