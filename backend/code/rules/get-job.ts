import { codeSentence } from '@repoless/contract/code-sentences.ts';
import type { endpoints } from '@repoless/contract/endpoints.ts';
import {
  type Job,
  JOB_STARTERS,
  type JobData,
  type JobListEntry,
  type JobStatus,
  type RollBack,
  type SyncedCommit,
} from '@repoless/contract/job.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { isStranger } from '../../access/permit.ts';
import { rolesOf } from '../../access/roles.ts';
import { etagOf } from '../../domain/documents.ts';
import type { Context, Input, Operation } from '../../domain/context.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { SiteName } from '../../sites/check-site.ts';
import { partNotFound, siteNotFound } from '../../sites/find-site.ts';
import { originOf } from './code-origin.ts';
import type { BranchCommits, CodeOrigin, JobRunner, StoredJob } from './ports.ts';

type GetJob = (typeof endpoints)['getJob'];

/** The status of a branch's code sync (call 7): one look-up, whatever the number of sites that share the repository. */
export function getJob(runner: Runner): Operation<GetJob> {
  const streams = createJobStreams();
  return async (context, input) => {
    const { org } = input.params;
    const status = await readStatus(context, input.params, runner);
    if (!(input.headers['accept'] ?? '').includes(EVENT_STREAM)) return { result: 'done', body: status };
    const stream = streams.counted(context, org, () => events(context, input, runner));
    return { result: 'done', headers: { 'content-type': EVENT_STREAM }, stream };
  };
}

export const getNamedJob: Operation<(typeof endpoints)['getNamedJob']> = async (context, { params }) => {
  const { job, reader } = await findJob(context, params);
  const list = jobsAddress(params);
  const self = `${list}/${params.name}`;
  const body = { ...jobView(job, reader), links: { self, details: `${self}/details`, list } };
  return { result: 'done', body, etag: etagOf(body) };
};

export const getJobDetails: Operation<(typeof endpoints)['getJobDetails']> = async (context, { params }) => {
  const { job, reader } = await findJob(context, params);
  const list = jobsAddress(params);
  const about = `${list}/${params.name}`;
  const links = { self: `${about}/details`, job: about, list };
  return { result: 'done', body: { ...jobView(job, reader), data: jobData(job, reader), links } };
};

type Runner = Pick<JobRunner, 'nextChange' | 'waitsFor'>;

async function readStatus(context: Context, params: Input<GetJob>['params'], runner: Runner): Promise<JobStatus> {
  const { origin, reader } = await findOrigin(context, params);
  const { code } = context.store;
  const [jobs, branch] = await Promise.all([code.jobs(origin.key, params.ref, SHOWN_JOBS), code.commits(origin.key, params.ref)]);
  const self = jobsAddress(params);
  const [latest] = jobs;
  return {
    ...(latest !== undefined && jobView(latest, reader, runner.waitsFor(latest, params.org))),
    topic: 'code',
    ...(branch !== undefined && {
      served: branch.served.sha,
      commits: shownCommits(branch, origin, reader),
      ...shownRollBack(branch, origin, reader),
    }),
    jobs: jobs.map((job) => jobListEntry(job, self, reader)),
    links: { self },
  };
}

/** Streams the status, and again whenever it changes. Ends after a while, so that callers who lost their role see no more. */
async function* events(context: Context, { params }: Input<GetJob>, runner: Runner): AsyncGenerator<string> {
  const end = context.now().getTime() + LIMITS.jobStreamTime;
  let sent = '';
  let silent = 0;
  do {
    const { origin } = await findOrigin(context, params);
    const change = runner.nextChange(origin.key, params.ref);
    const status = JSON.stringify(await readStatus(context, params, runner));
    silent = status === sent ? silent + 1 : 0;
    if (status !== sent) yield `event: job\ndata: ${status}\n\n`;
    else if (silent % POLLS_BETWEEN_SIGNS === 0) yield ': still here\n\n';
    sent = status;
    if (!(await change)) return;
  } while (context.now().getTime() < end);
}

