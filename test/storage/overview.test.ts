import { expect, it } from 'vitest';
import type { StoredJob } from '@repoless/service/code/rules/ports.ts';
import type { Store } from '@repoless/service/domain/ports.ts';
import { org, siteWrite } from '../support/builders.ts';
import { eachStore, postgresEngine } from '../support/each-store.ts';
import { endJob, externalOrigin, githubOrigin } from '../support/code-world.ts';
import { putSite } from './put-site.ts';

const TIME = new Date('2026-03-01T10:00:00.000Z');
const HOUR = 60 * 60 * 1000;

/** A job that has not ended. */
async function addJob(
  store: Store,
  name: string,
  { hours = 0, repo = 'code', origin = githubOrigin('acme', repo) } = {},
): Promise<StoredJob> {
  const job: StoredJob = {
    name,
    key: origin.key,
    ref: 'main',
    origin,
    attempts: 0,
    rerun: false,
    record: {
      topic: 'code',
      name,
      state: 'created',
      createTime: new Date(TIME.getTime() + hours * HOUR).toISOString(),
      progress: { total: 0, processed: 0, failed: 0, ignored: 0 },
      data: { phase: 'collect', owner: 'acme', repo, ref: 'main', branch: 'main', changes: [], resources: [] },
    },
  };
  expect(await store.code.addJob(job)).toBe(true);
  return job;
}

const postgres = postgresEngine();

