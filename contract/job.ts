import { z } from 'zod';
import { dryRun, SiteParams } from './endpoint-parts.ts';
import { answer, BODY_ERRORS, endpoint, json, NO_PARAMS, NO_QUERY, WRITE_QUERY } from './endpoint.ts';
import { OrgName, Ref } from './names.ts';

export const JobState = z.enum(['created', 'running', 'stopped']);
export type JobState = z.infer<typeof JobState>;

export const JobPhase = z.enum(['collect', 'sync', 'postprocess', 'completed']);
export type JobPhase = z.infer<typeof JobPhase>;

export const JobName = z
  .string()
  .regex(/^job-\d{4}-\d{2}-\d{2}-\d{2}-\d{2}-\d{2}-[0-9a-f]{8}$/, 'A job is named job-YYYY-MM-DD-HH-MM-SS-<8 hexadecimal digits>.');

/** Numbers of files: no rule admits the `ignored` ones; the `failed` ones could not be read. */
export const JobProgress = z.object({
  total: z.number().int().min(0),
  processed: z.number().int().min(0),
  failed: z.number().int().min(0),
  ignored: z.number().int().min(0),
});
export type JobProgress = z.infer<typeof JobProgress>;

/** What git records about a commit; parts that the code source does not provide are absent. */
export const CommitAbout = z.object({
  author: z.string().optional(),
  /** The first line of its message. */
  message: z.string().optional(),
  time: z.string().optional(),
});
export type CommitAbout = z.infer<typeof CommitAbout>;

/** A commit whose files are stored. `synced`: when they were read. */
export const SyncedCommit = CommitAbout.extend({ sha: z.string(), branch: z.string(), synced: z.iso.datetime().optional() });
export type SyncedCommit = z.infer<typeof SyncedCommit>;

/** When, and by whom, an earlier commit than the last synchronized one was selected to be served; `user` only for those who may see it. */
export const RollBack = z.object({ time: z.iso.datetime(), user: z.string().optional() });
export type RollBack = z.infer<typeof RollBack>;

/** The subject and progress of a sync, without its lists of files. */
export const JobAbout = z.object({
  phase: JobPhase,
  owner: z.string(),
  repo: z.string(),
  ref: z.string(),
  /** The branch as the repository names it; `ref` is derived from it. */
  branch: z.string(),
  sha: z.string().optional(),
  commit: CommitAbout.optional(),
  /** A sentence: what the job waits for; absent while it runs. */
  waiting: z.string().optional(),
  /** Why files were left out, and how many for each reason. */
  ignored: z.record(z.string(), z.number().int()).optional(),
});

export const JobChange = z.object({ type: z.enum(['added', 'modified', 'deleted']), path: z.string() });
export type JobChange = z.infer<typeof JobChange>;

/** The first files that changed or were left out; `truncated` if there were more. */
export const JobData = JobAbout.extend({
  changes: z.array(JobChange),
  resources: z.array(z.object({ path: z.string(), status: z.number().int() })),
  truncated: z.boolean().optional(),
});
export type JobData = z.infer<typeof JobData>;

/** What starts a sync without anyone's call: `user` of such a job. */
export const JOB_STARTERS = ['webhook', 'build-management', 'first sync', 'new secret'] as const;
export type JobStarter = (typeof JOB_STARTERS)[number];

/** A code sync job (docs/contract.md 5.2). `data` is without its lists. */
export const Job = z.object({
  topic: z.literal('code'),
  name: JobName,
  state: JobState,
  createTime: z.iso.datetime(),
  startTime: z.iso.datetime().optional(),
  stopTime: z.iso.datetime().optional(),
  progress: JobProgress,
  /** A sentence: why it failed; absent if it did not. */
  error: z.string().optional(),
  cancelled: z.boolean().optional(),
  /** The person who started it, or one of `JOB_STARTERS`, for those who may see it. */
  user: z.string().optional(),
  data: JobAbout,
});
export type Job = z.infer<typeof Job>;

export const JobDetails = Job.extend({ data: JobData });
export type JobDetails = z.infer<typeof JobDetails>;

/** A single job with the addresses of its files and of the branch's other jobs. */
export const NamedJob = Job.extend({ links: z.object({ self: z.string(), details: z.string(), list: z.string() }) });
export const NamedJobDetails = JobDetails.extend({ links: z.object({ self: z.string(), job: z.string(), list: z.string() }) });

