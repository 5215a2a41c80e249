import { expect, it } from 'vitest';
import { LIMITS } from '@repoless/contract/limits.ts';
import { createFairShare } from '@repoless/service/domain/fair-share.ts';

const BOUNDS = { atOnce: 3, perShare: 2, waitingPerShare: 4, waiting: 6, called: 'pages' };

/** Work that ends on demand, in starting order. */
function held(bounds: Partial<typeof BOUNDS> = {}) {
  const turns = createFairShare({ ...BOUNDS, ...bounds });
  const started: string[] = [];
  const ending: (() => void)[] = [];
  const ask = (share: string, patience?: AbortSignal) =>
    turns.run(
      share,
      () => {
        started.push(share);
        return new Promise<void>((resolve) => ending.push(resolve));
      },
      patience,
    );
  const endOne = async () => {
    ending.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { ask, started, endOne };
}

it('who asks for many waits for their own, and takes turns with others', async () => {
  const { ask, started, endOne } = held();
  const works = [...Array.from({ length: 6 }, () => ask('many')), ask('few'), ask('few')];
  expect(started).toEqual(['many', 'many', 'few']);
  for (let count = 0; count < 8; count += 1) await endOne();
  await Promise.all(works);
  expect(started).toEqual(['many', 'many', 'few', 'many', 'few', 'many', 'many', 'many']);
});

it('who has fewer under way is next, whoever has waited longer', async () => {
  const { ask, started, endOne } = held({ waitingPerShare: 6 });
  const works = [ask('one'), ask('one'), ask('other'), ask('other'), ask('other'), ask('new')];
  await endOne();
  expect(started).toEqual(['one', 'one', 'other', 'new']);
  for (let count = 1; count < works.length; count += 1) await endOne();
  await Promise.all(works);
});

it('shares of one group have no more together, and other groups are next before it', async () => {
  const turns = createFairShare({ ...BOUNDS, atOnce: 4, perGroup: 3, waiting: 20 });
  const started: string[] = [];
  const ending: (() => void)[] = [];
  const ask = (share: string, group?: string) =>
    turns.run(
      share,
      () => {
        started.push(share);
        return new Promise<void>((resolve) => ending.push(resolve));
      },
      undefined,
      group,
    );
  const works = ['one', 'one', 'two', 'two', 'three'].map((share) => ask(share, 'org'));
  expect(started).toEqual(['one', 'one', 'two']);
  works.push(ask('two', 'another'), ask('four', 'org'), ask('two'), ask('other'));
  expect(started).toEqual(['one', 'one', 'two', 'two']);
  for (let count = 0; count < works.length; count += 1) {
    ending.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(works);
  expect(started.slice(4, 6)).toEqual(['other', 'three']);
  expect(started).toHaveLength(9);
});

it('who waits no longer is refused, and leaves its place', async () => {
  const { ask, started, endOne } = held({ perShare: 3 });
  const patience = new AbortController();
  const works = Array.from({ length: 3 }, () => ask('many'));
  const given = [ask('many', patience.signal), ask('late', patience.signal)];
  works.push(ask('many'));
  patience.abort();
  for (const one of given) await expect(one).rejects.toMatchObject({ code: 'OVERLOADED', retryAfter: 1 });
  // Cancelled work no longer counts: six may wait.
  works.push(...Array.from({ length: 3 }, () => ask('many')), ask('few'), ask('few'));
  await expect(ask('few')).rejects.toMatchObject({ code: 'OVERLOADED' });
  for (let count = 0; count < works.length; count += 1) await endOne();
  await Promise.all(works);
  expect(started).not.toContain('late');
});

it('what waits is bounded for each and for all, and refused at once beyond that', async () => {
  const { ask, endOne } = held();
  const works = Array.from({ length: 6 }, () => ask('many'));
  const ofShare = 'Too many pages of this organization are being requested. Try again in a second.';
  await expect(ask('many')).rejects.toMatchObject({ code: 'OVERLOADED', message: ofShare, retryAfter: 1 });
  works.push(ask('few'), ask('few'), ask('few'));
  const ofAll = 'Too many pages are being requested. Try again in a second.';
  await expect(ask('other')).rejects.toMatchObject({ code: 'OVERLOADED', message: ofAll });
  for (let count = 0; count < works.length; count += 1) await endOne();
  await Promise.all(works);
});

it.each([
  ['LIMITS.pagesAtOnce', LIMITS.pagesAtOnce, LIMITS.pagesOfOrg, LIMITS.pagesWaiting, LIMITS.pagesOfOrgWaiting],
  ['LIMITS.branchReadsAtOnce', LIMITS.branchReadsAtOnce, LIMITS.branchReadsPerOrg, 200, 20],
  ['LIMITS.codeSourceQueriesAtOnce', LIMITS.codeSourceQueriesAtOnce, LIMITS.codeSourceQueriesPerOrg, 1000, 100],
])('%s works of all are started, as many wait as may, and one more is refused', async (_, atOnce, perShare, waiting, waitingPerShare) => {
  const { ask, started, endOne } = held({ atOnce, perShare, waiting, waitingPerShare });
  const works = Array.from({ length: atOnce }, (__, index) => ask(`org-${Math.floor(index / perShare)}`));
  for (let index = 0; index < waiting; index += 1) works.push(ask(`late-${Math.floor(index / waitingPerShare)}`));
  expect(started).toHaveLength(atOnce);
  await expect(ask('one-more')).rejects.toMatchObject({ code: 'OVERLOADED', retryAfter: 1 });
  for (let ended = 0; ended < works.length; ended += 1) await endOne();
  await Promise.all(works);
  expect(started).toHaveLength(atOnce + waiting);
});

it('a work that fails makes room like others', async () => {
  const turns = createFairShare({ ...BOUNDS, atOnce: 1, perShare: 1 });
  const failing = turns.run('one', () => Promise.reject(new Error('No.')));
  const next = turns.run('one', () => Promise.resolve('done'));
  await expect(failing).rejects.toThrow('No.');
  await expect(next).resolves.toBe('done');
});
