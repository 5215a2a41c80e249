import type { JobDetails } from '@repoless/contract/job.ts';
import { sanitizeRef } from '@repoless/contract/names.ts';
import type { CodeOrigin } from '../rules/code-origin.ts';
import { Refusal } from '../../domain/errors.ts';
import type { CodeStore, JobRunner, StoredJob } from '../rules/ports.ts';

export interface SyncServices {
  readonly code: CodeStore;
  readonly runner: Pick<JobRunner, 'wake' | 'changed'>;
  now(): Date;
  newId(): string;
}

export interface SyncRequest {
  readonly origin: CodeOrigin;
  /** The branch as the repository names it, or as host names do. */
  readonly branch: string;
  readonly user?: string;
  /** The organization whose call it is: the branch counts for it. */
  readonly org?: string;
  /** For whom the branch counts where it is nobody's call. */
  readonly askedBy?: string | undefined;
  /** It is this very branch: a sync under way of another one that has the same host name ends for it. */
  readonly isPushed?: true;
  /** The caller named this very branch: the sync of another one that has the same host name is not joined. */
  readonly isNamed?: boolean;
}

/**
 * Begins the sync of a branch, once for all sites that share the repository (docs/contract.md 5.3). One that is under way is
 * joined: it looks at the repository once more before it ends, so that what was pushed meanwhile is never missed. Branches that have one
 * host name have one sync at a time; that of the branch that was pushed last takes the place of the other. Refuses with BRANCH_BUSY a branch
 * that was named while the other is synchronised.
 */
export async function createOrJoinSync(services: SyncServices, asked: SyncRequest): Promise<{ record: JobDetails; joined: boolean }> {
  const { code, runner } = services;
  const { origin, org, askedBy = org } = asked;
  const by = { ...(org !== undefined && { org }), ...(askedBy !== undefined && { askedBy }) };
  const begun = { ...(org !== undefined && { begunBy: org }), ...(askedBy !== undefined && { askedBy }) };
  const ref = sanitizeRef(asked.branch);
  for (let attempt = 1; ; attempt += 1) {
    const record = newRecord(services, asked, ref);
    if (await code.addJob({ name: record.name, key: origin.key, ref, origin, record, attempts: 0, again: false, ...begun })) {
      await code.pruneJobs(origin.key, ref, KEPT_JOBS);
      runner.changed(origin.key, ref, 'created');
      runner.wake(record.name);
      return { record, joined: false };
    }
    if (asked.isNamed === true) refuseOther((await code.jobs(origin.key, ref, 1))[0], asked.branch);
    const name = await code.joinJob(origin.key, ref, by);
    const job = name === undefined ? undefined : await code.job(name);
    if (asked.isNamed === true) refuseOther(job, asked.branch);
    if (job !== undefined && !(asked.isPushed === true && isOther(job, asked.branch))) return { record: job.record, joined: true };
    if (job !== undefined && (await code.stopJob(replacedRecord(job, asked.branch, services.now()))))
      runner.changed(origin.key, ref, 'stopped');
    // It ended between the two looks; a further one begins, unless somebody else is faster each time.
    if (attempt >= MAX_ATTEMPTS) throw new Error('A sync could be neither begun nor joined.');
  }
}

/** Refuses with BRANCH_BUSY while the job of another branch with the same host name is open. */
export function refuseOther(job: StoredJob | undefined, branch: string): void {
  if (job === undefined || job.record.state === 'stopped' || !isOther(job, branch)) return;
  const { branch: other } = job.record.data;
  throw new Refusal(
    'BRANCH_BUSY',
    `The branch "${other}", which has the same host name as "${branch}", is synchronised just now. Try again when that has ended.`,
    { data: { branch: other, job: job.record.name } },
  );
}

/** A job that was begun by the address alone may be of any of the branches that have this host name. */
function isOther({ record }: StoredJob, branch: string): boolean {
  return record.data.branch !== branch;
}

function replacedRecord({ record }: StoredJob, branch: string, now: Date): JobDetails {
  const error = `The branch "${branch}", which has the same host name, was pushed and is synchronised instead.`;
  return { ...record, state: 'stopped', stopTime: now.toISOString(), cancelled: true, error };
}

function newRecord({ now, newId }: SyncServices, { origin, branch, user }: SyncRequest, ref: string): JobDetails {
  const time = now().toISOString();
  const stamp = time.slice(0, 19).replaceAll(/[T:]/g, '-');
  return {
    topic: 'code',
    name: `job-${stamp}-${newId().replaceAll('-', '').slice(0, 8).toLowerCase()}`,
    state: 'created',
    createTime: time,
    progress: { total: 0, processed: 0, failed: 0, ignored: 0 },
    ...(user !== undefined && { user }),
    data: { phase: 'collect', owner: origin.owner, repo: origin.repo, ref, branch, changes: [], resources: [] },
  };
}

const KEPT_JOBS = 20;
const MAX_ATTEMPTS = 20;
