import type { JobDetails } from '@repoless/contract/job.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import { type RawBuilder, sql } from 'kysely';
import { EVERYBODY } from '../code/rules/asked-branches.ts';
import type { CodeStore, OpenJob, StoredBranch, StoredJob } from '../code/rules/ports.ts';
import { CODE_OF_SITE, STEM_OF_KEY } from './code-keys.ts';
import { codeStatements } from './code-statements.ts';
import { REPOSITORY_KEY } from './repository-key.ts';
import { type Row, serial, storedBranch, storedJob, text } from './row.ts';
import type { Queries } from './sql-reads.ts';
import { type Args, type Compile, slot, type Statement, storableText } from './statement.ts';
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

const KEY = slot<string>('key');
const REF = slot<string>('ref');
const ORG = slot<string>('org');
const MAIN = sql.lit(DEFAULT_REF);
const ALL = sql.lit(EVERYBODY);

/** Repositories of the code host that the organization has sites on, as keys name them. */
const OWN = sql`(select lower(repository) from sites where org = ${ORG} and repository is not null)`;
/** Whoever asked for the branch `b` has a site on its repository, or all who have one share it. */
const hasAsker = (beside = sql``) => sql`exists (select 1 from asked_branches as a where a.key = b.key and a.ref = b.ref ${beside}
  and (a.org = ${ALL} or exists (select 1 from sites where sites.org = a.org and ${REPOSITORY_KEY} = a.key)))`;
const IS_LEFT = sql`b.key like 'github:%' and b.ref <> ${MAIN} and not ${hasAsker()}`;
const isUnderWay = (of: 'a' | 'b') => sql`exists (select 1 from code_jobs as j
  where j.key = ${sql.ref(`${of}.key`)} and j.ref = ${sql.ref(`${of}.ref`)} and j.state <> 'stopped')`;

/** Every query about whom branches count for. */
export function branchRequestStatements(compile: Compile) {
  const raw = (name: string, query: RawBuilder<unknown>) => compile(name, (db) => ({ compile: () => query.compile(db) }));
  return {
    askedBy: compile('asked-by', (db) =>
      db.selectFrom('asked_branches').select('org').where('key', '=', KEY).where('ref', '=', REF).orderBy('org'),
    ),
    // Of what it asked for alone is read as much as it asked for, however many branches others have. Which external code has addresses that a site
    // has is not known here: see `usedCode`.
    bytesOf: raw(
      'code-bytes',
      sql`select key, sum(bytes) as bytes from (
        select key, bytes from code_branches where ref = ${MAIN} and key in ${OWN}
        union all select b.key, b.bytes
          from (select distinct key, ref from asked_branches where org in (${ORG}, ${ALL}) and key in ${OWN}) as asked
          join code_branches as b on b.key = asked.key and b.ref = asked.ref
        union all select key, bytes from code_branches where key >= ${slot<string>('from')} and key < ${slot<string>('until')}
          and (${STEM_OF_KEY}) in (select ${CODE_OF_SITE} from sites where org = ${ORG} and repository is not null)
      ) as counted group by key`,
    ),
    bytesOfAll: raw(
      'code-bytes-of-all',
      sql`select coalesce(sum(bytes), 0) as bytes from (
        select bytes from code_branches where key = ${KEY} and ref = ${MAIN}
        union all select b.bytes from asked_branches as a join code_branches as b on b.key = a.key and b.ref = a.ref
          where a.org = ${ALL} and a.key = ${KEY}
      ) as counted`,
    ),
    leftBranches: raw('left-branches', sql`select b.key, b.ref from code_branches as b where ${IS_LEFT} order by b.key, b.ref`),
    // Asked again in the statement that removes: a site may have been registered meanwhile.
    deleteLeft: raw(
      'delete-left-branch',
      sql`delete from code_branches as b where b.key = ${KEY} and b.ref = ${REF} and ${IS_LEFT} and not ${isUnderWay('b')} returning key`,
    ),
    forgetUnstored: raw(
      'forget-unstored-asked',
      sql`delete from asked_branches as a where not exists (select 1 from code_branches as b where b.key = a.key and b.ref = a.ref)
        and not ${isUnderWay('a')} returning key`,
    ),
    forgetGone: raw(
      'forget-gone-asked',
      sql`delete from asked_branches as b where b.org <> ${ALL}
        and not exists (select 1 from sites where sites.org = b.org and ${REPOSITORY_KEY} = b.key)
        and ${hasAsker(sql`and a.org <> b.org`)} returning key`,
    ),
  };
}