export const JobListEntry = z.object({
  name: JobName,
  state: JobState,
  time: z.iso.datetime(),
  stopTime: z.iso.datetime().optional(),
  branch: z.string(),
  error: z.string().optional(),
  cancelled: z.boolean().optional(),
  href: z.string(),
});

export type JobListEntry = z.infer<typeof JobListEntry>;

/** The latest job's own fields (absent if there never was one), and the jobs of the branch, newest first (call 7). */
export const JobStatus = Job.partial().extend({
  topic: z.literal('code'),
  /** The commit whose files are served, regardless of later syncs; absent if no sync has succeeded. */
  served: z.string().optional(),
  /** The commits that can be served, the last synchronized one first. */
  commits: z.array(SyncedCommit).optional(),
  /** Absent if the last synchronized commit is served. */
  rolledBack: RollBack.optional(),
  jobs: z.array(JobListEntry),
  links: z.object({ self: z.string() }),
});
export type JobStatus = z.infer<typeof JobStatus>;

export const SyncStarted = z.object({
  messageId: z.string(),
  job: z.object({ topic: z.literal('code'), name: JobName, state: JobState, createTime: z.iso.datetime() }),
  /** The sync was already running, and this call joined it. */
  joined: z.boolean().optional(),
  links: z.object({ self: z.string(), list: z.string() }),
});
export type SyncStarted = z.infer<typeof SyncStarted>;

/** The synchronized branches, named as in the repository. */
export const CodeStatus = z.object({ owner: z.string(), repo: z.string(), branches: z.array(z.string()) });
export type CodeStatus = z.infer<typeof CodeStatus>;

export const SERVED_FILE = { status: 200 } as const;

export const CodeFileStatus = z.object({
  webPath: z.string(),
  resourcePath: z.string(),
  code: z.object({ status: z.literal(SERVED_FILE.status), size: z.number().int(), sha256: z.string() }),
});
export type CodeFileStatus = z.infer<typeof CodeFileStatus>;

/** The result of a push by build management or the code host. */
export const PushOutcome = z.object({
  /** Why nothing was done; absent if something was. */
  ignored: z.string().optional(),
  jobs: z.array(z.object({ name: JobName, joined: z.boolean() })),
});
export type PushOutcome = z.infer<typeof PushOutcome>;

const RefParams = SiteParams.extend({ ref: Ref });
const JobParams = RefParams.extend({ name: JobName });
const repositoryName = z.string().regex(/^[a-zA-Z0-9_.-]+$/, 'Write the owner and the name of a repository.');
const PushParams = z.object({ owner: repositoryName, repo: repositoryName, ref: Ref });
export const CODE_ERRORS = ['NOT_AUTHENTICATED', 'NOT_AUTHORIZED', 'ORG_NOT_FOUND', 'SITE_NOT_FOUND', 'PART_NOT_FOUND'] as const;
const SYNC_ERRORS = [
  'HOST_LABEL_TOO_LONG',
  'BRANCH_NOT_FOUND',
  'BRANCH_BUSY',
  'CODE_HOST_UNREACHABLE',
  'REPOSITORY_UNREACHABLE',
  'STORAGE_FULL',
] as const;
const PUSH_ERRORS = ['NOT_AUTHENTICATED', 'REPOSITORY_UNKNOWN', 'STORAGE_FULL'] as const;

/** The branch as the repository names it, if `{ref}` doesn't identify it, e.g. `feature/one` for `feature-one`. */
const branch = z.string().min(1).max(255).optional();
const BranchQuery = z.object({ branch });
/**
 * `org`: the organization that owns the repository; if an earlier version of build management omits it, every organization that names the
 * repository is affected.
 */
const PushQuery = BranchQuery.extend({ org: OrgName.optional() });
const SyncQuery = WRITE_QUERY.extend({ branch });
const job = { path: '/job/{org}/{site}/{ref}/code/{name}', params: JobParams, tag: 'Code', preconditions: true } as const;
const push = {
  path: '/code-sync/{owner}/{repo}/{ref}',
  params: PushParams,
  query: PushQuery,
  tag: 'Code',
  outside: 'webhook',
} as const;

const read = { method: 'GET', query: NO_QUERY, permission: 'job:read', tag: 'Code' } as const;
const sync = {
  method: 'POST',
  query: SyncQuery,
  permission: 'code:sync',
  tag: 'Code',
  preconditions: true,
  errors: [...CODE_ERRORS, ...SYNC_ERRORS],
} as const;

