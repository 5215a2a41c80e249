import { defined } from '@repoless/contract/json.ts';
import { type CodeCheck, CodeCheckQuery, CODE_FILE_NAMES, type CodeFileStates } from '@repoless/contract/code-check.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import {
  type CodeStatus,
  type Job,
  JobAbout,
  type JobListEntry,
  JobName,
  JobPhase,
  JobState,
  type JobStatus,
} from '@repoless/contract/job.ts';
import { checkPreconditions, Refusal } from '@repoless/contract/refusal.ts';
import { type CodeSource, completeCode, externalSource } from '@repoless/contract/code-source.ts';
import { parseJson } from '@repoless/core/api/exchange.ts';
import { z } from 'zod';
import { branchSentence, codeSentence } from '@repoless/contract/code-sentences.ts';
import { type Call, type Operation, read, send, dryRunAnswer, callerKey } from './call.ts';
import { etagOf, isoTime, load, SITE } from './document.ts';
import type { HostedAnswer } from './fetch-hosted.ts';
import { TEMPORARY } from './refusals.ts';

const Jobs = z.looseObject({ jobs: z.array(z.unknown()) });
const Listed = z.looseObject({
  name: z.string(),
  state: z.string().optional(),
  time: z.string().optional(),
  stopTime: z.string().optional(),
  error: z.unknown().optional(),
});
const Details = z.looseObject({
  name: z.string(),
  state: z.string().optional(),
  createTime: z.string().optional(),
  startTime: z.string().optional(),
  stopTime: z.string().optional(),
  endTime: z.string().optional(),
  error: z.unknown().optional(),
  cancelled: z.boolean().optional(),
  user: z.string().optional(),
  progress: z.looseObject({}).optional(),
  data: z
    .looseObject({
      phase: z.string().optional(),
      sha: z.string().optional(),
      codeOwner: z.string().optional(),
      codeRepo: z.string().optional(),
      user: z.string().optional(),
    })
    .optional(),
});

export const CODE_OPERATIONS: Readonly<Record<string, Operation>> = {
  checkCode: async (call) => {
    const query = CodeCheckQuery.parse(call.query);
    const { type, owner, repo, ref: branch = DEFAULT_REF, url } = query;
    const { codeHost } = call.options.info;
    const [error] = type === 'github' && url !== undefined ? completeCode({ owner, repo, source: { type, url } }, codeHost).errors : [];
    if (error !== undefined) throw new Refusal('QUERY_INVALID', `The query parameter url is not valid: ${error.detail}`);
    return { status: 200, body: { type, owner, repo, ref: branch, ...(await probeCode(call, query, branch)) } satisfies CodeCheck };
  },
  getJob: async (call) => {
    const body = await statusOf(call);
    return { status: 200, body, etag: etagOf(body) };
  },
  getNamedJob: async (call) => {
    const { job } = await foundJob(call);
    const self = address(call);
    const body = { ...job, links: { self: `${self}/${job.name}`, details: `${self}/${job.name}/details`, list: self } };
    return { status: 200, body, etag: etagOf(body) };
  },
  /** The files that a job changed are unknown. */
  getJobDetails: async (call) => {
    const { job } = await foundJob(call);
    const self = address(call);
    const links = { self: `${self}/${job.name}/details`, job: `${self}/${job.name}`, list: self };
    return { status: 200, body: { ...job, data: { ...job.data, changes: [], resources: [], truncated: true }, links } };
  },
  stopJob: async (call) => {
    const { job, at } = await foundJob(call);
    if (call.isDryRun) return dryRunAnswer({ status: 204, result: null, diff: [] });
    if (job.state !== 'stopped') await send(call, 'job', { ...at, name: job.name }, { method: 'DELETE' });
    return { status: 204 };
  },
  /** The hosted service does not list branches: only the one that serves the hosts is named. */
  getCode: async (call) => {
    const { owner = '', repo = '' } = await sourceOf(call);
    const { jobs } = await jobsOf({ ...call, params: { ...call.params, ref: DEFAULT_REF } });
    return { status: 200, body: { owner, repo, branches: jobs.length === 0 ? [] : [DEFAULT_REF] } satisfies CodeStatus };
  },
  startSync: async (call) => {
    const { owner = '', repo = '', isExternal } = await sourceOf(call);
    checkPreconditions(call, etagOf(await statusOf(call)));
    if (call.isDryRun) return dryRunAnswer({ status: 202, result: { topic: 'code', owner, repo, ref: ref(call) }, diff: [] });
    // The names of an external repository belong to Cloud Manager: the site stands for it.
    const { org = '', site = '' } = call.params;
    const repository = isExternal ? { owner: org, repo: site } : { owner, repo };
    const answer = await send(call, 'code', { ...call.params, ...repository }, { method: 'POST' });
    const parsed = z.looseObject({ messageId: z.string().optional(), job: Details.partial() }).safeParse(parseJson(answer.text));
    const name = JobName.safeParse(parsed.data?.job.name).data;
    if (name === undefined) throw new Refusal('HOSTED_UNREACHABLE', 'The hosted service began no job.', { data: { says: 'no job' } });
    const self = address(call);
    const createTime = isoTime(parsed.data?.job.createTime) ?? call.options.now().toISOString();
    return {
      status: 202,
      body: {
        messageId: parsed.data?.messageId ?? name,
        job: { topic: 'code', name, state: 'created', createTime },
        links: { self: `${self}/${name}`, list: self },
      },
    };
  },
};

