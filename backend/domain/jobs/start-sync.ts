import type { endpoints } from '#contract/endpoints.ts';
import type { SyncStarted } from '#contract/job.ts';
import { sanitizeRef } from '#contract/names.ts';
import type { JobRunner } from '../code/ports.ts';
import type { Context } from '../context.ts';
import { Refusal } from '../errors.ts';
import { requireUser } from '../roles/permit.ts';
import type { SiteName } from '../sites/check-site.ts';
import type { Verb } from '../verb.ts';
import { beginSync } from './begin-sync.ts';
import { findJob, findOrigin } from './find-job.ts';
import { jobsAddress } from './job-view.ts';

type Runner = Pick<JobRunner, 'wake' | 'changed'>;

export function startSync(runner: Runner): Verb<(typeof endpoints)['startSync']> {
  return async (context, { params, query }) => {
    const branch = query.branch ?? params.ref;
    if (sanitizeRef(branch) !== params.ref) {
      throw new Refusal('QUERY_INVALID', `Branch "${branch}" is "${sanitizeRef(branch)}" in addresses, not "${params.ref}".`);
    }
    const { origin } = await findOrigin(context, params);
    const user = requireUser(context.caller).email;
    const { code } = context.store;
    const { record, joined } = await beginSync({ code, runner, now: context.now, newId: context.newId }, { origin, branch, user });
    await auditSync(context, params, `start-sync/${params.ref}`);
    const list = jobsAddress(params);
    const body: SyncStarted = {
      messageId: context.requestId,
      job: { topic: 'code', name: record.name, state: record.state, createTime: record.createTime },
      ...(joined && { joined }),
      links: { self: `${list}/${record.name}`, list },
    };
    return { status: 202, body };
  };
}

/** The same where the address ends with the branch, as some clients of the public API write it. */
export function startBranchSync(runner: Runner): Verb<(typeof endpoints)['startBranchSync']> {
  const start = startSync(runner);
  return (context, { params, ...rest }) => start(context, { ...rest, params: { ...params, ref: params.path } });
}

/** What is served stays as it was. A job that ended already is left as it is. */
export function stopJob(runner: Runner): Verb<(typeof endpoints)['stopJob']> {
  return async (context, { params }) => {
    const { job } = await findJob(context, params);
    const stopTime = context.now().toISOString();
    const { waiting: _waiting, ...data } = job.record.data;
    if (await context.store.code.stopJob({ ...job.record, data, state: 'stopped', stopTime, cancelled: true })) {
      runner.changed(job.key, job.ref, 'stopped');
      await auditSync(context, params, `stop-sync/${params.name}`);
    }
    return { status: 204 };
  };
}

// After the job, which is no part of the transaction: the trail never tells of a sync that did not begin.
async function auditSync({ store, caller, requestId, now }: Context, { org, site }: SiteName, action: string): Promise<void> {
  const user = requireUser(caller).email;
  await store.write((writes) => writes.addAudit({ org, site, time: now(), user, action, requestId }));
}
