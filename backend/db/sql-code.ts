import type { JobDetails } from '@repoless/contract/job.ts';
import type { CodeStore, OpenJob, StoredBranch, StoredJob } from '../code/rules/ports.ts';
import { branchRequestStatements } from './branch-request-statements.ts';
import { codeStatements } from './code-statements.ts';
import { serial, storedBranch, storedJob, text } from './row.ts';
import type { Row } from './row.ts';
import type { Queries } from './sql-reads.ts';
import { storableText } from './statement.ts';
import type { Args, Compile, Statement } from './statement.ts';
import type { Dialect } from './tables.ts';
import { usedCode } from './used-code.ts';

/** Jobs and branches on either engine. */
export function sqlCode(compile: Compile, { read, change }: Queries, dialect: Dialect): CodeStore {
  const statements = codeStatements(compile);
  const asked = branchRequestStatements(compile);
  const used = usedCode(compile, read, dialect);
  const changes = async (statement: Statement, args: Args) => (await change(statement, args)).length > 0;
  return {
    shared: dialect === 'postgres',
    async jobs(key, ref, limit) {
      return (await read(statements.jobs, { key, ref, limit })).map(storedJob);
    },
    async job(name) {
      return (await read(statements.job, { name })).map(storedJob)[0];
    },
    addJob: (job) => changes(statements.addJob, newRow(job)),
    async joinJob(key, ref, { org, askedBy } = {}) {
      const [row] = await change(statements.joinJob, { key, ref, begun_by: org ?? null, asked_by: askedBy ?? null });
      return row === undefined ? undefined : text(row, 'name');
    },
    async openJobs(limit) {
      return (await read(statements.openJobs, { limit })).map(openJob);
    },
    async idleJobs(now, limit, [one = '', two = '', three = ''] = []) {
      return (await read(statements.idleJobs, { now: now.toISOString(), limit, one, two, three })).map(storedJob);
    },
    async claimJob(name, { owner, until, now }) {
      const rows = await change(statements.claimJob, { name, owner, until: until.toISOString(), now: now.toISOString() });
      return rows.map(storedJob)[0];
    },
    saveJob: (record, { owner, until }) =>
      changes(statements.saveJob, { name: record.name, record: JSON.stringify(record), owner, until: until.toISOString() }),
    releaseJob: (record, owner, since) =>
      changes(statements.releaseJob, { name: record.name, record: JSON.stringify(record), owner, since: since?.toISOString() ?? '' }),
    takeAgain: (name, owner) => changes(statements.takeAgain, { name, owner }),
    finishJob: (record, owner) => changes(statements.finishJob, { ...ending(record), ...endOf(record), owner }),
    stopJob: (record) => changes(statements.stopJob, { ...ending(record), ...endOf(record) }),
    async pruneJobs(key, ref, keep) {
      await change(statements.pruneJobs, { key, ref, keep });
    },
    async branch(key, ref) {
      return (await read(statements.branch, { key, ref })).map(storedBranch)[0];
    },
    async branches(key) {
      return (await read(statements.branches, { key })).map(storedBranch);
    },
    putBranch: (branch, job) => changes(statements.putBranch, { ...branchArgs(branch), ...job }),
    deleteBranch: (key, ref) => changes(statements.deleteBranch, { key, ref }),
    async keys() {
      return (await read(statements.keys, {})).map((row) => text(row, 'key'));
    },
    async unusedKeys() {
      const unused = (await read(statements.unusedKeys, {})).map((row) => text(row, 'key'));
      const external = (await read(statements.externalKeys, {})).map((row) => text(row, 'key'));
      if (external.length === 0) return unused;
      const keys = await used.keys();
      return [...unused, ...external.filter((key) => !keys.has(key))].toSorted();
    },
    async deleteUnused(key) {
      if (!key.startsWith('byogit:')) {
        const removed = await change(statements.deleteUnusedBranches, { key });
        await change(statements.deleteUnusedJobs, { key });
        return removed.length > 0;
      }
      const isUsed = async () => (await used.keys(key.split(':')[1])).has(key);
      if (await isUsed()) return false;
      const removed = await change(statements.deleteIdleBranches, { key });
      // A site that came meanwhile may have found the code that went: its jobs stay and tell of it.
      if (!(await isUsed())) await change(statements.deleteStoppedJobs, { key });
      return removed.length > 0;
    },
    async askedBy(key, ref) {
      return (await read(asked.askedBy, { key, ref })).map((row) => text(row, 'org'));
    },
    async leftBranches() {
      return (await read(asked.leftBranches, {})).map((row) => ({ key: text(row, 'key'), ref: text(row, 'ref') }));
    },
    deleteLeft: ({ key, ref }) => changes(asked.deleteLeft, { key, ref }),
    async forgetAsked() {
      await change(asked.forgetUnstored, {});
      await change(asked.forgetGone, {});
    },
    async manifests() {
      return (await read(statements.manifests, {})).map((row) => text(row, 'manifest'));
    },
    async bytesOf(org, enough = -1) {
      const rows = await read(asked.bytesOf, { org, from: `byogit:${org}:`, until: `byogit:${org};` });
      const counted = rows.map((row) => ({ key: text(row, 'key'), bytes: serial(row, 'bytes') }));
      const all = sumOf(counted);
      if (all <= enough || !counted.some(({ key }) => key.startsWith('byogit:'))) return all;
      const keys = await used.keys(org);
      return sumOf(counted.filter(({ key }) => !key.startsWith('byogit:') || keys.has(key)));
    },
    async bytesOfAll(key) {
      const [row] = await read(asked.bytesOfAll, { key });
      return row === undefined ? 0 : serial(row, 'bytes');
    },
    async refs(key) {
      return (await read(statements.refs, { key })).map((row) => text(row, 'ref'));
    },
    async isKnown(key) {
      return (await read(statements.isKnown, { key })).length > 0;
    },
  };
}

function sumOf(counted: readonly { readonly bytes: number }[]): number {
  return counted.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** A lease that was given back, as by a node that was stopped in order, is nobody's. */
function openJob(row: Row): OpenJob {
  const until = text(row, 'lease_until');
  return { job: storedJob(row), lease: until === '' ? undefined : { owner: text(row, 'owner'), until: new Date(until) } };
}

/** How a job ended, as the trigger reads it that makes events of it: what stands in a JSON text may be more than an engine can read. */
function endOf(record: JobDetails): Args {
  const outcome = record.cancelled === true ? 'cancelled' : record.error === undefined ? 'done' : 'failed';
  const problem = record.error === undefined ? null : storableText(record.error.slice(0, PROBLEM_LENGTH));
  return { name: record.name, record: JSON.stringify(record), outcome, stopped: record.stopTime ?? '', problem };
}

const PROBLEM_LENGTH = 1000;

/** A job that nobody works on yet: its lease ended before all time. */
function newRow({ name, key, ref, origin, record, attempts, again, begunBy, isJoined, askedBy }: StoredJob): Args {
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
    again: again ? 1 : 0,
    begun_by: begunBy ?? null,
    joined: isJoined === true ? 1 : 0,
    asked_by: askedBy ?? null,
    ...ending(record),
  };
}

function ending({ stopTime, error, state }: JobDetails): Args {
  return { ended: state === 'stopped' ? (stopTime ?? null) : null, failed: error === undefined ? 0 : 1 };
}

function branchArgs({ key, ref, branch, sha, manifest, bytes }: StoredBranch): Args {
  return { key, ref, branch, sha, manifest, bytes };
}
