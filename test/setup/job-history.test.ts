import type { JobListEntry } from '@repoless/contract/job.ts';
import { durationOf, goodDurations, groupFailures, sparkline } from '@repoless/core/sync/sync-state.ts';
import { describe, expect, test } from 'vitest';

const job = (seconds: number | undefined, error?: string): JobListEntry => ({
  name: 'job-2026-03-04-05-06-07-0a1b2c3d',
  state: seconds === undefined ? 'running' : 'stopped',
  time: '2026-03-04T05:06:07.000Z',
  branch: 'main',
  href: '',
  ...(seconds === undefined ? {} : { stopTime: new Date(Date.parse('2026-03-04T05:06:07.000Z') + seconds * 1000).toISOString() }),
  ...(error === undefined ? {} : { error }),
});

describe('past syncs', () => {
  test('have a duration from start to end, which is zero if the clock went back', () => {
    expect(durationOf(job(3))).toBe(3000);
    expect(durationOf(job(undefined))).toBeUndefined();
    expect(durationOf(job(-5))).toBe(0);
  });

  test('are drawn as a line of the successful ones, the oldest first', () => {
    expect(goodDurations([job(undefined), job(3), job(9, 'Unable to fetch: 500'), job(1)])).toEqual([1000, 3000]);
    expect(sparkline([1000, 3000, 0], 100, 30)).toBe('0,20 50,0 100,30');
    expect(sparkline([0, 0], 100, 30)).toBe('0,30 100,30');
  });

  test('that failed are grouped by reason, the most frequent first', () => {
    const jobs = [job(1, 'Unable to fetch hlxignore: 401'), job(1), job(1, 'Unable to fetch a: 503'), job(1, 'Unable to fetch b: 502')];
    expect(groupFailures(jobs, 'byogit').map(({ kind, error, jobs: { length } }) => [kind, error, length])).toEqual([
      ['outage', 'Unable to fetch a: 503', 2],
      ['secret-refused', 'Unable to fetch hlxignore: 401', 1],
    ]);
  });
});
