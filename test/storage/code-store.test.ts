import { expect, it } from 'vitest';
import type { JobDetails } from '@repoless/contract/job.ts';
import type { StoredJob } from '@repoless/service/code/rules/ports.ts';
import { eachStore } from '../support/each-store.ts';

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
  return { name: record.name, key: KEY, ref, origin, record, attempts: 0, again: false };
}
const branch = { key: KEY, ref: 'main', branch: 'main', sha: 'a', manifest: 'm', bytes: 5_000_000_000 };

eachStore((engine) => {
  it('has one job under way for each branch; others join it', async () => {
    const { code } = await engine.open();
    const added = await Promise.all([1, 2, 3].map((n) => code.addJob(newJob(n))));
    expect(added.filter(Boolean)).toHaveLength(1);
    expect(await code.addJob(newJob(4, 'other'))).toBe(true);
    expect(await code.joinJob(KEY, 'main')).toBe((await code.jobs(KEY, 'main', 1))[0]?.name);
    expect(await code.joinJob(KEY, 'none')).toBeUndefined();
  });

  it('gives a job to one worker, and to another once the lease ended', async () => {
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

  it('does not end a job that somebody joined, until it looked again', async () => {
    const { code } = await engine.open();
    const { name, record } = newJob(1);
    await code.addJob(newJob(1));
    await code.claimJob(name, { owner: 'a', until: LATER, now: NOW });
    await code.joinJob(KEY, 'main');
    expect(await code.finishJob(record, 'a')).toBe(false);
    expect(await code.takeAgain(name, 'a')).toBe(true);
    expect(await code.takeAgain(name, 'a')).toBe(false);
    expect(await code.finishJob(record, 'a')).toBe(true);
  });

  it('keeps the newest jobs of a branch, and forgets branches', async () => {
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
