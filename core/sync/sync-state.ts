import type { JobPhase, JobProgress, JobStatus } from '@repoless/contract/job.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import type { Failure } from '../situation/call.ts';
import { codeChoice, repositoryKey } from '../situation/code-choice.ts';
import type { Situation } from '../situation/situation.ts';
import { jobProblem, type JobProblem } from './job-problem.ts';

/** The state of a branch's latest code sync. */
export type SyncState =
  | { readonly state: 'never' }
  | { readonly state: 'waiting'; readonly waitsFor?: string }
  | { readonly state: 'running'; readonly phase: JobPhase; readonly progress: JobProgress; readonly waitsFor?: string }
  | { readonly state: 'done' }
  /** It succeeded, and an earlier commit is served intentionally. */
  | { readonly state: 'rolledBack'; readonly time: string; readonly user?: string | undefined }
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
      if (status.error === undefined)
        return status.rolledBack === undefined ? { state: 'done' } : { state: 'rolledBack', ...status.rolledBack };
      return { state: 'failed', problem: jobProblem(status.error, source) };
    default:
      return status.state satisfies never;
  }
}

/** In the service's words. */
function waitsFor({ data }: JobStatus): { readonly waitsFor?: string } {
  return data?.waiting === undefined ? {} : { waitsFor: data.waiting };
}

export function isUnderWay({ state }: SyncState): boolean {
  return state === 'waiting' || state === 'running';
}

/** When the latest job reached its current state: it ended, started, or was requested. */
export function jobTime({ stopTime, startTime, createTime }: JobStatus): string | undefined {
  return stopTime ?? startTime ?? createTime;
}

/** The name of the latest successful job. */
export function lastGoodJob({ jobs }: Pick<JobStatus, 'jobs'>): string | undefined {
  return jobs.find(({ state, error }) => state === 'stopped' && error === undefined)?.name;
}

/** The served commit; if the service does not report it, that of a successful latest sync. */
export function servedCommit({ served, state, error, data }: JobStatus): string | undefined {
  return served ?? (state === 'stopped' && error === undefined ? data?.sha : undefined);
}

/** The served commit compared with the main branch at the code source of the registered site. */
type ServedBranch =
  | { readonly state: 'same' }
  /** The branch moved, forwards or back. */
  | { readonly state: 'other'; readonly head: string }
  /** The code source no longer has the repository or branch, or refuses access; `detail` is a sentence of the service. */
  | { readonly state: 'gone'; readonly lost: 'repository' | 'permission' | 'branch'; readonly detail: string }
  /** Not queried. */
  | { readonly state: 'unasked' }
  /** Only a sync can read this code source. */
  | { readonly state: 'untold'; readonly detail: string }
  | { readonly state: 'unread'; readonly detail: string; readonly failure?: Failure };

/** Takes what was read of a site whose code is served. */
export function servedBranch({ site, codeSync, repository }: Pick<Situation, 'site' | 'codeSync' | 'repository'>): ServedBranch {
  if (repository === undefined) return { state: 'unasked' };
  if (repository.state === 'missing') return { state: 'untold', detail: '' };
  if (repository.state === 'failed') return { state: 'unread', detail: '', failure: repository.failure };
  const { repository: found, branch, sha, ref, detail } = repository.value;
  const code = site.state === 'known' ? codeChoice(site.value.config.code) : undefined;
  const isOfSite = code !== undefined && repositoryKey(code) === repositoryKey(repository.value) && ref === DEFAULT_REF;
  if (!isOfSite) return { state: 'unasked' };
  if (found === 'unchecked') return { state: 'untold', detail };
  if (found === 'missing') return { state: 'gone', lost: 'repository', detail };
  if (found === 'refused') return { state: 'gone', lost: 'permission', detail };
  if (branch === 'missing') return { state: 'gone', lost: 'branch', detail };
  const served = codeSync?.state === 'known' ? servedCommit(codeSync.value) : undefined;
  if (sha === undefined || served === undefined) return { state: 'unread', detail };
  return sha === served ? { state: 'same' } : { state: 'other', head: sha };
}

/** The served commit differs from the branch, and no sync was running when it was read: one may have started since. */
export function mayHaveMovedOn(situation: Pick<Situation, 'site' | 'codeSync' | 'repository'>): boolean {
  const { codeSync: job, site } = situation;
  const source = site.state === 'known' ? codeChoice(site.value.config.code)?.type : undefined;
  if (job?.state !== 'known' || source === undefined || syncStateOf(job.value, source).state !== 'done') return false;
  return servedBranch(situation).state === 'other';
}
