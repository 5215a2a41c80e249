import type { JobDetails } from '@repoless/contract/job.ts';
import { ALL_ORGANIZATIONS } from '@repoless/service/code/rules/code-origin.ts';
import type { StoredJob } from '@repoless/service/code/rules/ports.ts';
import { openStore } from '@repoless/service/db/open-store.ts';
import { branchStore } from '@repoless/service/code/branch-queries.ts';
import type { Store } from '@repoless/service/domain/ports.ts';
import { expect, it, describe } from 'vitest';
import { org, siteWrite } from '../support/builders.ts';
import { eachStore, postgresEngine, rowsRead, scansOf, sqliteEngine } from '../support/each-store.ts';
import { githubOrigin } from '../support/code-world.ts';
import { executeIn } from '../support/operate.ts';
import { execute } from '../support/postgres.ts';
import { putSite } from './put-site.ts';

const TIME = new Date('2026-03-01T10:00:00.000Z');
const LATER = new Date('2026-03-01T11:00:00.000Z');
const ORIGIN = githubOrigin('Acme', 'Code');
const { key } = ORIGIN;
const CODE = { owner: 'Acme', repo: 'Code', source: { type: 'github', url: 'https://github.com/Acme/Code' } } as const;

async function open(store: Store, ...orgs: readonly string[]): Promise<Store> {
  for (const name of orgs) {
    await store.write((writes) => writes.putOrg(org(name)));
    await putSite(store, siteWrite('site', { code: CODE }, 1, name));
  }
  return store;
}

const nameOf = (ref: string) => `job-${ref}`;
function newJob(ref: string, requestedBy?: string): StoredJob {
  const requester = requestedBy === undefined ? {} : { requestedBy, ...(requestedBy !== ALL_ORGANIZATIONS && { startedBy: requestedBy }) };
  const record: JobDetails = {
    topic: 'code',
    name: nameOf(ref),
    state: 'created',
    createTime: TIME.toISOString(),
    progress: { total: 0, processed: 0, failed: 0, ignored: 0 },
    data: { phase: 'collect', owner: 'Acme', repo: 'Code', ref, branch: ref, changes: [], resources: [] },
  };
  return { name: record.name, key, ref, origin: ORIGIN, record, attempts: 0, rerun: false, ...requester };
}

/** Works on the job of a branch until its code is stored. */
async function finish({ code }: Store, ref: string, bytes: number): Promise<void> {
  const name = nameOf(ref);
  const job = await code.claimJob(name, { owner: 'me', until: LATER, now: TIME });
  expect(await code.putBranch({ key, ref, branch: ref, sha: 's', manifest: `m-${ref}`, bytes }, { name, owner: 'me' })).toBe(true);
  expect(await code.finishJob({ ...newJob(ref).record, ...job?.record, state: 'stopped' }, 'me')).toBe(true);
}
async function stored(store: Store, ref: string, bytes: number, requestedBy?: string): Promise<void> {
  expect(await store.code.addJob(newJob(ref, requestedBy))).toBe(true);
  await finish(store, ref, bytes);
}

async function bytesOf(store: Store, ...orgs: readonly string[]): Promise<number[]> {
  const highest = new Map((await store.overview.highest('codeBytes', 10)).map(({ org: name, used }) => [name, used]));
  const counted = await Promise.all(orgs.map((name) => store.code.bytesOf(name)));
  // The operator sees the counted bytes.
  expect(orgs.map((name) => highest.get(name) ?? 0)).toEqual(counted);
  return counted;
}

const ORGS = ['acme', 'other', 'third'] as const;

