import type { PushOutcome } from '#contract/job.ts';
import { DEFAULT_REF, sanitizeRef } from '#contract/names.ts';
import type { Context } from '../context.ts';
import { beginSync } from '../jobs/begin-sync.ts';
import type { CodeOrigin } from './code-origin.ts';
import type { JobRunner } from './ports.ts';

/** A branch of a repository that was pushed to, or deleted. */
export interface Push {
  readonly origins: readonly CodeOrigin[];
  readonly branch: string;
  readonly user: string;
}

/** One sync for each origin, whatever the number of sites on it. */
export async function syncPushed(context: Context, runner: Pick<JobRunner, 'wake' | 'changed'>, push: Push): Promise<PushOutcome> {
  if (sanitizeRef(push.branch) === '') return { jobs: [], ignored: `The branch "${push.branch}" has no name that an address could hold.` };
  const jobs: PushOutcome['jobs'] = [];
  for (const origin of push.origins) {
    const services = { code: context.store.code, runner, now: context.now, newId: context.newId };
    const { record, joined } = await beginSync(services, { origin, branch: push.branch, user: push.user });
    jobs.push({ name: record.name, joined });
  }
  return { jobs };
}

/** The code of a deleted branch is served no longer. `main` stays, whatever is told. */
export async function forgetBranch(context: Context, runner: Pick<JobRunner, 'changed'>, push: Push): Promise<PushOutcome> {
  const ref = sanitizeRef(push.branch);
  if (ref === DEFAULT_REF) return { jobs: [], ignored: `The code of "${DEFAULT_REF}" is never removed.` };
  const { code } = context.store;
  for (const { key } of push.origins) {
    const [latest] = await code.jobs(key, ref, 1);
    if (latest !== undefined && latest.record.state !== 'stopped') {
      const stopTime = context.now().toISOString();
      await code.stopJob({ ...latest.record, state: 'stopped', stopTime, cancelled: true, error: 'The branch was deleted.' });
    }
    // A branch of another name may be the same in addresses.
    const served = await code.branch(key, ref);
    if (served === undefined || served.branch === push.branch || push.branch === ref) await code.deleteBranch(key, ref);
    runner.changed(key, ref, 'stopped');
  }
  return { jobs: [] };
}
