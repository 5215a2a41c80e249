import { expect, it } from 'vitest';
import { createPathCover } from '@repoless/contract/path-globs.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { threadTime } from '../support/turns.mjs';

/** Each starts to match at every position of the path, and ends with something that the path lacks. */
const WORST = ['*a', '**a', '*/a', '**/a/', '*a**a', 'a*'];
const PATHS = ['a', 'a/'];

function glob(run: string, length: number, index: number): string {
  return `/${run.repeat(length)}`.slice(0, length - 4).padEnd(length, `b${index}`);
}

interface Lengths {
  readonly glob: number;
  readonly path: number;
}

/** Returns a function that matches a path of this length against the maximum number of globs, and returns the milliseconds it took. */
function timing(run: string, segment: string, { glob: length, path }: Lengths): () => number {
  const isCovered = createPathCover(Array.from({ length: LIMITS.pathGlobs }, (_, index) => glob(run, length, index)));
  const content = `/${segment.repeat(path)}`.slice(0, path - 1).concat('c');
  return () => {
    const before = threadTime();
    expect(isCovered(content)).toBe(false);
    return threadTime() - before;
  };
}

/**
 * The total of several times of each: the clock of a thread moves in steps of milliseconds, as long as one of them may take. They alternate, so that a
 * temporarily slow machine affects all of them.
 */
function totalTimes(timings: readonly (() => number)[]): number[] {
  const rounds = Array.from({ length: ROUNDS }, () => timings.map((time) => time()));
  return timings.map((_, index) => rounds.reduce((total, times) => total + (times[index] ?? 0), 0));
}
const ROUNDS = 15;

it.each(WORST.flatMap((run) => PATHS.map((segment) => [run, segment] as const)))(
  'the cost of hostile globs of %j on a path of %j grows linearly with the length of either',
  (run, segment) => {
    const whole = { glob: LIMITS.pathGlobLength, path: LIMITS.pagePath };
    const [longest = Infinity, ...quarters] = totalTimes([
      timing(run, segment, whole),
      timing(run, segment, { ...whole, path: whole.path / 4 }),
      timing(run, segment, { ...whole, glob: whole.glob / 4 }),
    ]);
    // Quadratic growth would be a factor of sixteen. Times under a millisecond are too short for a ratio.
    for (const quarter of quarters) expect(longest).toBeLessThan(12 * Math.max(ROUNDS, quarter));
  },
);

it('five thousand plain paths cost no more than their segments', () => {
  const folders = Array.from({ length: 5000 }, (_, index) => `/content/park/folder-${index}`);
  const isCovered = createPathCover(folders);
  expect([isCovered('/content/park/folder-4999/a/b'), isCovered('/content/park/folder-5000/a')]).toEqual([true, false]);
});
