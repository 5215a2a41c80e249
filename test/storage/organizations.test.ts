import { expect, it, vi } from 'vitest';
import { siteWrite, org, publicPaths } from '../support/builders.ts';
import { eachStore, postgresEngine } from '../support/each-store.ts';
import { putSite } from './put-site.ts';
import type { Org } from '@repoless/contract/org.ts';
import type { StoredApiKey, Store } from '@repoless/service/domain/ports.ts';
import { openStore } from '@repoless/service/db/open-store.ts';
import { verifyChain } from '@repoless/service/history/audit/chain.ts';
import { assignAuthoringHost, releaseAuthoringHost, releaseContentRoot } from '@repoless/service/administration/authoring-hosts.ts';
import pg from 'pg';
import { changeProfile, extendProfile } from './profiles.ts';

eachStore((engine) => {
  it('updates the usage of an organization with each change', async () => {
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

  it('finds the organizations that name a person, in order and after each change', async () => {
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

  it('returns the keys of a site, or of the organization itself, the newest last', async () => {
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

  it('removes the keys of a site with it, and no others', async () => {
    const store = await engine.open();
    await putSite(store, siteWrite());
    for (const one of [key('a', 1, 'site'), key('b', 1, 'site-2'), key('c', 1)]) await store.write((writes) => writes.putApiKey(one));
    await store.write((writes) => writes.deleteSite('acme', 'site', new Date()));
    expect(await store.reads.apiKey('a')).toBeUndefined();
    expect([await store.reads.apiKey('b'), await store.reads.apiKey('c')]).toMatchObject([{ id: 'b' }, { id: 'c' }]);
  });

  it.each(['the key', 'the removal'])('leaves no key of a site that is removed concurrently: %s first', async (first) => {
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
const HOST = 'author-p1-e2.example.com';
const CALL = { time: new Date('2026-11-01T00:00:00.000Z'), requestId: 'command' };
const TAKEN = { code: 'CONTENT_ROOT_TAKEN' };

const rooted = (site: string, of: string, version = 1, root = site) =>
  siteWrite(site, { public: publicPaths(`/content/${root}`) }, version, of);
const assign = (store: Store, name = 'acme') => assignAuthoringHost(store, { host: HOST, org: name }, CALL);
const claimedOn = async (store: Store) => (await store.reads.contentRootsOn(HOST)).map((root) => `${root.org}/${root.site}`);

async function prepared(store: Store): Promise<Store> {
  for (const name of ['acme', 'other']) await store.write((writes) => writes.putOrg(org(name)));
  await putSite(store, rooted('mine', 'acme'));
  await putSite(store, rooted('theirs', 'other'));
  return store;
}

eachStore((engine) => {
  it('releases content roots of other organizations on an assigned host, and records it in their audit trails', async () => {
    const store = await prepared(await engine.open());
    expect(await claimedOn(store)).toEqual(['acme/mine', 'other/theirs']);
    expect(await assign(store)).toEqual([{ org: 'other', site: 'theirs', contentRoot: `${HOST}/content/theirs` }]);
    expect(await claimedOn(store)).toEqual(['acme/mine']);
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

  it('refuses other organizations a content root on an assigned host, whatever they read before', async () => {
    const store = await prepared(await engine.open());
    await assign(store);
    await expect(putSite(store, rooted('new', 'other'))).rejects.toMatchObject(TAKEN);
    await expect(putSite(store, rooted('theirs', 'other', 2))).rejects.toMatchObject(TAKEN);
    await expect(store.write((writes) => writes.putSite(rooted('unseen', 'other')))).rejects.toMatchObject(TAKEN);
    await putSite(store, rooted('theirs', 'acme'));
    await putSite(store, rooted('mine', 'acme', 2));
    expect(await claimedOn(store)).toEqual(['acme/mine', 'acme/theirs']);
  });

  it('refuses one of many writes that are stored together', async () => {
    const store = await prepared(await engine.open());
    await assign(store);
    const names = Array.from({ length: 10 }, (_, index) => `site-${index}`);
    const writes = names.map((name, index) => putSite(store, rooted(name, index === 4 ? 'other' : 'acme')));
    const ended = (await Promise.allSettled(writes)).map(({ status }) => status);
    expect(ended).toEqual(names.map((_, index) => (index === 4 ? 'rejected' : 'fulfilled')));
  });

  it('refuses a content root that a site gets from a profile, too', async () => {
    const store = await prepared(await engine.open());
    await changeProfile(store, { title: 'Base' });
    await extendProfile(store, 'site');
    await assign(store, 'other');
    await expect(changeProfile(store, { public: publicPaths('/content/x') })).rejects.toMatchObject(TAKEN);
    expect((await store.reads.profile('acme', 'base'))?.version).toBe(1);
  });

  it('releases or refuses a root that is claimed while its host is assigned', async () => {
    const store = await prepared(await engine.open());
    const names = Array.from({ length: 10 }, (_, index) => `late-${index}`);
    const claims = names.map((name) => putSite(store, rooted(name, 'other')));
    const [released] = await Promise.all([assign(store), Promise.allSettled(claims)]);
    expect(released?.map(({ site }) => site)).toContain('theirs');
    expect(await claimedOn(store)).toEqual(['acme/mine']);
  });

  it('does not restore a root by a write during its release', async () => {
    const store = await prepared(await engine.open());
    const [, late] = await Promise.allSettled([assign(store), putSite(store, rooted('theirs', 'other', 2))]);
    expect(late.status === 'fulfilled' || late.reason.code === TAKEN.code).toBe(true);
    expect(await claimedOn(store)).toEqual(['acme/mine']);
  });

  it('releases a root, which can be claimed again, and a host, which all organizations may use again', async () => {
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
    expect(await claimedOn(store)).toEqual(['acme/mine', 'other/theirs']);
    expect((await verifyChain(store.reads, 'other')).broken).toBeUndefined();
  });

  it('distinguishes other hosts by port and full name', async () => {
    const store = await prepared(await engine.open());
    await assign(store);
    const on = (host: string, site: string) => ({ ...rooted(site, 'other'), contentRoot: `${host}/content/${site}` });
    for (const [index, host] of [`${HOST}:8443`, `${HOST}.org`, `x${HOST}`].entries()) await putSite(store, on(host, `far-${index}`));
    expect(await claimedOn(store)).toEqual(['acme/mine']);
  });
});

const postgres = postgresEngine();

it('waits on PostgreSQL for a root that is being claimed', async () => {
  const { options } = await postgres.newDatabase();
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
