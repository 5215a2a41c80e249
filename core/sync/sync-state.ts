import type { JobPhase, JobProgress, JobStatus } from '@repoless/contract/job.ts';
import { jobProblem } from './job-problem.ts';
import type { JobProblem } from './job-problem.ts';

/** How the latest code sync of a branch stands. */
export type SyncState =
  | { readonly state: 'never' }
  | { readonly state: 'waiting'; readonly waitsFor?: string }
  | { readonly state: 'running'; readonly phase: JobPhase; readonly progress: JobProgress; readonly waitsFor?: string }
  | { readonly state: 'done' }
  | { readonly state: 'stopped' }
  | { readonly state: 'failed'; readonly problem: JobProblem };

export function syncStateOf(status: JobStatus, source: 'github' | 'byogit'): SyncState {
  switch (status.state) {
    case undefined:
      return { state: 'never' };
    case 'created':
      return { state: 'waiting', ...waitsFor(status) };
    case 'running':
      return {
        state: 'running',
        phase: status.data?.phase ?? 'collect',
        progress: status.progress ?? { total: 0, processed: 0, failed: 0, ignored: 0 },
        ...waitsFor(status),
      };
    case 'stopped':
      if (status.cancelled === true) return { state: 'stopped' };
      return status.error === undefined ? { state: 'done' } : { state: 'failed', problem: jobProblem(status.error, source) };
    default:
      return status.state satisfies never;
  }
}

/** As the service says it. */
function waitsFor({ data }: JobStatus): { readonly waitsFor?: string } {
  return data?.waiting === undefined ? {} : { waitsFor: data.waiting };
}

export function isUnderWay({ state }: SyncState): boolean {
  return state === 'waiting' || state === 'running';
}

/** When the latest job came to its present state: it ended, began, or was asked for. */
export function jobTime({ stopTime, startTime, createTime }: JobStatus): string | undefined {
  return stopTime ?? startTime ?? createTime;
}

/** The name of the latest job that ended well: what is served is its commit. */
export function lastGoodJob({ jobs }: Pick<JobStatus, 'jobs'>): string | undefined {
  return jobs.find(({ state, error }) => state === 'stopped' && error === undefined)?.name;
}