eachStore((engine) => {
  it('counts `main` for all organizations on a repository, and a branch for those that requested or joined it, until it is deleted', async () => {
    const store = await open(await engine.open(), ...ORGS);
    await stored(store, 'main', 1, 'acme');
    await stored(store, 'one', 10, 'other');
    await stored(store, 'all', 100, ALL_ORGANIZATIONS);
    expect(await bytesOf(store, ...ORGS)).toEqual([101, 111, 101]);
    expect(await store.code.bytesOfAll(key)).toBe(101);
    await store.code.addJob(newJob('two', 'other'));
    await store.code.joinJob(key, 'two', { org: 'third', requestedBy: 'third' });
    await store.code.joinJob(key, 'two');
    await finish(store, 'two', 1000);
    expect(await bytesOf(store, ...ORGS)).toEqual([101, 1111, 1101]);
    expect([await store.code.requestersOf(key, 'main'), await store.code.requestersOf(key, 'two')]).toEqual([[], ['other', 'third']]);
    await store.code.deleteBranch(key, 'two');
    expect([await bytesOf(store, ...ORGS), await store.code.requestersOf(key, 'two')]).toEqual([[101, 111, 101], []]);
    // Another organization's repository doesn't count for one without a site on it.
    expect(await bytesOf(store, 'nobody')).toEqual([0]);
  });

  it('counts code stored by the previous version for the organization that started the sync, or for all if none did', async () => {
    const database = await engine.newDatabase();
    const store = await open(await database.open(), ...ORGS);
    for (const [ref, startedBy] of [
      ['started', `'other'`],
      ['pushed', 'null'],
    ] as const) {
      const { name, record } = newJob(ref);
      await executeIn(
        database.options,
        `insert into code_jobs (name, key, ref, state, created, origin, record, owner, lease_until, attempts, rerun, started_by, joined, failed)
          values ('${name}', '${key}', '${ref}', 'created', '', '${JSON.stringify(ORIGIN)}', '${JSON.stringify(record)}', '', '', 0, 0, ${startedBy}, 0, 0)`,
      );
      await finish(store, ref, ref === 'started' ? 1 : 10);
    }
    expect(await bytesOf(store, ...ORGS)).toEqual([10, 11, 10]);
  });

  it('finds branches without a requester that has a site, and removes them unless they are requested by then', async () => {
    const store = await open(await engine.open(), ...ORGS);
    const { code } = store;
    await stored(store, 'main', 1, 'other');
    await stored(store, 'one', 10, 'other');
    await stored(store, 'both', 100, 'other');
    await code.addJob({ ...newJob('both', 'acme'), name: 'job-both-again' });
    await code.addJob(newJob('failed', 'other'));
    await code.stopJob({ ...newJob('failed').record, state: 'stopped' });
    expect(await code.abandonedBranches()).toEqual([]);
    await putSite(store, siteWrite('site', {}, 2, 'other'));
    expect(await bytesOf(store, ...ORGS)).toEqual([101, 0, 1]);
    await code.removeStaleRequests();
    const requesters = async () => await Promise.all(['one', 'both', 'failed'].map((ref) => code.requestersOf(key, ref)));
    expect(await requesters()).toEqual([['other'], ['acme'], []]);
    const left = { key, ref: 'one' };
    expect(await code.abandonedBranches()).toEqual([left]);
    expect(await code.deleteAbandoned({ key, ref: 'both' })).toBe(false);
    // It is requested again, and then its only requester leaves again.
    await code.addJob({ ...newJob('one', 'third'), name: 'job-one-again' });
    expect([await code.abandonedBranches(), await code.deleteAbandoned(left)]).toEqual([[], false]);
    await putSite(store, siteWrite('site', {}, 2, 'third'));
    expect([await code.abandonedBranches(), await code.deleteAbandoned(left)]).toEqual([[left], false]);
    await code.stopJob({ ...newJob('one').record, name: 'job-one-again', state: 'stopped' });
    expect([await code.deleteAbandoned(left), await code.branch(key, 'one'), await code.deleteAbandoned(left)]).toEqual([
      true,
      undefined,
      false,
    ]);
  });
});

const sqlite = sqliteEngine();
it('reads the code size of an organization with the indexes of SQLite', async () => {
  const { options } = await sqlite.newDatabase();
  // Later queries use the index too.
  const ofOrg = await scansOf(options.dataDir, (db) => branchStore(db).bytesOf('acme'));
  const ofAll = await scansOf(options.dataDir, (db) => branchStore(db).bytesOfAll(key));
  for (const line of [...ofOrg, ...ofAll]) expect(line).toMatch(/^SCAN (?:asked|counted)$/);
});

const postgres = postgresEngine();
it('reads no more rows of PostgreSQL for the code size of an organization if others requested many more branches', async () => {
  const few = await branchesRead(30);
  const many = await branchesRead(20_000);
  expect(few).toBeGreaterThan(0);
  expect(many).toBeLessThan(2 * few);
});