eachStore((engine) => {
  it('shows only its own node for an empty storage', async () => {
    const { overview } = await engine.open();
    expect(overview.kind).toBe(engine.name === 'SQLite' ? 'sqlite' : 'postgresql');
    expect(await overview.schema()).toMatch(/^\d{4}-/);
    expect(await overview.nodes()).toEqual([{ name: expect.stringContaining(`process ${process.pid}`), self: true, running: true }]);
    expect([await overview.openJobs(), await overview.oldestJobs(10), await overview.failedJobs(TIME)]).toEqual([[], [], 0]);
    expect(await overview.openRollouts()).toEqual({ count: 0, oldest: undefined });
    expect(await overview.highest('sites', 10)).toEqual([]);
  });

  it('counts open jobs by state, lists the oldest first, and counts those that failed since a time', async () => {
    const store = await engine.open();
    await addJob(store, 'job-b', { hours: 2, repo: 'b' });
    await addJob(store, 'job-a', { hours: 1, repo: 'a' });
    const running = await addJob(store, 'job-c', { repo: 'c' });
    const lease = { owner: 'me', until: new Date(TIME.getTime() + HOUR), now: TIME };
    await store.code.claimJob(running.name, lease);
    await store.code.saveJob({ ...running.record, state: 'running' }, lease);
    await endJob(store, githubOrigin('acme', 'd'), { error: 'It failed.' }, TIME);
    await endJob(store, githubOrigin('acme', 'e'), { error: 'It failed before.' }, new Date(TIME.getTime() - HOUR));
    await endJob(store, githubOrigin('acme', 'f'), {}, TIME);
    const { overview } = store;
    expect(await overview.openJobs()).toEqual([
      { state: 'created', count: 2, oldest: '2026-03-01T11:00:00.000Z' },
      { state: 'running', count: 1, oldest: '2026-03-01T10:00:00.000Z' },
    ]);
    expect((await overview.oldestJobs(2)).map(({ name, attempts }) => [name, attempts])).toEqual([
      ['job-c', 1],
      ['job-a', 0],
    ]);
    expect(await overview.failedJobs(TIME)).toBe(1);
  });

  it('lists the organizations with the highest usage', async () => {
    const store = await engine.open();
    for (const [name, sites] of Object.entries({ acme: 2, wknd: 3, other: 1 })) {
      await store.write((writes) => writes.putOrg(org(name)));
      for (let site = 0; site < sites; site++) {
        const code = {
          owner: name,
          repo: `code-${site}`,
          source: { type: 'github', url: `https://github.com/${name}/code-${site}` },
        } as const;
        await putSite(store, siteWrite(`site-${site}`, { code }, 1, name));
      }
    }
    const highest = async (...args: Parameters<Store['overview']['highest']>) =>
      Object.fromEntries((await store.overview.highest(...args)).map(({ org: name, used }) => [name, used]));
    expect(await highest('sites', 2)).toEqual({ wknd: 3, acme: 2 });
    expect(Object.keys(await highest('sites', 2))).toEqual(['wknd', 'acme']);
    expect(await highest('repositories', 3)).toEqual({ wknd: 3, acme: 2, other: 1 });
    expect(await highest('versions', 1)).toEqual({ wknd: 3 });
    expect(await highest('secrets', 3)).toEqual({ acme: 0, other: 0, wknd: 0 });
  });

  it('counts the bytes of code of repositories on the code host and of external ones', async () => {
    const store = await engine.open();
    const code = { owner: 'Acme', repo: 'Code', source: { type: 'github', url: 'https://github.com/Acme/Code' } } as const;
    await putSite(store, siteWrite('one', { code }));
    await putSite(store, siteWrite('two', { code }));
    await store.write((writes) => writes.putOrg(org('other')));
    const source = { type: 'byogit', url: 'https://git.example.com/api', raw_url: 'https://git.example.com/raw' } as const;
    await putSite(store, siteWrite('three', { code: { owner: '100', repo: '200', source } }, 1, 'other'));
    const origins = [githubOrigin('Acme', 'Code'), externalOrigin('other'), externalOrigin('acme'), githubOrigin('nobody', 'else')];
    for (const [index, origin] of origins.entries()) {
      const job = await addJob(store, `job-${index}`, { origin });
      const lease = { owner: 'me', until: new Date(TIME.getTime() + HOUR), now: TIME };
      await store.code.claimJob(job.name, lease);
      const branch = { key: origin.key, ref: 'main', branch: 'main', sha: 's', manifest: `m${index}`, bytes: 100 + index };
      expect(await store.code.putBranch(branch, { name: job.name, owner: 'me' })).toBe(true);
    }
    expect(await store.overview.highest('codeBytes', 10)).toEqual([
      { org: 'other', used: 101 },
      { org: 'acme', used: 100 },
    ]);
    expect([await store.code.bytesOf('acme'), await store.code.bytesOf('other')]).toEqual([100, 101]);
  });

  it('removes unused code, unless a site uses it by then or a job is in progress', async () => {
    const store = await engine.open();
    const { code: jobs } = store;
    const [used, unused, external] = [githubOrigin('Acme', 'Code'), githubOrigin('nobody', 'else'), externalOrigin('acme')];
    for (const [index, origin] of [used, unused, external].entries()) {
      const job = await addJob(store, `job-${index}`, { origin });
      await jobs.claimJob(job.name, { owner: 'me', until: new Date(TIME.getTime() + HOUR), now: TIME });
      const branch = { key: origin.key, ref: 'main', branch: 'main', sha: 's', manifest: `m${index}`, bytes: 1 };
      await jobs.putBranch(branch, { name: job.name, owner: 'me' });
    }
    const code = { owner: 'Acme', repo: 'Code', source: { type: 'github', url: 'https://github.com/Acme/Code' } } as const;
    await putSite(store, siteWrite('one', { code }));
    expect(await jobs.keys()).toHaveLength(3);
    expect(await jobs.unusedKeys()).toEqual([external.key, unused.key]);
    expect(await jobs.deleteUnused(unused.key)).toBe(false);
    for (const index of [0, 1, 2]) {
      const job = await jobs.job(`job-${index}`);
      if (job !== undefined) await jobs.stopJob({ ...job.record, state: 'stopped' });
    }
    expect(await jobs.deleteUnused(unused.key)).toBe(true);
    expect([await jobs.branch(unused.key, 'main'), await jobs.job('job-1')]).toEqual([undefined, undefined]);
    // It was unused at the last check.
    const source = { type: 'byogit', url: 'https://git.example.com/api', raw_url: 'https://git.example.com/raw' } as const;
    await putSite(store, siteWrite('two', { code: { owner: '100', repo: '200', source } }));
    for (const { key } of [used, external]) expect(await jobs.deleteUnused(key)).toBe(false);
    expect([(await jobs.branches(used.key)).length, (await jobs.branches(external.key)).length]).toEqual([1, 1]);
    expect(await jobs.keys()).toHaveLength(2);
  });
});

it('lists the other nodes on the same storage until they end', async () => {
  const database = await postgres.newDatabase();
  const [one, other] = [await database.open(), await database.open()];
  expect((await one.overview.nodes()).map(({ self, running }) => `${self} ${running}`).toSorted()).toEqual(['false true', 'true true']);
  await other.close();
  expect(await one.overview.nodes()).toMatchObject([{ self: true }]);
});
