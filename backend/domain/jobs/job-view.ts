import type { Job, JobListEntry } from '#contract/job.ts';
import type { StoredJob } from '../code/ports.ts';

/** A job as it is answered, without its lists of files, and what it waits for before it is begun; who began it is told to those alone who may see it. */
export function jobView({ record }: StoredJob, showsUser: boolean, waitsFor?: string): Job {
  const { data, user, ...job } = record;
  const { changes: _changes, resources: _resources, truncated: _truncated, ...about } = data;
  const waiting = record.state === 'created' && waitsFor !== undefined ? { waiting: waitsFor } : {};
  return { ...job, data: { ...about, ...waiting }, ...(showsUser && user !== undefined && { user }) };
}

export function jobListEntry({ record }: StoredJob, list: string): JobListEntry {
  const { name, state, createTime, startTime, stopTime, error, data } = record;
  return {
    name,
    state,
    time: startTime ?? createTime,
    branch: data.branch,
    href: `${list}/${name}`,
    ...(stopTime !== undefined && { stopTime }),
    ...(error !== undefined && { error }),
  };
}

/** The address of the jobs of a branch, from the service's own root. */
export function jobsAddress({ org, site, ref }: { org: string; site: string; ref: string }): string {
  return `/job/${org}/${site}/${ref}/code`;
}
