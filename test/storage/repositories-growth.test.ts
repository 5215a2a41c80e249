import { expect, it } from 'vitest';
import { openStore } from '#backend/storage/open-store.ts';
import { readStatements } from '#backend/storage/read-statements.ts';
import { org, siteWrite } from '../support/builders.ts';
import { postgresEngine, sqliteEngine } from '../support/each-store.ts';
import type { StorePlace } from '../support/each-store.ts';
import { execute } from '../support/postgres.ts';
import { rowsRead } from '../support/rows-read.ts';
import { scansOf } from '../support/scans-of.ts';
import { putSite } from './put-site.ts';

const REPOSITORIES = 3;
const codeOf = (repo: string) => ({ owner: 'acme', repo, source: { type: 'github' as const, url: `https://github.com/acme/${repo}` } });

const postgres = postgresEngine();
it('reads no more of PostgreSQL to know the repositories of an organization where many more sites are on them', async () => {
  const few = await rowsOfLooks(await postgres.place(), 12);
  const many = await rowsOfLooks(await postgres.place(), 600);
  expect(few).toBeGreaterThan(0);
  expect(many).toBeLessThan(2 * few);
});

const sqlite = sqliteEngine();
it('goes from one repository to the next by the index of SQLite', async () => {
  const { options } = await sqlite.place();
  expect(scansOf(options.dataDir, (compile) => readStatements(compile).repositories, { org: 'acme' })).toEqual(['SCAN used', 'SCAN used']);
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

/** Rows of sites that PostgreSQL reads to name the repositories of an organization that has so many sites on three of them. */
async function rowsOfLooks({ options }: StorePlace, sites: number): Promise<number> {
  const { databaseUrl = '' } = options;
  const filling = await openStore(options);
  await filling.write((writes) => writes.putOrg(org()));
  const names = Array.from({ length: sites }, (_, index) => index);
  await Promise.all(names.map((index) => putSite(filling, siteWrite(`site-${index}`, { code: codeOf(`code-${index % REPOSITORIES}`) }))));
  await filling.close();
  await execute(databaseUrl, 'analyze sites');
  const before = await rowsRead(databaseUrl, 'sites');
  const store = await openStore(options);
  for (let look = 0; look < 3; look += 1) expect(await store.reads.repositories('acme')).toHaveLength(REPOSITORIES);
  // A connection tells what it read when it ends.
  await store.close();
  return (await rowsRead(databaseUrl, 'sites')) - before;
}
