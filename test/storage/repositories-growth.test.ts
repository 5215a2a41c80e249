import { expect, it } from 'vitest';
import type { Store } from '@repoless/service/domain/ports.ts';
import { openStore } from '@repoless/service/db/open-store.ts';
import { siteReads } from '@repoless/service/sites/site-queries.ts';
import { org, siteWrite } from '../support/builders.ts';
import { eachStore, postgresEngine, rowsRead, scansOf, sqliteEngine, type StorePlace } from '../support/each-store.ts';
import { execute } from '../support/postgres.ts';
import { putSite } from './put-site.ts';

const REPOSITORIES = 3;
const codeOf = (repo: string, owner = 'acme') => ({
  owner,
  repo,
  source: { type: 'github' as const, url: `https://github.com/${owner}/${repo}` },
});
const externalCode = (repo: string) => ({
  owner: '100',
  repo,
  source: { type: 'byogit' as const, url: 'https://git.example.com/api', raw_url: 'https://git.example.com/raw' },
});

const postgres = postgresEngine();
it('reads no more of PostgreSQL to know the repositories of an organization where many more sites are on them', async () => {
  const look = async (store: Store) => expect(await store.reads.repositories('acme')).toHaveLength(REPOSITORIES);
  const few = await rowsOfLooks(await postgres.place(), 12, look);
  const many = await rowsOfLooks(await postgres.place(), 600, look);
  expect(few).toBeGreaterThan(0);
  expect(many).toBeLessThan(2 * few);
});

const sqlite = sqliteEngine();
it('goes from one repository to the next by the index of SQLite', async () => {
  const { options } = await sqlite.place();
  expect(await scansOf(options.dataDir, ({ read }) => siteReads(read).repositories('acme'))).toEqual(['SCAN used', 'SCAN used']);
  const store = await openStore(options);
  for (const [name, repo] of Object.entries({ a: 'two', b: 'one', c: 'two' }))
    await putSite(store, siteWrite(name, { code: codeOf(repo) }));
  await putSite(store, siteWrite('without'));
  expect(await store.reads.repositories('acme')).toEqual(['github:acme/one', 'github:acme/two']);
  expect(await store.reads.repositories('other')).toEqual([]);
  expect(await store.reads.usesRepository('acme', 'github:acme/two')).toBe(true);
  expect(await store.reads.usesRepository('other', 'github:acme/two')).toBe(false);
  await store.close();
});

it('reads no more of PostgreSQL to know the organizations of a repository where many more sites are on it', async () => {
  const look = async (store: Store) => expect(await store.reads.orgsOfRepository('github:acme/code-0', { limit: 16 })).toEqual(['acme']);
  const few = await rowsOfLooks(await postgres.place(), 12, look);
  const many = await rowsOfLooks(await postgres.place(), 600, look);
  expect(few).toBeGreaterThan(0);
  expect(many).toBeLessThan(2 * few);
});

it('goes from one organization to the next by the index of SQLite, to so many as are asked for', async () => {
  const { options } = await sqlite.place();
  expect(await scansOf(options.dataDir, ({ read }) => siteReads(read).orgsOfRepository('github:acme/one', { limit: 16 }))).toEqual([
    'SCAN used',
    'SCAN used',
  ]);
  const store = await openStore(options);
  for (const name of ['acme', 'other', 'third']) {
    await store.write((writes) => writes.putOrg(org(name)));
    for (const site of ['a', 'b']) await putSite(store, siteWrite(site, { code: codeOf(site === 'a' ? 'one' : name) }, 1, name));
  }
  expect(await store.reads.orgsOfRepository('github:acme/one', { limit: 16 })).toEqual(['acme', 'other', 'third']);
  expect(await store.reads.orgsOfRepository('github:acme/one', { limit: 2 })).toEqual(['acme', 'other']);
  expect(await store.reads.orgsOfRepository('github:acme/one', { after: 'other', limit: 2 })).toEqual(['third']);
  expect(await store.reads.orgsOfRepository('github:acme/other', { limit: 16 })).toEqual(['other']);
  expect(await store.reads.orgsOfRepository('github:acme/none', { limit: 16 })).toEqual([]);
  await store.close();
});

eachStore((engine) => {
  it('takes two spellings of a repository of the code host for one, and those of an external one for two', async () => {
    const store = await engine.open();
    for (const name of ['other', 'third']) await store.write((writes) => writes.putOrg(org(name)));
    await putSite(store, siteWrite('long-name', { code: codeOf('Site', 'Acme') }));
    await putSite(store, siteWrite('again', { code: codeOf('site') }));
    await putSite(store, siteWrite('own', { code: codeOf('SITE') }, 1, 'other'));
    await putSite(store, siteWrite('outside', { code: externalCode('Code') }, 1, 'third'));
    await putSite(store, siteWrite('outside-2', { code: externalCode('code') }, 1, 'third'));
    const { reads } = store;
    for (const repository of ['github:acme/site', 'github:ACME/Site']) {
      expect(await reads.orgsOfRepository(repository, { limit: 16 })).toEqual(['acme', 'other']);
      expect(await reads.orgsOfRepository(repository, { after: 'acme', limit: 1 })).toEqual(['other']);
      expect([await reads.usesRepository('acme', repository), await reads.usesRepository('third', repository)]).toEqual([true, false]);
      expect(await reads.shortestSiteOfRepository(repository)).toEqual({ org: 'other', site: 'own' });
    }
    expect(await reads.repositories('acme')).toEqual(['github:acme/site']);
    expect(await reads.repositories('third')).toEqual(['byogit:100/Code', 'byogit:100/code']);
    expect(await reads.usesRepository('third', 'byogit:100/CODE')).toBe(false);
    expect(await reads.orgsOfRepository('byogit:100/CODE', { limit: 16 })).toEqual([]);
    expect(await store.overview.most('repositories', 3)).toEqual([
      { org: 'third', used: 2 },
      { org: 'acme', used: 1 },
      { org: 'other', used: 1 },
    ]);
  });
});

/** Rows of sites that PostgreSQL reads for three queries when an organization has so many sites on three repositories. */
async function rowsOfLooks({ options }: StorePlace, sites: number, look: (store: Store) => Promise<void>): Promise<number> {
  const { databaseUrl = '' } = options;
  const filling = await openStore(options);
  await filling.write((writes) => writes.putOrg(org()));
  const names = Array.from({ length: sites }, (_, index) => index);
  // A few at once: on a busy machine, more would time out waiting for a connection.
  for (let begun = 0; begun < sites; begun += 40) {
    const some = names.slice(begun, begun + 40);
    await Promise.all(some.map((index) => putSite(filling, siteWrite(`site-${index}`, { code: codeOf(`code-${index % REPOSITORIES}`) }))));
  }
  await filling.close();
  await execute(databaseUrl, 'analyze sites');
  const before = await rowsRead(databaseUrl, 'sites');
  const store = await openStore(options);
  for (let count = 0; count < 3; count += 1) await look(store);
  // A connection reports its reads when it ends.
  await store.close();
  return (await rowsRead(databaseUrl, 'sites')) - before;
}
