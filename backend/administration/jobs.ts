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
  const found = await code.openJobs(LISTED + 1);
  const now = await sharedTime(new Date());
  for (const one of found.slice(0, LISTED)) process.stdout.write(`${lineOf(one, now)}\n`);
  process.stdout.write(found.length > LISTED ? `These are the oldest ${LISTED}; there are more.\n` : `Open jobs: ${found.length}.\n`);
  return 0;
}

/** E.g. `job-… running github:acme/code main, 4 minutes old, begun 1 time, worked on by web-1/17 until 2026-…`. */
function lineOf({ job, lease }: OpenJob, now: Date): string {
  const { name, state, createTime, data } = job.record;
  const begun = job.attempts === 0 ? 'not begun' : `begun ${job.attempts} ${job.attempts === 1 ? 'time' : 'times'}`;
  const isHeld = lease !== undefined && lease.until > now;
  const by = isHeld ? `worked on by ${nodeOf(lease.owner)} until ${lease.until.toISOString()}` : 'nobody works on it';
  return `${name} ${state} ${repositoryOf(job)} ${data.branch}, ${ageOf(createTime, now)} old, ${begun}, ${by}`;
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
/** More than anyone reads; the oldest matter most. */
const LISTED = 1000;
