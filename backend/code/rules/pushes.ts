import type { PushOutcome } from '@repoless/contract/job.ts';
import { branchProblem, DEFAULT_REF, HOST_LABEL_LIMIT, hostLabelProblem, sanitizeRef } from '@repoless/contract/names.ts';
import type { Context } from '../../domain/context.ts';
import { createOrJoinSync } from '../jobs/create-or-join-sync.ts';
import { requesterOfPush } from './asked-branches.ts';
import type { CodeOrigin } from './code-origin.ts';
import type { JobRunner } from './ports.ts';

/** A branch of a repository that was pushed to, or deleted. */
export interface Push {
  readonly origins: readonly CodeOrigin[];
  readonly branch: string;
  readonly user: string;
  /** The organization that is told what became of it, and so of its own sites; absent where that is whoever owns the repository. */
  readonly org?: string;
}

/** One sync for each origin, whatever the number of sites on it. */
export async function syncPushed(context: Context, runner: Pick<JobRunner, 'wake' | 'changed'>, push: Push): Promise<PushOutcome> {
  const ref = sanitizeRef(push.branch);
  if (ref === '') return { jobs: [], ignored: branchProblem(push.branch) };
  const unfit = new Set<string>();
  let begun = 0;
  const jobs: PushOutcome['jobs'] = [];
  for (const origin of push.origins) {
    const problem = await labelProblem(context, origin, { ref, branch: push.branch, org: push.org });
    if (problem !== undefined) {
      unfit.add(problem);
      continue;
    }
    begun += 1;
    const services = { code: context.store.code, runner, now: context.now, newId: context.newId };
    const askedBy = await requesterOfPush(context, { origin, ref });
    const { record, joined } = await createOrJoinSync(services, { origin, branch: push.branch, user: push.user, askedBy, isPushed: true });
    jobs.push({ name: record.name, joined });
  }
  return begun === 0 ? { jobs, ignored: [...unfit].join(' ') } : { jobs };
}

/**
 * Why no site on the repository has a host for a branch; undefined where at least one has. Names a site to its own organization alone.
 */
async function labelProblem(
  { store }: Context,
  origin: CodeOrigin,
  { ref, branch, org: told }: { readonly ref: string; readonly branch: string; readonly org: string | undefined },
): Promise<string | undefined> {
  // Every site has a host for its `main`.
  if (ref.length <= DEFAULT_REF.length) return undefined;
  const org = origin.type === 'byogit' ? origin.org : undefined;
  const shortest = await store.reads.shortestSiteOfRepository(origin.repository, org);
  const problem = shortest && hostLabelProblem(ref, shortest.site, shortest.org);
  if (problem === undefined || shortest?.org === told) return problem;
  return `No site on this repository has a host name with room for the branch "${branch}": DNS allows ${HOST_LABEL_LIMIT} characters for branch, site and organization together. Give the branch a shorter name.`;
}

/**
 * The code of a deleted branch is served no longer. `main` stays, whatever is told, and so does a branch of another name that is the same in
 * addresses: what is served and what is under way is compared by the name that the repository has.
 */
export async function forgetBranch(context: Context, runner: Pick<JobRunner, 'changed'>, push: Push): Promise<PushOutcome> {
  const ref = sanitizeRef(push.branch);
  if (ref === DEFAULT_REF) return { jobs: [], ignored: `The code of "${DEFAULT_REF}" is never removed.` };
  const { code } = context.store;
  for (const { key } of push.origins) {
    const [latest] = await code.jobs(key, ref, 1);
    const record = latest?.record;
    if (record !== undefined && record.state !== 'stopped' && record.data.branch === push.branch) {
      const stopTime = context.now().toISOString();
      await code.stopJob({ ...record, state: 'stopped', stopTime, cancelled: true, error: 'The branch was deleted.' });
    }
    const served = await code.branch(key, ref);
    if (served?.branch === push.branch) await code.deleteBranch(key, ref);
    const latestBranch = record?.data.branch ?? push.branch;
    if (latestBranch === push.branch) await context.store.events.endSync(key, ref, context.now());
    runner.changed(key, ref, 'stopped');
  }
  return { jobs: [] };
}
