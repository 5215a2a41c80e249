import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildBackend, temporaryDirectory } from '../support/child-backend.ts';
import { execute } from '../support/postgres.ts';
import { startFleet } from './fleet.ts';
import type { Fleet } from './fleet.ts';
import { laterProgram, THIS_PROGRAM } from './programs.ts';
import { startTraffic } from './traffic.ts';
import type { Traffic } from './traffic.ts';

/** What a later release adds: columns, filled in by a trigger for programs that know nothing of them, a table, an index. */
const ADDED = `
  '9000-length': { mark: 'expand', async up(db) {
    for (const table of ['sites', 'versions', 'orgs', 'profiles', 'audit', 'api_keys', 'secrets'])
      await sql\`alter table \${sql.table(table)} add column length integer\`.execute(db);
    await sql\`create table lengths (name text primary key)\`.execute(db);
    await sql\`create function length_of_site() returns trigger language plpgsql as $$
      begin new.length := length(new.config); return new; end $$\`.execute(db);
    await sql\`create trigger length_of_site before insert or update on sites for each row execute function length_of_site()\`.execute(db);
  } },
  '9001-lengths-of-all-sites': { mark: 'expand', inPieces: true, async up(db) {
    for (let more = 1n; more > 0n;) {
      const { numAffectedRows } = await sql\`update sites set length = length(config)
        where (org, site) in (select org, site from sites where length is null limit 2)\`.execute(db);
      more = numAffectedRows ?? 0n;
    }
    await sql\`drop index concurrently if exists sites_length\`.execute(db);
    await sql\`create index concurrently sites_length on sites (length)\`.execute(db);
  } },`;
/** What the release after it takes away, which that one does not need any more. */
const TAKEN = `'9002-no-lengths': { mark: 'contract', after: '9001-lengths-of-all-sites', async up(db) { await sql\`drop table lengths\`.execute(db); } },`;

let folder: Awaited<ReturnType<typeof temporaryDirectory>>;
let [adds, takes] = ['', ''];
beforeAll(async () => {
  await buildBackend();
  folder = await temporaryDirectory();
  adds = await laterProgram(join(folder.path, 'adds'), `{ ${ADDED} }`);
  takes = await laterProgram(join(folder.path, 'takes'), `{ ${ADDED} ${TAKEN} }`);
}, 120_000);
afterAll(() => folder.remove());

/** Three nodes with this program to begin with, and people who use them. */
function underTraffic(program: () => string): { readonly fleet: Fleet; readonly traffic: Traffic } {
  let [fleet, traffic]: [Fleet | undefined, Traffic | undefined] = [undefined, undefined];
  beforeAll(async () => {
    fleet = await startFleet(program());
    traffic = await startTraffic(fleet);
  }, 120_000);
  beforeEach(() => void traffic?.figures());
  afterAll(async () => {
    await traffic?.end();
    await fleet?.stop();
  }, 60_000);
  const started = <T>(part: T | undefined): T => part ?? expect.unreachable();
  return {
    get fleet() {
      return started(fleet);
    },
    get traffic() {
      return started(traffic);
    },
  };
}

function expectNothingFailed(traffic: Traffic): void {
  const { failures, reads, writes, longest } = traffic.figures();
  expect(failures).toEqual([]);
  expect(longest, 'ms that an acknowledged write was not seen').toBe(0);
  expect(Math.min(reads, writes)).toBeGreaterThan(10);
}

const PATIENCE = 240_000;

describe('three nodes are replaced one after the other, and nobody notices', () => {
  const here = underTraffic(() => THIS_PROGRAM);

  it('by a release that adds to the tables, though a backup holds them', { timeout: PATIENCE }, async () => {
    const backup = await beginBackup(here.fleet.databaseUrl);
    const rolled = here.fleet.roll(adds);
    await backup.outlast(4).finally(() => backup.end());
    await rolled;
    expectNothingFailed(here.traffic);
    const lacking = `do $$ begin if exists (select from sites where length is distinct from length(config)) then raise 'A length is missing.'; end if; end $$`;
    await execute(here.fleet.databaseUrl, lacking);
  });

  it('by this one, which knows nothing of what was added: a release is rolled back', { timeout: PATIENCE }, async () => {
    await here.fleet.roll(THIS_PROGRAM);
    expectNothingFailed(here.traffic);
  });

  it('but not by a release that takes away what this one needs: that says so, and the nodes go on', { timeout: PATIENCE }, async () => {
    await expect(here.fleet.startAnother(takes)).rejects.toThrow(
      /^This version removes from the tables what older versions need \("9002-no-lengths"\), and older nodes are running: (?:\S*process \d+(?:; |\.)){3} Stop them, then start this one\.\n$/,
    );
    expectNothingFailed(here.traffic);
  });

  it('by one that takes away what the release before it needs no more', { timeout: PATIENCE }, async () => {
    await here.fleet.roll(adds);
    await here.fleet.roll(takes);
    expectNothingFailed(here.traffic);
    await here.fleet.roll(adds);
    expectNothingFailed(here.traffic);
    await expect(here.fleet.startAnother(THIS_PROGRAM)).rejects.toThrow(/^A newer version has migrated the tables \("9002-no-lengths"\)/);
  });
});

/** Holds all tables as a backup does while it is made. */
async function beginBackup(databaseUrl: string): Promise<{ outlast(attempts: number): Promise<void>; end(): Promise<void> }> {
  const [holder, looker] = [new pg.Client({ connectionString: databaseUrl }), new pg.Client({ connectionString: databaseUrl })];
  await Promise.all([holder, looker].map((client) => client.on('error', () => undefined).connect()));
  await holder.query('begin; lock table sites, versions, orgs, profiles, audit in access share mode');
  const isTried = async () =>
    (await looker.query("select from pg_stat_activity where wait_event_type = 'Lock' and query like 'alter table%'")).rowCount === 1;
  return {
    /** Resolves when somebody tried to change a table so many times, and gave up each time. */
    async outlast(attempts) {
      for (let attempt = 0; attempt < attempts; attempt += 1)
        for (const tried of [true, false]) await expect.poll(isTried, { timeout: 30_000, interval: 20 }).toBe(tried);
    },
    async end() {
      await holder.query('commit');
      await Promise.all([holder.end(), looker.end()]);
    },
  };
}
