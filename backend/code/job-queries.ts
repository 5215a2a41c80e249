import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { JobDetails } from '@repoless/contract/job.ts';
import { assignments, insert } from '../db/queries.ts';
import type { Database } from '../db/queries.ts';
import type { CodeOrigin, JobStore, OpenJob, StoredJob } from './rules/ports.ts';

/** At most one job of each key and ref is not stopped. `owner` works on it until `lease_until`. */
export interface JobRow {
  readonly name: string;
  readonly key: string;
  readonly ref: string;
  readonly state: JobDetails['state'];
  readonly created: string;
  readonly origin: string;
  readonly record: string;
  readonly owner: string;
  readonly lease_until: string;
  readonly attempts: number;
  readonly rerun: number;
  /** The organization that started it, and whether others requested it too. */
  readonly started_by: string | null;
  readonly joined: number;
  /** The organization that its branch counts for, by the latest request; everyone if it is empty, no one new if it is null. */
  readonly requested_by: string | null;
  /** When it was stopped, if that is known, and whether it had failed then. */
  readonly ended: string | null;
  readonly failed: number;
}

/** As `shareOfJob` does: what only one organization requested counts as its own. */
const SHARE = sql`case when joined = 0 and started_by is not null and key like 'github:%' then 'github:' || lower(started_by) || '/' else key end`;
const isRunning = (name: string, owner: string) => sql`name = ${name} and owner = ${owner} and state = 'running'`;

export function jobStore({ read, change }: Database): JobStore {
  const jobs = async (condition: RawBuilder<unknown>) =>
    (await read(sql<JobRow>`select * from code_jobs where ${condition}`)).map(storedJob);
  const changes = async (query: RawBuilder<unknown>) => (await change(query)).length > 0;
  return {
    jobs: (key, ref, limit) => jobs(sql`key = ${key} and ref = ${ref} order by created desc, name desc limit ${limit}`),
    async job(name) {
      return (await jobs(sql`name = ${name}`))[0];
    },
    addJob: (job) => changes(sql`${insert('code_jobs', newRow(job))} on conflict do nothing returning name`),
    async joinJob(key, ref, { org = null, requestedBy = null } = {}) {
      const [row] = await change(sql<{ name: string }>`update code_jobs set rerun = 1,
        joined = case when started_by = ${org} then joined else 1 end, requested_by = ${requestedBy}
        where key = ${key} and ref = ${ref} and state <> 'stopped' returning name`);
      return row?.name;
    },
    async openJobs(limit) {
      return (await read(sql<JobRow>`select * from code_jobs where state <> 'stopped' order by created, name limit ${limit}`)).map(openJob);
    },
    idleJobs: (now, limit, beside = []) => {
      const isOther = beside.map((share) => sql` and substr(${SHARE}, 1, length(cast(${share} as text))) <> ${share}`);
      return jobs(sql`state <> 'stopped' and lease_until <= ${now.toISOString()}${sql.join(isOther, sql``)}
        order by lease_until limit ${limit}`);
    },
    // Requests that join before it starts need no second round.
    async claimJob(name, { owner, until, now }) {
      const rows = await change(sql<JobRow>`update code_jobs set owner = ${owner}, lease_until = ${until.toISOString()}, state = 'running',
        rerun = 0, attempts = attempts + 1 where name = ${name} and state <> 'stopped' and lease_until <= ${now.toISOString()} returning *`);
      return rows.map(storedJob)[0];
    },
    saveJob: (record, { owner, until }) =>
      changes(sql`update code_jobs set record = ${JSON.stringify(record)}, lease_until = ${until.toISOString()}
        where ${isRunning(record.name, owner)} returning name`),
    releaseJob: (record, owner, since) =>
      changes(sql`update code_jobs set record = ${JSON.stringify(record)}, lease_until = ${since?.toISOString() ?? ''}, attempts = attempts - 1
        where ${isRunning(record.name, owner)} returning name`),
    takeRerun: (name, owner) => changes(sql`update code_jobs set rerun = 0 where ${isRunning(name, owner)} and rerun = 1 returning name`),
    finishJob: (record, owner) =>
      changes(sql`update code_jobs set ${assignments(endOf(record))} where ${isRunning(record.name, owner)} and rerun = 0 returning name`),
    stopJob: (record) =>
      changes(sql`update code_jobs set ${assignments(endOf(record))} where name = ${record.name} and state <> 'stopped' returning name`),
    async pruneJobs(key, ref, count) {
      await change(sql`delete from code_jobs where key = ${key} and ref = ${ref} and state = 'stopped' and name not in (
        select name from code_jobs where key = ${key} and ref = ${ref} order by created desc, name desc limit ${count})`);
    },
    async refs(key) {
      const rows = await read(sql<{ ref: string }>`select distinct ref from code_jobs where key = ${key} order by ref`);
      return rows.map(({ ref }) => ref);
    },
  };
}

export function storedJob(row: JobRow): StoredJob {
  const { name, key, ref, origin, record, state, attempts, rerun, joined, started_by: startedBy, requested_by: requestedBy } = row;
  return {
    name,
    key,
    ref,
    origin: JSON.parse(origin) as CodeOrigin,
    // The row has the state: claiming or stopping a job changes it there.
    record: { ...(JSON.parse(record) as JobDetails), state },
    attempts,
    rerun: rerun === 1,
    ...(startedBy !== null && { startedBy }),
    isJoined: joined === 1,
    ...(requestedBy !== null && { requestedBy }),
  };
}

/** A released lease, as of a node that shut down properly, belongs to no one. */
function openJob(row: JobRow): OpenJob {
  const { owner, lease_until: until } = row;
  return { job: storedJob(row), lease: until === '' ? undefined : { owner, until: new Date(until) } };
}

/** A job without a worker: its lease has already expired. */
function newRow({ name, key, ref, origin, record, attempts, rerun, startedBy, isJoined, requestedBy }: StoredJob): JobRow {
  return {
    name,
    key,
    ref,
    state: record.state,
    created: record.createTime,
    origin: JSON.stringify(origin),
    record: JSON.stringify(record),
    owner: '',
    lease_until: '',
    attempts,
    rerun: rerun ? 1 : 0,
    started_by: startedBy ?? null,
    joined: isJoined === true ? 1 : 0,
    requested_by: requestedBy ?? null,
    ended: record.state === 'stopped' ? (record.stopTime ?? null) : null,
    failed: record.error === undefined ? 0 : 1,
  };
}

/** Columns for the trigger that creates events: the JSON may contain characters that an engine cannot read. */
function endOf(record: JobDetails) {
  const { cancelled, error, stopTime, state } = record;
  return {
    record: JSON.stringify(record),
    state: 'stopped',
    ended: state === 'stopped' ? (stopTime ?? null) : null,
    failed: error === undefined ? 0 : 1,
    outcome: cancelled === true ? 'cancelled' : error === undefined ? 'done' : 'failed',
    stopped: stopTime ?? '',
    problem: error === undefined ? null : error.slice(0, PROBLEM_LENGTH),
  };
}

const PROBLEM_LENGTH = 1000;
