import { expect, it } from 'vitest';
import { openStore } from '@repoless/service/db/open-store.ts';
import { eventStore } from '@repoless/service/events/event-queries.ts';
import { postgresEngine, rowsRead, scansOf, sqliteEngine, type StoreDatabase, eachStore } from '../support/each-store.ts';
import { execute } from '../support/postgres.ts';
import type { Store } from '@repoless/service/domain/ports.ts';
import { siteReads } from '@repoless/service/sites/site-queries.ts';
import { org, siteWrite } from '../support/builders.ts';
import { putSite } from './put-site.ts';

const postgres = postgresEngine();
const sqlite = sqliteEngine();
const NOW = new Date('2026-01-01T00:00:00Z');
const QUERIES = 3;

it('reads no more rows of PostgreSQL to find due messages if many more wait', async () => {
  const few = await rowsOfEventQueries(await postgres.newDatabase(), 30);
  const many = await rowsOfEventQueries(await postgres.newDatabase(), 6000);
  expect(few).toBeGreaterThan(0);
  expect(many).toBeLessThan(2 * few);
});

it('finds due messages in SQLite with indexes only', async () => {
  const { options } = await sqlite.newDatabase();
  const lease = { owner: 'one', until: NOW, now: NOW, leased: NOW, running: ['msg_1'] };
  expect(await scansOf(options.dataDir, (db) => eventStore(db).waitingOrgs(NOW, NOW, { behind: '', limit: 100 }))).toEqual([]);
  expect(await scansOf(options.dataDir, (db) => eventStore(db).claim('acme', lease))).toEqual([]);
});

/** Rows that PostgreSQL reads to find due messages, while this many messages of three organizations are due or wait for an hour. */
async function rowsOfEventQueries({ options }: StoreDatabase, waiting: number): Promise<number> {
  const { databaseUrl = '' } = options;
  await execute(
    databaseUrl,
    `insert into event_deliveries (id, org, subscription, state, created, next_at, attempts, owner, lease_until)
      select 'msg_' || n, 'org-' || n % 3, 'one', 'waiting', '2025', case when n % 2 = 0 then '2025' else '2027' end, 0, '', ''
      from generate_series(1, ${waiting}) as n`,
  );
  await execute(databaseUrl, 'analyze event_deliveries');
  const before = await rowsRead(databaseUrl, 'event_deliveries');
  const store = await openStore(options);
  for (let query = 0; query < QUERIES; query += 1)
    expect((await store.events.waitingOrgs(NOW, NOW, { behind: '', limit: 100 })).toSorted()).toEqual(['org-0', 'org-1', 'org-2']);
  // A connection reports its reads when it ends.
  await store.close();
  return (await rowsRead(databaseUrl, 'event_deliveries')) - before;
}

it('reads no more rows of PostgreSQL for a span of the audit trail if many more entries surround it', async () => {
  const few = await rowsOfTrailQueries(await postgres.newDatabase(), 60);
  const many = await rowsOfTrailQueries(await postgres.newDatabase(), 3000);
  expect(few).toBeGreaterThan(0);
  expect(many).toBeLessThan(2 * few);
});

/** Rows of the trail that PostgreSQL reads for two queries of ten minutes, with this many entries before and after, two minutes apart. */
async function rowsOfTrailQueries({ options }: StoreDatabase, surrounding: number): Promise<number> {
  const { databaseUrl = '' } = options;
  const filling = await openStore(options);
  await filling.write(async (writes) => {
    for (let number = -surrounding; number < surrounding; number += 1)
      await writes.addAudit({
        org: 'acme',
        site: 'site',
        time: minute(2 * number),
        user: 'ada@example.com',
        action: 'put-site',
        requestId: 'r',
      });
  });
  await filling.close();
  await execute(databaseUrl, 'analyze audit');
  const before = await rowsRead(databaseUrl, 'audit');
  const store = await openStore(options);
  expect(await store.reads.siteAudits('acme', 'site', { since: minute(0), until: minute(9), limit: 99 })).toHaveLength(5);
  expect(await store.reads.audits('acme', { since: minute(0), before: 2 * surrounding, limit: 5 })).toHaveLength(5);
  // A connection reports its reads when it ends.
  await store.close();
  return (await rowsRead(databaseUrl, 'audit')) - before;
}

function minute(minutes: number): Date {
  return new Date(Date.UTC(2026, 0, 1) + minutes * 60_000);
}

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

it('reads no more rows of PostgreSQL for the repositories of an organization if many more sites use them', async () => {
  const query = async (store: Store) => expect(await store.reads.repositories('acme')).toHaveLength(REPOSITORIES);
  const few = await rowsOfRepositoryQueries(await postgres.newDatabase(), 12, query);
  const many = await rowsOfRepositoryQueries(await postgres.newDatabase(), 600, query);
  expect(few).toBeGreaterThan(0);
  expect(many).toBeLessThan(2 * few);
});

it('steps from one repository to the next with the index of SQLite', async () => {
  const { options } = await sqlite.newDatabase();
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

it('reads no more rows of PostgreSQL for the organizations of a repository if many more sites use it', async () => {
  const query = async (store: Store) => expect(await store.reads.orgsOfRepository('github:acme/code-0', { limit: 16 })).toEqual(['acme']);
  const few = await rowsOfRepositoryQueries(await postgres.newDatabase(), 12, query);
  const many = await rowsOfRepositoryQueries(await postgres.newDatabase(), 600, query);
  expect(few).toBeGreaterThan(0);
  expect(many).toBeLessThan(2 * few);
});

it('steps from one organization to the next with the index of SQLite, up to the limit', async () => {
  const { options } = await sqlite.newDatabase();
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
  it('treats two spellings of a repository of the code host as one, and of an external repository as two', async () => {
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
    expect(await store.overview.highest('repositories', 3)).toEqual([
      { org: 'third', used: 2 },
      { org: 'acme', used: 1 },
      { org: 'other', used: 1 },
    ]);
  });
});

/** Rows of sites that PostgreSQL reads for three queries when an organization has this many sites on three repositories. */
async function rowsOfRepositoryQueries({ options }: StoreDatabase, sites: number, query: (store: Store) => Promise<void>): Promise<number> {
  const { databaseUrl = '' } = options;
  const filling = await openStore(options);
  await filling.write((writes) => writes.putOrg(org()));
  const names = Array.from({ length: sites }, (_, index) => index);
  // A few at once: on a busy machine, more would time out waiting for a connection.
  for (let started = 0; started < sites; started += 40) {
    const some = names.slice(started, started + 40);
    await Promise.all(some.map((index) => putSite(filling, siteWrite(`site-${index}`, { code: codeOf(`code-${index % REPOSITORIES}`) }))));
  }
  await filling.close();
  await execute(databaseUrl, 'analyze sites');
  const before = await rowsRead(databaseUrl, 'sites');
  const store = await openStore(options);
  for (let count = 0; count < 3; count += 1) await query(store);
  // A connection reports its reads when it ends.
  await store.close();
  return (await rowsRead(databaseUrl, 'sites')) - before;
}
