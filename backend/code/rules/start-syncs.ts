import { codeSentence } from '@repoless/contract/code-sentences.ts';
import type { JobDetails, JobStarter, PushOutcome } from '@repoless/contract/job.ts';
import { branchProblem, DEFAULT_REF, HOST_LABEL_LIMIT, hostLabelProblem, sanitizeRef } from '@repoless/contract/names.ts';
import { REPOSITORY_SECRET } from '@repoless/contract/secret.ts';
import type { Context } from '../../domain/context.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { Reads } from '../../domain/ports.ts';
import { originOf, requesterOfPush } from './code-origin.ts';
import type { CodeOrigin, CodeStore, FirstSyncs, JobRunner, StoredJob } from './ports.ts';

interface SyncServices {
  readonly code: CodeStore;
  readonly runner: Pick<JobRunner, 'wake' | 'changed'>;
  now(): Date;
  newId(): string;
}

interface SyncRequest {
  readonly origin: CodeOrigin;
  /** The branch as named by the repository, or as in host names. */
  readonly branch: string;
  readonly user?: string;
  /** The organization of the call, for which the branch counts. */
  readonly org?: string;
  /** Which organization the branch counts for if no call requested it. */
  readonly requestedBy?: string | undefined;
  /** Exactly this branch: a sync in progress of another one with the same host name ends for it. */
  readonly isPushed?: true;
  /** The caller named exactly this branch: the sync of another one with the same host name is not joined. */
  readonly isNamed?: boolean;
}

/**
 * Starts the sync of a branch, once for all sites that share the repository (docs/contract.md 5.3). Joins one in progress: it reads the
 * repository once more before it ends, so that no push is missed. Branches with the same host name have one sync at a time; the most
 * recently pushed branch displaces the other. Refuses with BRANCH_BUSY a named branch while the other is being synchronized.
 */
export async function createOrJoinSync(services: SyncServices, request: SyncRequest): Promise<{ record: JobDetails; joined: boolean }> {
  const { code, runner } = services;
  const { origin, org, requestedBy = org } = request;
  const by = { ...(org !== undefined && { org }), ...(requestedBy !== undefined && { requestedBy }) };
  const started = { ...(org !== undefined && { startedBy: org }), ...(requestedBy !== undefined && { requestedBy }) };
  const ref = sanitizeRef(request.branch);
  for (let attempt = 1; ; attempt += 1) {
    const record = newRecord(services, request, ref);
    if (await code.addJob({ name: record.name, key: origin.key, ref, origin, record, attempts: 0, rerun: false, ...started })) {
      await code.pruneJobs(origin.key, ref, STORED_JOBS);
      runner.changed(origin.key, ref, 'created');
      runner.wake(record.name);
      return { record, joined: false };
    }
    if (request.isNamed === true) refuseOther((await code.jobs(origin.key, ref, 1))[0], request.branch);
    const name = await code.joinJob(origin.key, ref, by);
    const job = name === undefined ? undefined : await code.job(name);
    if (request.isNamed === true) refuseOther(job, request.branch);
    if (job !== undefined && !(request.isPushed === true && isOther(job, request.branch))) return { record: job.record, joined: true };
    if (job !== undefined && (await code.stopJob(replacedRecord(job, request.branch, services.now()))))
      runner.changed(origin.key, ref, 'stopped');
    // It ended between the two reads; a further one starts, unless another node is always faster.
    if (attempt >= MAX_ATTEMPTS) throw new Error('A sync could be neither started nor joined.');
  }
}

/** Refuses with BRANCH_BUSY while the job of another branch with the same host name is open. */
export function refuseOther(job: StoredJob | undefined, branch: string): void {
  if (job === undefined || job.record.state === 'stopped' || !isOther(job, branch)) return;
  const { branch: other } = job.record.data;
  const sentence = `The branch "${other}", which has the same host name as "${branch}", is being synchronized. Try again when that sync has ended.`;
  throw new Refusal('BRANCH_BUSY', sentence, { data: { branch: other, job: job.record.name } });
}

/** A job started from the address only may be of any branch with this host name. */
function isOther({ record }: StoredJob, branch: string): boolean {
  return record.data.branch !== branch;
}