/** Code sync (docs/contract.md 5.1). */
export const jobEndpoints = {
  getJob: endpoint({
    ...read,
    path: '/job/{org}/{site}/{ref}/code',
    params: RefParams,
    answers: {
      200: {
        description: 'the latest job and the jobs of the branch; as `text/event-stream` on request, sent again on each change',
        media: ['application/json', 'text/event-stream'],
        schema: JobStatus,
      },
    },
    errors: CODE_ERRORS,
    summary: 'Read the state of the code sync of a branch',
    call: 7,
  }),
  getJobDetails: endpoint({
    ...read,
    path: '/job/{org}/{site}/{ref}/code/{name}/details',
    params: JobParams,
    answers: { 200: answer('the job with its lists of files', NamedJobDetails) },
    errors: [...CODE_ERRORS, 'JOB_NOT_FOUND'],
    summary: 'Read a code sync job with the files that it changed',
  }),
  getNamedJob: endpoint({
    method: 'GET',
    ...job,
    query: NO_QUERY,
    permission: 'job:read',
    answers: { 200: answer('the job', NamedJob) },
    errors: [...CODE_ERRORS, 'JOB_NOT_FOUND'],
    summary: 'Read a code sync job',
  }),
  stopJob: endpoint({
    method: 'DELETE',
    ...job,
    query: WRITE_QUERY,
    permission: 'code:sync',
    answers: { 200: dryRun, 204: { description: 'stopped; the served code is unchanged' } },
    errors: [...CODE_ERRORS, 'JOB_NOT_FOUND'],
    summary: 'Stop a code sync job',
  }),
  startSync: endpoint({
    ...sync,
    path: '/code/{org}/{site}/{ref}/{path*}',
    params: RefParams.extend({ path: z.string() }),
    answers: {
      200: dryRun,
      202: answer('started, or joined if one is in progress; always the entire branch, whatever the path', SyncStarted),
    },
    summary: 'Synchronize the code of a branch',
  }),
  getCodeFile: endpoint({
    ...read,
    path: '/code/{org}/{site}/{ref}/{path*}',
    params: RefParams.extend({ path: z.string() }),
    answers: { 200: answer('the file is served', CodeFileStatus) },
    errors: [...CODE_ERRORS, 'FILE_NOT_FOUND'],
    summary: 'Check whether a file is in the synchronized code of a branch',
  }),
  startBranchSync: endpoint({
    ...sync,
    path: '/code/{org}/{site}/{path}',
    params: SiteParams.extend({ path: z.string() }),
    answers: { 200: dryRun, 202: answer('started, or joined if one is in progress', SyncStarted) },
    summary: 'Synchronize the code of the branch at the end of the address',
  }),
  getCode: endpoint({
    ...read,
    path: '/code/{org}/{site}/{path}',
    params: SiteParams.extend({ path: z.string() }),
    answers: { 200: answer('the repository and its synchronized branches', CodeStatus) },
    errors: CODE_ERRORS,
    summary: 'Read which code a site uses',
  }),
  /** For build management only: `authorization: Bearer <BUILD_MANAGEMENT_KEY>`. */
  pushed: endpoint({
    method: 'POST',
    ...push,
    permission: 'public',
    credentials: 'program',
    answers: { 202: answer('a sync for every code source of the organization on this repository', PushOutcome) },
    errors: PUSH_ERRORS,
    summary: 'Build management reports a push to an external repository',
  }),
  branchDeleted: endpoint({
    method: 'DELETE',
    ...push,
    permission: 'public',
    credentials: 'program',
    answers: { 200: answer('the code of the branch is no longer served', PushOutcome) },
    errors: [...PUSH_ERRORS, 'BRANCH_PROTECTED'],
    summary: 'Build management reports that a branch was deleted',
  }),
  /** Signed in `X-Hub-Signature-256` over the bytes of the body, with the secret from the settings. */
  githubWebhook: endpoint({
    method: 'POST',
    outside: 'webhook',
    path: '/webhook/github',
    params: NO_PARAMS,
    query: NO_QUERY,
    body: { ...json(z.unknown()), raw: true },
    permission: 'public',
    answers: {
      200: answer('acknowledged, nothing to do', PushOutcome),
      202: answer('a sync was started or joined', PushOutcome),
    },
    errors: ['CODE_HOST_UNREACHABLE', 'INVALID_SIGNATURE', ...BODY_ERRORS, 'STORAGE_FULL'],
    tag: 'Code',
    summary: 'The code host reports a push',
  }),
} as const;
