import { expect, it } from 'vitest';
import { LIMITS } from '@repoless/contract/limits.ts';
import { createFairShare } from '@repoless/service/domain/fair-share.ts';

const BOUNDS = { atOnce: 3, perShare: 2, waitingPerShare: 4, waiting: 6, workName: 'pages' };

/** Work that ends on demand, in starting order. */
function startableWork(bounds: Partial<typeof BOUNDS> = {}) {
  const turns = createFairShare({ ...BOUNDS, ...bounds });
  const started: string[] = [];
  const ending: (() => void)[] = [];
  const run = (share: string, timeout?: AbortSignal) =>
    turns.run(
      share,
      () => {
        started.push(share);
        return new Promise<void>((resolve) => ending.push(resolve));
      },
      timeout,
    );
  const endOne = async () => {
    ending.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { run, started, endOne };
}

it('a share with many requests waits for its own, and alternates with others', async () => {
  const { run, started, endOne } = startableWork();
  const works = [...Array.from({ length: 6 }, () => run('many')), run('few'), run('few')];
  expect(started).toEqual(['many', 'many', 'few']);
  for (let count = 0; count < 8; count += 1) await endOne();
  await Promise.all(works);
  expect(started).toEqual(['many', 'many', 'few', 'many', 'few', 'many', 'many', 'many']);
});

it('the share with the least work in progress is next, however long others have waited', async () => {
  const { run, started, endOne } = startableWork({ waitingPerShare: 6 });
  const works = [run('one'), run('one'), run('other'), run('other'), run('other'), run('new')];
  await endOne();
  expect(started).toEqual(['one', 'one', 'other', 'new']);
  for (let count = 1; count < works.length; count += 1) await endOne();
  await Promise.all(works);
});

it('shares of one group have a common limit, at which other groups are next', async () => {
  const turns = createFairShare({ ...BOUNDS, atOnce: 4, perGroup: 3, waiting: 20 });
  const started: string[] = [];
  const ending: (() => void)[] = [];
  const run = (share: string, group?: string) =>
    turns.run(
      share,
      () => {
        started.push(share);
        return new Promise<void>((resolve) => ending.push(resolve));
      },
      undefined,
      group,
    );
  const works = ['one', 'one', 'two', 'two', 'three'].map((share) => run(share, 'org'));
  expect(started).toEqual(['one', 'one', 'two']);
  works.push(run('two', 'another'), run('four', 'org'), run('two'), run('other'));
  expect(started).toEqual(['one', 'one', 'two', 'two']);
  for (let count = 0; count < works.length; count += 1) {
    ending.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(works);
  expect(started.slice(4, 6)).toEqual(['other', 'three']);
  expect(started).toHaveLength(9);
});

it('cancelled work is refused, and leaves the queue', async () => {
  const { run, started, endOne } = startableWork({ perShare: 3 });
  const timeout = new AbortController();
  const works = Array.from({ length: 3 }, () => run('many'));
  const given = [run('many', timeout.signal), run('late', timeout.signal)];
  works.push(run('many'));
  timeout.abort();
  for (const one of given) await expect(one).rejects.toMatchObject({ code: 'OVERLOADED', retryAfter: 1 });
  // Cancelled work no longer counts: six may wait.
  works.push(...Array.from({ length: 3 }, () => run('many')), run('few'), run('few'));
  await expect(run('few')).rejects.toMatchObject({ code: 'OVERLOADED' });
  for (let count = 0; count < works.length; count += 1) await endOne();
  await Promise.all(works);
  expect(started).not.toContain('late');
});

it('waiting work is limited per share and in total, and refused at once beyond that', async () => {
  const { run, endOne } = startableWork();
  const works = Array.from({ length: 6 }, () => run('many'));
  const ofShare = 'Too many pages of this organization are being requested. Try again in a second.';
  await expect(run('many')).rejects.toMatchObject({ code: 'OVERLOADED', message: ofShare, retryAfter: 1 });
  works.push(run('few'), run('few'), run('few'));
  const ofAll = 'Too many pages are being requested. Try again in a second.';
  await expect(run('other')).rejects.toMatchObject({ code: 'OVERLOADED', message: ofAll });
  for (let count = 0; count < works.length; count += 1) await endOne();
  await Promise.all(works);
});

it.each([
  ['LIMITS.pagesAtOnce', LIMITS.pagesAtOnce, LIMITS.pagesOfOrg, LIMITS.pagesWaiting, LIMITS.pagesOfOrgWaiting],
  ['LIMITS.branchReadsAtOnce', LIMITS.branchReadsAtOnce, LIMITS.branchReadsPerOrg, 200, 20],
  ['LIMITS.codeSourceQueriesAtOnce', LIMITS.codeSourceQueriesAtOnce, LIMITS.codeSourceQueriesPerOrg, 1000, 100],
])(
  '%s works are started in total, as many wait as allowed, and one more is refused',
  async (_, atOnce, perShare, waiting, waitingPerShare) => {
    const { run, started, endOne } = startableWork({ atOnce, perShare, waiting, waitingPerShare });
    const works = Array.from({ length: atOnce }, (__, index) => run(`org-${Math.floor(index / perShare)}`));
    for (let index = 0; index < waiting; index += 1) works.push(run(`late-${Math.floor(index / waitingPerShare)}`));
    expect(started).toHaveLength(atOnce);
    await expect(run('one-more')).rejects.toMatchObject({ code: 'OVERLOADED', retryAfter: 1 });
    for (let ended = 0; ended < works.length; ended += 1) await endOne();
    await Promise.all(works);
    expect(started).toHaveLength(atOnce + waiting);
  },
);

it('failed work releases its slot like any other work', async () => {
  const turns = createFairShare({ ...BOUNDS, atOnce: 1, perShare: 1 });
  const failing = turns.run('one', () => Promise.reject(new Error('No.')));
  const next = turns.run('one', () => Promise.resolve('done'));
  await expect(failing).rejects.toThrow('No.');
  await expect(next).resolves.toBe('done');
});
