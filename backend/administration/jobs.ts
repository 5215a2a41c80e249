import type { CodeStore, OpenJob, StoredJob } from '../code/rules/ports.ts';
import { cancelledRecord } from '../code/rules/start-sync.ts';
import type { Settings } from '../config.ts';
import type { Store } from '../domain/ports.ts';
import { UsageError, withStore } from './database-state.ts';

/**
 * `jobs list`: code sync jobs that are not stopped, oldest first. `jobs end <job>`: stops one, whichever node works on it: that node notices when
 * it next renews its lease, within seconds. Served code is unchanged. Works whether or not the service runs.
 */
export async function jobs([action, name, ...more]: readonly string[], settings: Settings): Promise<number> {
  const isList = action === 'list' && name === undefined;
  if (!isList && (action !== 'end' || name === undefined || more.length > 0))
    throw new UsageError('Choose one: jobs list, jobs end <job>.');
  return await withStore(settings, (store) => (name === undefined ? list(store) : end(store.code, name)));
}

async function list({ code, sharedTime }: Store): Promise<number> {
  const found = await code.openJobs(MAX_LISTED + 1);
  const now = await sharedTime(new Date());
  for (const one of found.slice(0, MAX_LISTED)) process.stdout.write(`${lineOf(one, now)}\n`);
  process.stdout.write(
    found.length > MAX_LISTED ? `These are the oldest ${MAX_LISTED}; there are more.\n` : `Open jobs: ${found.length}.\n`,
  );
  return 0;
}

/** E.g. `job-… running github:acme/code main, 4 minutes old, started 1 time, leased by web-1/17 until 2026-…`. */
function lineOf({ job, lease }: OpenJob, now: Date): string {
  const { name, state, createTime, data } = job.record;
  const started = job.attempts === 0 ? 'not started' : `started ${job.attempts} ${job.attempts === 1 ? 'time' : 'times'}`;
  const isLeased = lease !== undefined && lease.until > now;
  const by = isLeased ? `leased by ${nodeOf(lease.owner)} until ${lease.until.toISOString()}` : 'waiting for a node';
  return `${name} ${state} ${repositoryOf(job)} ${data.branch}, ${ageOf(createTime, now)} old, ${started}, ${by}`;
}

/** Only one organization has a given external repository. */
function repositoryOf({ origin }: StoredJob): string {
  return origin.type === 'byogit' ? `${origin.repository} of ${origin.org}` : origin.repository;
}

function nodeOf(owner: string): string {
  return owner.replace(/\/[^/]*$/, '');
}

function ageOf(since: string, now: Date): string {
  const seconds = Math.max(0, Math.floor((now.getTime() - Date.parse(since)) / 1000));
  const [unit, size] = UNITS.find(([, least]) => seconds >= 2 * least) ?? ['seconds', 1];
  return `${Math.floor(seconds / size)} ${unit}`;
}

async function end(code: CodeStore, name: string): Promise<number> {
  const job = await code.job(name);
  if (job === undefined) throw new Error(`The job "${name}" does not exist. To see the open jobs, run "jobs list".`);
  if (!(await code.stopJob(cancelledRecord(job, new Date())))) throw new Error(`The job ${name} is already stopped.`);
  process.stdout.write(`The job ${name} was stopped. A node that works on it notices within seconds.\n`);
  return 0;
}

const UNITS: readonly (readonly [string, number])[] = [
  ['days', 86_400],
  ['hours', 3600],
  ['minutes', 60],
];
/** The oldest matter most; no one reads more. */
const MAX_LISTED = 1000;