function replacedRecord({ record }: StoredJob, branch: string, now: Date): JobDetails {
  const error = codeSentence('branchReplaced', { branch });
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

const STORED_JOBS = 20;
const MAX_ATTEMPTS = 20;

interface Push {
  readonly origins: readonly CodeOrigin[];
  readonly branch: string;
  readonly user: string;
  /** The organization that is notified of the results, for its own sites only; absent if that is the owner of the repository. */
  readonly org?: string;
}

/** One sync for each origin, whatever the number of sites on it. */
export async function syncPushed(context: Context, runner: Pick<JobRunner, 'wake' | 'changed'>, push: Push): Promise<PushOutcome> {
  const ref = sanitizeRef(push.branch);
  if (ref === '') return { jobs: [], ignored: branchProblem(push.branch) };
  const unfit = new Set<string>();
  let started = 0;
  const jobs: PushOutcome['jobs'] = [];
  for (const origin of push.origins) {
    const problem = await labelProblem(context, origin, { ref, branch: push.branch, org: push.org });
    if (problem !== undefined) {
      unfit.add(problem);
      continue;
    }
    started += 1;
    const services = { code: context.store.code, runner, now: context.now, newId: context.newId };
    const requestedBy = await requesterOfPush(context, { origin, ref });
    const { record, joined } = await createOrJoinSync(services, {
      origin,
      branch: push.branch,
      user: push.user,
      requestedBy,
      isPushed: true,
    });
    jobs.push({ name: record.name, joined });
  }
  return started === 0 ? { jobs, ignored: [...unfit].join(' ') } : { jobs };
}

/** Why no site on the repository has a host for a branch; undefined if at least one has. Names a site only to its own organization. */
async function labelProblem(
  { store }: Context,
  origin: CodeOrigin,
  { ref, branch, org: notified }: { readonly ref: string; readonly branch: string; readonly org: string | undefined },
): Promise<string | undefined> {
  // Every site has a host for its `main`.
  if (ref.length <= DEFAULT_REF.length) return undefined;
  const org = origin.type === 'byogit' ? origin.org : undefined;
  const shortest = await store.reads.shortestSiteOfRepository(origin.repository, org);
  const problem = shortest && hostLabelProblem(ref, shortest.site, shortest.org);
  if (problem === undefined || shortest?.org === notified) return problem;
  return codeSentence('branchNameTooLong', { branch, limit: HOST_LABEL_LIMIT });
}

/**
 * Stops serving the code of a deleted branch. `main` always stays, and so does a branch of another name that is the same in addresses:
 * compares the repository's names of what is served and what is in progress.
 */
export async function removeBranch(context: Context, runner: Pick<JobRunner, 'changed'>, push: Push): Promise<PushOutcome> {
  const ref = sanitizeRef(push.branch);
  if (ref === DEFAULT_REF) return { jobs: [], ignored: codeSentence('mainNotRemovable', { branch: DEFAULT_REF }) };
  const { code } = context.store;
  for (const { key } of push.origins) {
    const [latest] = await code.jobs(key, ref, 1);
    const record = latest?.record;
    if (record !== undefined && record.state !== 'stopped' && record.data.branch === push.branch) {
      const stopTime = context.now().toISOString();
      await code.stopJob({ ...record, state: 'stopped', stopTime, cancelled: true, error: codeSentence('branchDeleted') });
    }
    const served = await code.branch(key, ref);
    if (served?.branch === push.branch) await code.deleteBranch(key, ref);
    const latestBranch = record?.data.branch ?? push.branch;
    if (latestBranch === push.branch) await context.store.events.endSync(key, ref, context.now());
    runner.changed(key, ref, 'stopped');
  }
  return { jobs: [] };
}

interface FirstSyncServices extends SyncServices {
  readonly reads: Pick<Reads, 'secretHolder' | 'secret'>;
}

export function firstSyncs(services: FirstSyncServices): FirstSyncs {
  const { code: jobs } = services;
  // Not cached: any node may remove code that no site uses.
  const isServed = async ({ key }: CodeOrigin): Promise<boolean> => (await jobs.branch(key, DEFAULT_REF)) !== undefined;

  return {
    async codeStored(org, code) {
      const origin = originOf(org, code);
      if (origin === undefined || (await isServed(origin))) return;
      const [latest] = await jobs.jobs(origin.key, DEFAULT_REF, 1);
      if ((latest !== undefined && latest.record.state !== 'stopped') || (await awaitsSecret(services, origin))) return;
      await createOrJoinSync(services, { origin, branch: DEFAULT_REF, user: 'first sync' satisfies JobStarter, org });
    },
    async secretStored(org, code) {
      const origin = originOf(org, code);
      if (origin?.type !== 'byogit') return;
      for (const ref of new Set([DEFAULT_REF, ...(await jobs.refs(origin.key))])) {
        const [latest] = await jobs.jobs(origin.key, ref, 1);
        const isFirst = latest === undefined || (ref === DEFAULT_REF && !(await isServed(origin)));
        // One in progress may already have been refused: it reads once more.
        const isDue = isFirst || latest.record.state !== 'stopped' || SECRET_REFUSED.test(latest.record.error ?? '');
        if (!isDue) continue;
        const branch = latest?.record.data.branch ?? ref;
        const starter: JobStarter = isFirst && latest === undefined ? 'first sync' : 'new secret';
        await createOrJoinSync(services, { origin, branch, user: starter });
      }
    },
  };
}

/** Whether the secret of an external repository is still missing: without it a sync could only fail. */
async function awaitsSecret({ reads }: FirstSyncServices, origin: CodeOrigin): Promise<boolean> {
  if (origin.type !== 'byogit') return false;
  const holder = await reads.secretHolder(origin.org, origin.repository);
  if (holder === undefined) return false;
  return (await reads.secret(holder.org, holder.site, REPOSITORY_SECRET)) === undefined;
}

const SECRET_REFUSED = /^Unable to fetch .*: 40[13]\b|^The secret "/;