/** Rows of branches that PostgreSQL reads for three queries of an organization's bytes, if another one requested this many branches. */
async function branchesRead(count: number): Promise<number> {
  const { options } = await postgres.newDatabase();
  const { databaseUrl = '' } = options;
  const filling = await open(await openStore(options), 'acme', 'other');
  await stored(filling, 'main', 1, 'acme');
  await stored(filling, 'own', 10, 'acme');
  const branches = `generate_series(1, ${count}) as number`;
  await execute(databaseUrl, `insert into requested_branches select '${key}', 'branch-' || number, 'other' from ${branches}`);
  await execute(databaseUrl, `insert into code_branches select '${key}', 'branch-' || number, 'b', 's', 'm', 1 from ${branches}`);
  await filling.close();
  for (const table of ['code_branches', 'requested_branches', 'sites']) await execute(databaseUrl, `analyze ${table}`);
  const before = await rowsRead(databaseUrl, 'code_branches');
  const store = await openStore(options);
  for (let query = 0; query < 3; query += 1) expect(await store.code.bytesOf('acme')).toBe(11);
  await store.close();
  return (await rowsRead(databaseUrl, 'code_branches')) - before;
}
describe('The store of code', () => {
  const KEY = 'github:acme/code';
  const NOW = new Date('2026-01-01T00:00:00Z');
  const LATER = new Date('2026-01-01T00:00:15Z');

  function newJob(n: number, ref = 'main'): StoredJob {
    const record: JobDetails = {
      topic: 'code',
      name: `job-2026-01-01-00-00-00-${String(n).padStart(8, '0')}`,
      state: 'created',
      createTime: new Date(NOW.getTime() + n).toISOString(),
      progress: { total: 0, processed: 0, failed: 0, ignored: 0 },
      data: { phase: 'collect', owner: 'acme', repo: 'code', ref, branch: ref, changes: [], resources: [] },
    };
    const origin = { type: 'github', key: KEY, owner: 'acme', repo: 'code', repository: KEY } as const;
    return { name: record.name, key: KEY, ref, origin, record, attempts: 0, rerun: false };
  }
  const branch = { key: KEY, ref: 'main', branch: 'main', sha: 'a', manifest: 'm', bytes: 5_000_000_000 };

  eachStore((engine) => {
    it('has one job in progress for each branch, which others join', async () => {
      const { code } = await engine.open();
      const added = await Promise.all([1, 2, 3].map((n) => code.addJob(newJob(n))));
      expect(added.filter(Boolean)).toHaveLength(1);
      expect(await code.addJob(newJob(4, 'other'))).toBe(true);
      expect(await code.joinJob(KEY, 'main')).toBe((await code.jobs(KEY, 'main', 1))[0]?.name);
      expect(await code.joinJob(KEY, 'none')).toBeUndefined();
    });

    it('gives a job to one worker, and to another once its lease has ended', async () => {
      const { code } = await engine.open();
      const { name, record } = newJob(1);
      await code.addJob(newJob(1));
      const claims = await Promise.all(['a', 'b', 'c'].map((owner) => code.claimJob(name, { owner, until: LATER, now: NOW })));
      expect(claims.filter((one) => one !== undefined)).toHaveLength(1);
      const first = ['a', 'b', 'c'][claims.findIndex((one) => one !== undefined)] ?? '';
      expect(await code.idleJobs(NOW, 9)).toEqual([]);
      expect((await code.idleJobs(LATER, 9)).map((job) => job.name)).toEqual([name]);
      expect(await code.claimJob(name, { owner: 'next', until: new Date('2027-01-01'), now: LATER })).toMatchObject({ attempts: 2 });
      expect(await code.saveJob(record, { owner: first, until: LATER })).toBe(false);
      expect(await code.putBranch({ ...branch, sha: 'old' }, { name, owner: first })).toBe(false);
      expect(await code.putBranch(branch, { name, owner: 'next' })).toBe(true);
      expect(await code.branch(KEY, 'main')).toEqual(branch);
      expect(await code.finishJob({ ...record, state: 'stopped' }, 'next')).toBe(true);
      expect(await code.stopJob(record)).toBe(false);
      expect((await code.job(name))?.record.state).toBe('stopped');
    });

    it('does not end a joined job before another round', async () => {
      const { code } = await engine.open();
      const { name, record } = newJob(1);
      await code.addJob(newJob(1));
      await code.claimJob(name, { owner: 'a', until: LATER, now: NOW });
      await code.joinJob(KEY, 'main');
      expect(await code.finishJob(record, 'a')).toBe(false);
      expect(await code.takeRerun(name, 'a')).toBe(true);
      expect(await code.takeRerun(name, 'a')).toBe(false);
      expect(await code.finishJob(record, 'a')).toBe(true);
    });

    it('retains the newest jobs of a branch, and removes branches', async () => {
      const { code } = await engine.open();
      for (let n = 1; n <= 5; n += 1) {
        await code.addJob(newJob(n));
        await code.stopJob(newJob(n).record);
      }
      await code.pruneJobs(KEY, 'main', 2);
      expect((await code.jobs(KEY, 'main', 9)).map(({ name }) => name.slice(-1))).toEqual(['5', '4']);
      await code.addJob(newJob(6));
      await code.claimJob(newJob(6).name, { owner: 'a', until: LATER, now: NOW });
      await code.putBranch(branch, { name: newJob(6).name, owner: 'a' });
      expect([await code.manifests(), await code.isKnown(KEY), await code.isKnown('other')]).toEqual([['m'], true, false]);
      expect([await code.deleteBranch(KEY, 'main'), await code.deleteBranch(KEY, 'main')]).toEqual([true, false]);
    });
  });
});
