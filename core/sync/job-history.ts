import type { JobListEntry } from '@repoless/contract/job.ts';
import { jobProblem } from './job-problem.ts';
import type { JobProblemKind } from './job-problem.ts';
import type { RepositoryGroup } from './repository-groups.ts';

/** Syncs that failed for the same reason, the latest first. */
export interface FailureGroup {
  readonly kind: JobProblemKind;
  /** At least one. */
  readonly jobs: readonly JobListEntry[];
  /** The message of the latest. */
  readonly error: string;
}

/** Milliseconds that a sync took; undefined while it is under way. */
export function durationOf({ time, stopTime }: Pick<JobListEntry, 'time' | 'stopTime'>): number | undefined {
  return stopTime === undefined ? undefined : Math.max(0, Date.parse(stopTime) - Date.parse(time));
}

/** How long the syncs took that ended well, the oldest first. In: newest first. */
export function goodDurations(jobs: readonly JobListEntry[]): readonly number[] {
  return jobs
    .filter(({ state, error }) => state === 'stopped' && error === undefined)
    .map(durationOf)
    .filter((duration) => duration !== undefined)
    .toReversed();
}

/** Why syncs failed, the most frequent reason first. In: newest first. */
export function groupFailures(jobs: readonly JobListEntry[], source: RepositoryGroup['type']): readonly FailureGroup[] {
  const groups = new Map<JobProblemKind, { error: string; jobs: JobListEntry[] }>();
  for (const job of jobs) {
    if (job.error === undefined) continue;
    const { kind } = jobProblem(job.error, source);
    const group = groups.get(kind) ?? { error: job.error, jobs: [] };
    group.jobs.push(job);
    groups.set(kind, group);
  }
  return [...groups].map(([kind, group]) => ({ kind, ...group })).toSorted((one, other) => other.jobs.length - one.jobs.length);
}

/** The points of a line in a box, as SVG has them; the longest duration touches the top, none the bottom. */
export function sparkline(values: readonly number[], width: number, height: number): string {
  const most = Math.max(...values, 1);
  const step = values.length < 2 ? 0 : width / (values.length - 1);
  return values.map((value, index) => `${round(index * step)},${round(height - (value / most) * height)}`).join(' ');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