const EVENT_STREAM = 'text/event-stream';
const SHOWN_JOBS = 20;
const POLLS_BETWEEN_SIGNS = 15;

interface StreamLimit {
  readonly key: string;
  readonly limit: number;
  /** Says how many streams are open. */
  readonly full: string;
}

/** The open streams of jobs of a process: each queries the storage at each change. */
function createJobStreams() {
  const open = new Map<string, number>();
  const requireCapacity = (limits: readonly StreamLimit[]) => {
    const reached = limits.find(({ key, limit }) => (open.get(key) ?? 0) >= limit);
    if (reached !== undefined)
      throw new Refusal('OVERLOADED', `${reached.full} Close some, or read the job without a stream.`, { retryAfter: 10 });
  };
  async function* counting(limits: readonly StreamLimit[], pieces: () => AsyncIterable<string>): AsyncGenerator<string> {
    // Others may have started in the meantime: this one is cut off then, and the next request gets the reason.
    requireCapacity(limits);
    for (const { key } of limits) open.set(key, (open.get(key) ?? 0) + 1);
    try {
      yield* pieces();
    } finally {
      for (const { key } of limits) {
        const left = (open.get(key) ?? 1) - 1;
        if (left === 0) open.delete(key);
        else open.set(key, left);
      }
    }
  }
  return {
    /** Counts a stream while it is read. Refuses with OVERLOADED at the limit. */
    counted(context: Context, org: string, pieces: () => AsyncIterable<string>): AsyncGenerator<string> {
      const limits = streamLimits(context, org);
      requireCapacity(limits);
      return counting(limits, pieces);
    },
  };
}

/** Callers without a role in the organization do not use the slots of those who have one. */
function streamLimits({ caller, address, permitted }: Context, org: string): StreamLimit[] {
  const stored = permitted?.org;
  if (caller.kind === 'anonymous' || stored === undefined || isStranger(caller, stored.config, permitted?.site?.aggregate)) {
    return [
      {
        key: `strangers ${org}`,
        limit: LIMITS.jobStreamsOfStrangers,
        full: `Callers without a role in this organization already have ${LIMITS.jobStreamsOfStrangers} open job streams.`,
      },
      {
        key: `network ${address}`,
        limit: LIMITS.jobStreamsOfNetwork,
        full: `Callers without a role have ${LIMITS.jobStreamsOfNetwork} job streams open from your address.`,
      },
    ];
  }
  return [
    { key: `org ${org}`, limit: LIMITS.jobStreams, full: `This organization has ${LIMITS.jobStreams} job streams open.` },
    {
      key: `person ${org} ${caller.email.toLowerCase()}`,
      limit: LIMITS.jobStreamsOfPerson,
      full: `You have ${LIMITS.jobStreamsOfPerson} job streams open in this organization.`,
    },
  ];
}

interface JobReader {
  readonly org: string;
  readonly isAdministrator: boolean;
  /** Without a role, the site is open to everyone (`requireAuth: false`). */
  readonly hasRole: boolean;
}

/** A job without its lists of files, with what it waits for. Only readers with permission see who started it. */
export function jobView(stored: StoredJob, reader?: JobReader, waitsFor?: string): Job {
  const { record } = stored;
  const { data: _data, user, error: _error, ...job } = record;
  const { changes: _changes, resources: _resources, truncated: _truncated, ...about } = jobData(stored, reader);
  const waiting = record.state === 'created' && waitsFor !== undefined ? { waiting: waitsFor } : {};
  const error = shownError(stored.origin, record.error, reader);
  return {
    ...job,
    ...(error !== undefined && { error }),
    data: { ...about, ...waiting },
    ...(user !== undefined && showsUser(stored, user, reader) && { user }),
  };
}

export function jobData({ origin, record }: StoredJob, reader: JobReader | undefined): JobData {
  if (!isClosed(origin, reader)) return record.data;
  const { waiting: _waiting, commit: _commit, ...data } = record.data;
  return data;
}

