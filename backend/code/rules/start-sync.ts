import { BranchName } from '@repoless/contract/build-management.ts';
import type { endpoints } from '@repoless/contract/endpoints.ts';
import type { JobDetails, SyncStarted } from '@repoless/contract/job.ts';
import { branchProblem, DEFAULT_REF, hostLabelProblem, nameProblem, sanitizeRef } from '@repoless/contract/names.ts';
import { dryRunOf } from '../../changes/part-calls.ts';
import type { Context, Operation, Outcome } from '../../domain/context.ts';
import { etagOf } from '../../domain/documents.ts';
import { difference } from '@repoless/contract/difference.ts';
import { checkPreconditions, Refusal } from '@repoless/contract/refusal.ts';
import type { SiteName } from '../../sites/check-site.ts';
import { requireBranchCapacity } from './code-origin.ts';
import { findJob, findOrigin, jobsAddress, jobView } from './get-job.ts';
import type { BranchProbe, CodeOrigin, CodeStore, JobRunner, StoredJob } from './ports.ts';
import { createOrJoinSync, refuseOther } from './start-syncs.ts';
import { requireUser } from '../../sessions/identity.ts';

type Runner = Pick<JobRunner, 'wake' | 'changed'>;

/** Refuses what is certain to fail; for transient problems the job waits, and says so. */
export function startSync(runner: Runner, probe: BranchProbe): Operation<(typeof endpoints)['startSync']> {
  return async (context, request) => {
    const { params, query } = request;
    const branch = requestedBranch(params.ref, query.branch);
    const { origin } = await findOrigin(context, params);
    checkPreconditions(request, undefined);
    refuseLongLabel(params);
    await requireBranch(context, probe, origin, { ref: params.ref, branch, org: params.org });
    await requireBranchCapacity(context, params.org, { origin, ref: params.ref });
    const list = jobsAddress(params);
    const { code } = context.store;
    if (query.dryRun === true) return await dryRunResult(code, origin.key, params.ref, list, query.branch);
    const user = requireUser(context.caller).email;
    const { record, joined } = await createOrJoinSync(
      { code, runner, now: context.now, newId: context.newId },
      { origin, branch, user, org: params.org, isNamed: query.branch !== undefined },
    );
    await auditSync(context, params, `start-sync/${params.ref}`);
    const body: SyncStarted = {
      messageId: context.requestId,
      job: { topic: 'code', name: record.name, state: record.state, createTime: record.createTime },
      ...(joined && { joined }),
      links: { self: `${list}/${record.name}`, list },
    };
    return { result: 'accepted', body };
  };
}

/** The job that would be joined, or started, in which case it has no name yet. `named`: the branch, if the call names it. */
async function dryRunResult(code: CodeStore, key: string, ref: string, list: string, named: string | undefined): Promise<Outcome> {
  const [latest] = await code.jobs(key, ref, 1);
  if (named !== undefined) refuseOther(latest, named);
  if (latest === undefined || latest.record.state === 'stopped') {
    const result = { job: { topic: 'code', state: 'created' }, links: { list } };
    return dryRunOf({ result: 'accepted', body: result, diff: difference({}, result) });
  }
  const { name, state, createTime } = latest.record;
  const job = { topic: 'code', name, state, createTime };
  return dryRunOf({ result: 'accepted', body: { job, joined: true, links: { self: `${list}/${name}`, list } }, diff: [] });
}

/** `startSync` with the branch at the end of the address, as some clients of the public API write it. */
export function startBranchSync(runner: Runner, probe: BranchProbe): Operation<(typeof endpoints)['startBranchSync']> {
  const start = startSync(runner, probe);
  return (context, { params, ...rest }) => {
    // `*` means all code, and is not a valid branch name.
    const ref = params.path === '*' ? DEFAULT_REF : params.path;
    return start(context, { ...rest, params: { ...params, ref } });
  };
}

/** What is served does not change. A finished job is left alone. */
export function stopJob(runner: Runner): Operation<(typeof endpoints)['stopJob']> {
  return async (context, request) => {
    const { params, query } = request;
    const { job, reader } = await findJob(context, params);
    checkPreconditions(request, etagOf(jobView(job, reader)));
    await requireOwnSync(context, job, params.org);
    const stopped = cancelledRecord(job, context.now());
    if (query.dryRun === true) {
      const after = job.record.state === 'stopped' ? job : { ...job, record: stopped };
      return dryRunOf({ result: 'removed', diff: difference(jobView(job, reader), jobView(after, reader)) });
    }
    if (await context.store.code.stopJob(stopped)) {
      runner.changed(job.key, job.ref, 'stopped');
      await auditSync(context, params, `stop-sync/${params.name}`);
    }
    return { result: 'removed' };
  };
}