const ref = (call: Call) => call.params['ref'] ?? 'main';
const address = ({ params: { org = '', site = '', ref: branch = 'main' } }: Call) => `/job/${org}/${site}/${branch}/code`;

interface Source {
  readonly owner?: string | undefined;
  readonly repo?: string | undefined;
  readonly isExternal: boolean;
}

async function sourceOf(call: Call): Promise<Source> {
  const { org = '', site: name = '' } = call.params;
  // Safe: it was fitted to the schema of a site.
  const site = await load(call, SITE).catch((error: unknown) => {
    // Callers who may sync need not be allowed to read the site: its own name is then used.
    if (error instanceof Refusal && error.code === 'NOT_AUTHORIZED') return 'unread' as const;
    throw error;
  });
  if (site === 'unread') return { owner: org, repo: name, isExternal: false };
  const code = site?.shown['code'] as CodeSource | undefined;
  if (code === undefined)
    throw new Refusal('SITE_NOT_FOUND', `The site "${org}/${name}" does not exist, or has no code source.`, { data: { org, site: name } });
  const isExternal = externalSource(code) !== undefined;
  return { owner: code.owner ?? code.source?.owner, repo: code.repo ?? code.source?.repo, isExternal };
}

type At = Call['params'];

/**
 * Sites that share a repository have its jobs under the repository's own name: if a site has none, they are read there. If the code source
 * is known, they are only read where it has them.
 */
async function jobsOf(call: Call, source?: Source): Promise<{ readonly jobs: readonly unknown[]; readonly at: At }> {
  const readAt = async (at: At) => Jobs.safeParse(await read(call, 'jobs', at)).data?.jobs ?? [];
  const own = source === undefined ? await readAt(call.params) : [];
  if (own.length > 0) return { jobs: own, at: call.params };
  const { owner, repo, isExternal } = source ?? (await sourceOf(call));
  const canonical = { ...call.params, org: owner ?? '', site: repo ?? '' };
  if (isExternal || owner === undefined || repo === undefined || address(call) === address({ ...call, params: canonical }))
    return { jobs: source === undefined ? own : await readAt(call.params), at: call.params };
  const jobs = await readAt(canonical).catch((error: unknown) => {
    // A caller without a role there sees no jobs.
    if (error instanceof Refusal && !TEMPORARY.includes(error.code)) return [];
    throw error;
  });
  return { jobs, at: canonical };
}

/** The job in the address, and where to read it. */
async function foundJob(call: Call): Promise<{ readonly job: Job; readonly at: At }> {
  const { name = '' } = call.params;
  const { at } = await jobsOf(call);
  const job = await jobOf(call, name, await sourceOf(call), at);
  if (job === undefined) throw new Refusal('JOB_NOT_FOUND', 'There is no such job.', { data: { branch: ref(call), job: name } });
  return { job, at };
}

/** The jobs, and the newest with its details: two requests. The hosted service retains them for about a week. */
export async function statusOf(call: Call, source?: Source): Promise<JobStatus> {
  const { jobs, at } = await jobsOf(call, source);
  const listed = jobs.flatMap((one): JobListEntry[] => entryOf(call, one)).toSorted((one, other) => (one.time < other.time ? 1 : -1));
  const self = address(call);
  const [newest] = listed;
  if (newest === undefined) return { topic: 'code', jobs: [], links: { self } };
  const job = await jobOf(call, newest.name, {}, at);
  const served = job?.state === 'stopped' && job.error === undefined ? job.data.sha : undefined;
  return { topic: 'code', ...job, ...(served === undefined ? {} : { served }), jobs: listed, links: { self } };
}

function entryOf(call: Call, listed: unknown): JobListEntry[] {
  const parsed = Listed.safeParse(listed).data;
  const name = JobName.safeParse(parsed?.name).data;
  if (parsed === undefined || name === undefined) return [];
  const stopTime = isoTime(parsed.stopTime);
  return [
    {
      name,
      state: JobState.safeParse(parsed.state).data ?? 'stopped',
      time: isoTime(parsed.time) ?? timeIn(name),
      branch: ref(call),
      href: `${address(call)}/${name}`,
      ...(stopTime === undefined ? {} : { stopTime }),
      ...(parsed.error === undefined ? {} : { error: textOf(parsed.error) }),
    },
  ];
}