/** The commits of a branch; authors and messages of an external repository are visible to its organization only. */
export function shownCommits({ commits }: BranchCommits, origin: CodeOrigin, reader: JobReader | undefined): SyncedCommit[] {
  return commits.map(({ manifest: _manifest, bytes: _bytes, author, message, time, ...commit }) => ({
    ...commit,
    ...(isClosed(origin, reader) ? {} : { ...(author && { author }), ...(message && { message }), ...(time && { time }) }),
  }));
}

/** Since when an earlier commit is served; the person who rolled back is shown like the person who started a job. */
export function shownRollBack(
  { rolledBack }: Pick<BranchCommits, 'rolledBack'>,
  origin: CodeOrigin,
  reader: JobReader | undefined,
): { readonly rolledBack?: RollBack } {
  if (rolledBack === undefined) return {};
  const { time, user, org } = rolledBack;
  return { rolledBack: { time, ...(showsUser({ origin, startedBy: org }, user, reader) && { user }) } };
}

/** Why a sync failed, as the reader may see it. Takes the origin of the code, and the message of the job, if it failed. */
export function shownError(
  origin: CodeOrigin,
  error: string | undefined,
  reader: Pick<JobReader, 'hasRole'> | undefined,
): string | undefined {
  return error !== undefined && isClosed(origin, reader) ? codeSentence('hidden') : error;
}

/** Messages about an external repository contain its host, its secret and other sites of its organization. */
function isClosed({ type }: CodeOrigin, reader: Pick<JobReader, 'hasRole'> | undefined): boolean {
  return type === 'byogit' && reader?.hasRole === false;
}

/** Shows a person only to the organization on whose behalf they acted, not to others that share the code; never an API key. */
function showsUser({ origin, startedBy }: Pick<StoredJob, 'origin' | 'startedBy'>, user: string, reader: JobReader | undefined): boolean {
  return reader?.isAdministrator === true && (AUTOMATIC.has(user) || origin.type === 'byogit' || startedBy === reader.org);
}

export function jobListEntry({ origin, record }: StoredJob, list: string, reader?: JobReader): JobListEntry {
  const { name, state, createTime, startTime, stopTime, data, cancelled } = record;
  const error = shownError(origin, record.error, reader);
  return {
    name,
    state,
    time: startTime ?? createTime,
    branch: data.branch,
    href: `${list}/${name}`,
    ...(cancelled !== undefined && { cancelled }),
    ...(stopTime !== undefined && { stopTime }),
    ...(error !== undefined && { error }),
  };
}

export function jobsAddress({ org, site, ref }: { org: string; site: string; ref: string }): string {
  return `/job/${org}/${site}/${ref}/code`;
}

const AUTOMATIC: ReadonlySet<string> = new Set(JOB_STARTERS);

/** Where the code of a site comes from, and the reader. Refuses with SITE_NOT_FOUND or PART_NOT_FOUND. */
export async function findOrigin(context: Context, name: SiteName): Promise<{ origin: CodeOrigin; reader: JobReader }> {
  const { org, site } = await context.store.reads.orgAndSite(name.org, name.site);
  if (org === undefined || site === undefined) throw siteNotFound(name);
  const origin = originOf(name.org, site.aggregate.code);
  if (origin === undefined) throw partNotFound('code', name);
  const roles = rolesOf(context.caller, org.config, site.aggregate);
  const isAdministrator = roles.has('admin') || roles.has('config_admin');
  return { origin, reader: { org: name.org, isAdministrator, hasRole: roles.size > 0 } };
}

/** A job of the site's own repository and branch, by its name. Refuses with JOB_NOT_FOUND. */
export async function findJob(
  context: Context,
  params: SiteName & { readonly ref: string; readonly name: string },
): Promise<{ job: StoredJob; reader: JobReader }> {
  const { origin, reader } = await findOrigin(context, params);
  const job = await context.store.code.job(params.name);
  if (job?.key === origin.key && job.ref === params.ref) return { job, reader };
  throw new Refusal('JOB_NOT_FOUND', `The branch "${params.ref}" has no job "${params.name}". Jobs of old syncs are not kept.`, {
    data: { branch: params.ref, job: params.name },
  });
}