/** Refuses to stop what others wait for: a sync belongs to its own organization until another one joins it. */
async function requireOwnSync(context: Context, { origin, startedBy, isJoined }: StoredJob, org: string): Promise<void> {
  if (startedBy !== org || isJoined === true) await requireOwnCode(context, origin, org);
}

/** Only the organization that owns shared code may decide about it, or the only one that uses it. */
export async function requireOwnCode({ store }: Context, origin: CodeOrigin, org: string): Promise<void> {
  if (origin.type === 'byogit' || origin.owner.toLowerCase() === org.toLowerCase()) return;
  const using = await store.reads.orgsOfRepository(origin.repository, { limit: 2 });
  if (using.every((one) => one === org)) return;
  throw new Refusal('NOT_AUTHORIZED', 'not authorized', {
    detail: `Other organizations also use the repository ${origin.owner}/${origin.repo}, so "${org}" cannot decide this alone. An administrator of "${origin.owner}" can.`,
    data: { reason: 'sharedCode' },
  });
}

export function cancelledRecord({ record }: StoredJob, now: Date): JobDetails {
  const { waiting: _waiting, ...data } = record.data;
  return { ...record, data, state: 'stopped', stopTime: now.toISOString(), cancelled: true };
}

// Recorded afterwards, as the job is not part of the transaction: the trail never reports what did not happen.
export async function auditSync({ store, caller, requestId, now }: Context, { org, site }: SiteName, action: string): Promise<void> {
  const user = requireUser(caller).email;
  await store.write((writes) => writes.addAudit({ org, site, time: now(), user, action, requestId }));
}

interface BranchRequest {
  /** As in addresses. */
  readonly ref: string;
  /** As in the repository. */
  readonly branch: string;
  readonly org: string;
}

/** The branch of a call, as named by the repository: from the query, otherwise from the address. Refuses if they differ. */
export function requestedBranch(ref: string, named: string | undefined): string {
  const problem = nameProblem('branch', ref);
  if (problem !== undefined) throw new Refusal('NAME_INVALID', problem);
  if (named === undefined || named === ref) return ref;
  if (!BranchName.safeParse(named).success) throw new Refusal('QUERY_INVALID', `"${named}" is not a valid name of a branch in git.`);
  const written = sanitizeRef(named);
  if (written === '') throw new Refusal('QUERY_INVALID', branchProblem(named));
  if (written !== ref) throw new Refusal('QUERY_INVALID', `${branchProblem(named)} This address says "${ref}".`);
  return named;
}

function refuseLongLabel({ org, site, ref }: SiteName & { readonly ref: string }): void {
  const problem = hostLabelProblem(ref, site, org);
  if (problem !== undefined) throw new Refusal('HOST_LABEL_TOO_LONG', problem);
}

/**
 * Refuses the sync of a branch that its repository does not have. If the repository is unreachable, `main` and branches that are already
 * served are synchronized nevertheless: their job waits and says what for. If it denies access without the right secret, the job says so.
 */
async function requireBranch({ store }: Context, probe: BranchProbe, origin: CodeOrigin, request: BranchRequest): Promise<void> {
  const [latest] = await store.code.jobs(origin.key, request.ref, 1);
  if (latest !== undefined && latest.record.state !== 'stopped') return;
  const found = await probe(origin, request);
  if (found.state === 'found' || found.state === 'refused') return;
  if (found.state === 'missing') throw new Refusal('BRANCH_NOT_FOUND', found.sentence, { data: { branch: request.branch } });
  if (request.ref === DEFAULT_REF || (await store.code.branch(origin.key, request.ref)) !== undefined) return;
  const sentence = `${found.sentence} It is unknown whether the branch "${request.branch}" exists. Try again in a minute.`;
  throw new Refusal(origin.type === 'github' ? 'CODE_HOST_UNREACHABLE' : 'REPOSITORY_UNREACHABLE', sentence, { retryAfter: 60 });
}