/** One generation answers details with 202, the other with 200. */
async function jobOf(call: Call, name: string, source: Pick<Source, 'owner' | 'repo'>, at: At): Promise<Job | undefined> {
  const parsed = Details.safeParse(await read(call, 'jobDetails', { ...at, name })).data;
  const jobName = JobName.safeParse(name).data;
  if (parsed === undefined || jobName === undefined) return undefined;
  const { data, progress, user = data?.user } = parsed;
  const state = JobState.safeParse(parsed.state).data ?? 'stopped';
  const [startTime, stopTime] = [isoTime(parsed.startTime), isoTime(parsed.stopTime ?? parsed.endTime)];
  const count = (member: string) => (typeof progress?.[member] === 'number' ? Math.max(0, Math.floor(progress[member])) : 0);
  const about = JobAbout.parse({
    // `purge` comes between two phases of the contract.
    phase:
      JobPhase.safeParse(data?.phase).data ?? (data?.phase === 'purge' ? 'postprocess' : state === 'stopped' ? 'completed' : 'collect'),
    owner: data?.codeOwner ?? source.owner ?? '',
    repo: data?.codeRepo ?? source.repo ?? '',
    ref: ref(call),
    branch: ref(call),
    ...(data?.sha === undefined ? {} : { sha: data.sha }),
  });
  return {
    topic: 'code',
    name: jobName,
    state,
    createTime: isoTime(parsed.createTime) ?? startTime ?? timeIn(jobName),
    ...defined({ startTime, stopTime }),
    progress: {
      total: count('total'),
      processed: count('processed'),
      failed: count('failed'),
      ignored: count('ignored') + count('notmodified'),
    },
    ...(parsed.error === undefined ? {} : { error: textOf(parsed.error) }),
    ...defined({ cancelled: parsed.cancelled, user }),
    data: about,
  };
}

/** The time of a job is part of its name: `job-2026-11-28-09-30-00-…`. */
function timeIn(name: string): string {
  const [, year, month, day, hour, minute, second] = name.split('-');
  return isoTime(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) ?? new Date(0).toISOString();
}

function textOf(error: unknown): string {
  return typeof error === 'string' ? error : JSON.stringify(error);
}

type CodeProbed = Pick<CodeCheck, 'repository' | 'branch' | 'sha' | 'files' | 'detail'>;

/**
 * What the code host shows publicly of a repository, over git's protocol. A repository that it does not show may be private, which the
 * hosted service reads through the vendor's app: only the first sync can tell. External repositories are read by Cloud Manager.
 */
async function probeCode(call: Call, { type, owner, repo }: CodeCheckQuery, branch: string): Promise<CodeProbed> {
  const { info, codeHostRaw } = call.options;
  const repository = `${info.codeHost}/${owner}/${repo}`;
  if (type === 'byogit')
    return { repository: 'unchecked', detail: codeSentence('sourceOfCloudManager', { repository: `${owner}/${repo}` }) };
  const refs = await get(call, info.codeHost, [owner, repo, 'info', 'refs'], '?service=git-upload-pack');
  if (refs === undefined) return { repository: 'unchecked', detail: codeSentence('sourceUnverified', { place: repository }) };
  switch (refs.status) {
    case 200:
      break;
    case 401:
    case 403:
    case 404:
      return { repository: 'unchecked', detail: codeSentence('sourceNotPublic', { place: repository }) };
    case 301:
    case 302:
      return { repository: 'missing', detail: codeSentence('sourceMoved.hosted', { place: repository }) };
    default:
      return { repository: 'unchecked', detail: codeSentence('sourceUnverifiedStatus', { status: refs.status, place: repository }) };
  }
  const sha = commitOf(refs.text, branch);
  if (sha === undefined)
    return { repository: 'found', branch: 'missing', detail: codeSentence('sourceBranchMissing', { place: repository, branch }) };
  const states = await Promise.all(
    CODE_FILE_NAMES.map(async (name) => {
      const answer = await get(call, codeHostRaw, [owner, repo, ...branch.split('/'), name]);
      return answer?.status === 200 ? [[name, 'found']] : answer?.status === 404 ? [[name, 'missing']] : [];
    }),
  );
  const files = Object.fromEntries(states.flat()) as CodeFileStates;
  return { repository: 'found', branch: 'found', sha, files, detail: branchSentence(repository, branch, files) };
}

/** Each line starts with its length in four hexadecimal digits, which the pattern must not include. */
function commitOf(refs: string, branch: string): string | undefined {
  const line = refs.split(/[\0\n]/).find((one) => one.endsWith(` refs/heads/${branch}`));
  const sha = line?.split(' ', 1)[0]?.slice(refs.includes('object-format=sha256') ? -64 : -40);
  return sha !== undefined && /^[0-9a-f]+$/.test(sha) ? sha : undefined;
}

/** Without the caller's credential, which is for the hosted service only. Undefined if there is no response. */
async function get(call: Call, base: string, path: readonly string[], query = ''): Promise<HostedAnswer | undefined> {
  const { options } = call;
  const { pathname } = new URL(base);
  const address = `${pathname.replace(/\/$/, '')}/${path.map(encodeURIComponent).join('/')}${query}`;
  return await options
    .fetchHosted({ method: 'GET', base: new URL(base).origin, path: address, org: base, caller: callerKey(call) })
    .catch(() => undefined);
}
