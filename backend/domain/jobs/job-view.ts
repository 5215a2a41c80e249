import type { Job, JobListEntry } from '#contract/job.ts';
import type { StoredJob } from '../code/ports.ts';

/** Of whose site a job is read. */
export interface JobReader {
  readonly org: string;
  readonly isAdministrator: boolean;
}

/** A job as it is answered, without its lists of files, and what it waits for before it is begun; who began it is told to those alone who may see it. */
export function jobView(stored: StoredJob, reader?: JobReader, waitsFor?: string): Job {
  const { record } = stored;
  const { data, user, ...job } = record;
  const { changes: _changes, resources: _resources, truncated: _truncated, ...about } = data;
  const waiting = record.state === 'created' && waitsFor !== undefined ? { waiting: waitsFor } : {};
  return { ...job, data: { ...about, ...waiting }, ...(user !== undefined && showsUser(stored, user, reader) && { user }) };
}

/** A person is told to administrators of the organization that they acted for, and to those of no other that shares the code (decision 0139). */
function showsUser({ origin, begunBy }: StoredJob, user: string, reader: JobReader | undefined): boolean {
  const isPerson = user.includes('@');
  return reader?.isAdministrator === true && (!isPerson || origin.type === 'byogit' || begunBy === reader.org);
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
