import type { JobListEntry, JobPhase, JobProgress, JobStatus } from '@repoless/contract/job.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import type { Failure } from '../situation/call.ts';
import { codeChoice, type Repository, repositoryKey } from '../situation/code-choice.ts';
import type { Situation } from '../situation/situation.ts';

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

export function isInProgress({ state }: SyncState): boolean {
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
  | { readonly state: 'unlisted'; readonly detail: string }
  | { readonly state: 'unread'; readonly detail: string; readonly failure?: Failure };

/** Takes what was read of a site whose code is served. */
export function servedBranch({ site, codeSync, repository }: Pick<Situation, 'site' | 'codeSync' | 'repository'>): ServedBranch {
  if (repository === undefined) return { state: 'unasked' };
  if (repository.state === 'missing') return { state: 'unlisted', detail: '' };
  if (repository.state === 'failed') return { state: 'unread', detail: '', failure: repository.failure };
  const { repository: found, branch, sha, ref, detail } = repository.value;
  const code = site.state === 'known' ? codeChoice(site.value.config.code) : undefined;
  const isOfSite = code !== undefined && repositoryKey(code) === repositoryKey(repository.value) && ref === DEFAULT_REF;
  if (!isOfSite) return { state: 'unasked' };
  if (found === 'unchecked') return { state: 'unlisted', detail };
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

/** Why a code sync failed, if its message says so. */
export type JobProblemKind =
  | 'secret-refused'
  | 'not-readable'
  | 'repository-missing'
  | 'branch-missing'
  | 'rate-limited'
  | 'outage'
  | 'too-large'
  | 'interrupted'
  | 'address-refused'
  | 'other';

/** What the person can do about it immediately. */
export type JobAction = 'paste-secret' | 'choose-branch' | 'sync-again' | 'none';

export interface JobProblem {
  readonly kind: JobProblemKind;
  /** The job's own message. */
  readonly error: string;
  /** The code source's status, if the message contains one. */
  readonly status?: number;
  readonly action: JobAction;
}

/**
 * Parses the error of a job (docs/contract.md 5.4 and docs/design-facts.md 3.3). Takes the message and the type of
 * the code source: 401 of an external repository means that its secret is wrong or was revoked.
 */
export function jobProblem(error: string, source: 'github' | 'byogit'): JobProblem {
  const status = statusIn(error);
  const kind = kindOf(error, status, source);
  return { kind, error, ...(status === undefined ? {} : { status }), action: ACTIONS[kind] };
}

const ACTIONS: Record<JobProblemKind, JobAction> = {
  'secret-refused': 'paste-secret',
  'not-readable': 'sync-again',
  'repository-missing': 'sync-again',
  'branch-missing': 'choose-branch',
  'rate-limited': 'sync-again',
  outage: 'sync-again',
  'too-large': 'sync-again',
  interrupted: 'sync-again',
  'address-refused': 'none',
  other: 'sync-again',
};

function kindOf(error: string, status: number | undefined, source: 'github' | 'byogit'): JobProblemKind {
  if (/branch not found/i.test(error)) return 'branch-missing';
  if (/secret/i.test(error) && source === 'byogit') return 'secret-refused';
  if (status === 401 || status === 403) return source === 'byogit' ? 'secret-refused' : 'not-readable';
  if (status === 404 || status === 410) return 'repository-missing';
  if (status === 429) return 'rate-limited';
  if (status !== undefined && status >= 500) return 'outage';
  if (/internal address|not allowed to call|refused address/i.test(error)) return 'address-refused';
  if (/too (?:large|many|big)|limit|larger than|more than/i.test(error)) return 'too-large';
  if (/restart|interrupted|taken over/i.test(error)) return 'interrupted';
  if (/time|(did|does) not (answer|respond)|unreachable|connection|cut|truncated/i.test(error)) return 'outage';
  return 'other';
}

function statusIn(error: string): number | undefined {
  const digits = /(?:: |status |answered (?:with )?)([1-5]\d\d)\b/.exec(error)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Syncs that failed for the same reason, the latest first. */
interface FailureGroup {
  readonly kind: JobProblemKind;
  /** At least one. */
  readonly jobs: readonly JobListEntry[];
  /** The message of the latest. */
  readonly error: string;
}

/** Milliseconds that a sync took; undefined while it is in progress. */
export function durationOf({ time, stopTime }: Pick<JobListEntry, 'time' | 'stopTime'>): number | undefined {
  return stopTime === undefined ? undefined : Math.max(0, Date.parse(stopTime) - Date.parse(time));
}

/** The durations of successful syncs, oldest first. Takes jobs, newest first. */
export function goodDurations(jobs: readonly JobListEntry[]): readonly number[] {
  return jobs
    .filter(({ state, error, cancelled }) => state === 'stopped' && error === undefined && cancelled !== true)
    .map(durationOf)
    .filter((duration) => duration !== undefined)
    .toReversed();
}

/** Why syncs failed, most frequent reason first. Takes jobs, newest first. */
export function groupFailures(jobs: readonly JobListEntry[], source: Repository['type']): readonly FailureGroup[] {
  const groups = new Map<JobProblemKind, { error: string; jobs: JobListEntry[] }>();
  for (const job of jobs) {
    if (job.error === undefined || job.cancelled === true) continue;
    const { kind } = jobProblem(job.error, source);
    const group = groups.get(kind) ?? { error: job.error, jobs: [] };
    group.jobs.push(job);
    groups.set(kind, group);
  }
  return [...groups].map(([kind, group]) => ({ kind, ...group })).toSorted((one, other) => other.jobs.length - one.jobs.length);
}

/** The points of a line in a box, in SVG syntax; the longest duration touches the top, zero the bottom. */
export function sparkline(values: readonly number[], width: number, height: number): string {
  const most = Math.max(...values, 1);
  const step = values.length < 2 ? 0 : width / (values.length - 1);
  return values.map((value, index) => `${round(index * step)},${round(height - (value / most) * height)}`).join(' ');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
