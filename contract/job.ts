import { z } from 'zod';

export const JobState = z.enum(['created', 'running', 'stopped']);
export type JobState = z.infer<typeof JobState>;

export const JobPhase = z.enum(['collect', 'sync', 'postprocess', 'completed']);
export type JobPhase = z.infer<typeof JobPhase>;

export const JobName = z
  .string()
  .regex(/^job-\d{4}-\d{2}-\d{2}-\d{2}-\d{2}-\d{2}-[0-9a-f]{8}$/, 'A job is named job-YYYY-MM-DD-HH-MM-SS-<8 hexadecimal digits>.');

/** Files: `ignored` are those that no rule lets in, `failed` those that could not be had. */
export const JobProgress = z.object({
  total: z.number().int().min(0),
  processed: z.number().int().min(0),
  failed: z.number().int().min(0),
  ignored: z.number().int().min(0),
});
export type JobProgress = z.infer<typeof JobProgress>;

/** What a sync is about and how far it is, without its lists of files. */
export const JobAbout = z.object({
  phase: JobPhase,
  owner: z.string(),
  repo: z.string(),
  ref: z.string(),
  /** The branch as the repository names it; `ref` is made of it. */
  branch: z.string(),
  /** The commit that is synchronised. */
  sha: z.string().optional(),
  /** What the job waits for, a sentence; absent while it works. */
  waiting: z.string().optional(),
  /** Why files were left out, and how many. */
  ignored: z.record(z.string(), z.number().int()).optional(),
});

export const JobChange = z.object({ type: z.enum(['added', 'modified', 'deleted']), path: z.string() });
export type JobChange = z.infer<typeof JobChange>;

/** The first files that changed or were left out; `truncated` where there were more. */
export const JobData = JobAbout.extend({
  changes: z.array(JobChange),
  resources: z.array(z.object({ path: z.string(), status: z.number().int() })),
  truncated: z.boolean().optional(),
});
export type JobData = z.infer<typeof JobData>;

/** A code sync job (docs/contract.md 5.2). `data` is here without its lists. */
export const Job = z.object({
  topic: z.literal('code'),
  name: JobName,
  state: JobState,
  createTime: z.iso.datetime(),
  startTime: z.iso.datetime().optional(),
  stopTime: z.iso.datetime().optional(),
  progress: JobProgress,
  /** Why it failed, a sentence; absent where it did not. */
  error: z.string().optional(),
  cancelled: z.boolean().optional(),
  /** Who or what began it, for those who may see it. */
  user: z.string().optional(),
  data: JobAbout,
});
export type Job = z.infer<typeof Job>;

export const JobDetails = Job.extend({ data: JobData });
export type JobDetails = z.infer<typeof JobDetails>;

/** A job by itself, with the addresses of its files and of the other jobs of the branch. */
export const NamedJob = Job.extend({ links: z.object({ self: z.string(), details: z.string(), list: z.string() }) });
/** The same with its lists of files. */
export const NamedJobDetails = JobDetails.extend({ links: z.object({ self: z.string(), job: z.string(), list: z.string() }) });

export const JobListEntry = z.object({
  name: JobName,
  state: JobState,
  time: z.iso.datetime(),
  stopTime: z.iso.datetime().optional(),
  branch: z.string(),
  error: z.string().optional(),
  href: z.string(),
});

export type JobListEntry = z.infer<typeof JobListEntry>;

/** The latest job's own fields (absent where there never was one), and the jobs of the branch, newest first (call 7). */
export const JobStatus = Job.partial().extend({
  topic: z.literal('code'),
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

/** Branches are listed by the names that the repository gives them, those that were synchronised alone. */
export const CodeStatus = z.object({ owner: z.string(), repo: z.string(), branches: z.array(z.string()) });
export type CodeStatus = z.infer<typeof CodeStatus>;

/** What the public API says of a file that is served. */
export const SERVED_FILE = { status: 200 } as const;

/** A file of the synchronised code of a branch. */
export const CodeFileStatus = z.object({
  webPath: z.string(),
  resourcePath: z.string(),
  code: z.object({ status: z.literal(SERVED_FILE.status), size: z.number().int(), sha256: z.string() }),
});
export type CodeFileStatus = z.infer<typeof CodeFileStatus>;

/** What a push of build management or of the code host set off. */
export const PushOutcome = z.object({
  /** Why nothing was done, where nothing was. */
  ignored: z.string().optional(),
  jobs: z.array(z.object({ name: JobName, joined: z.boolean() })),
});
export type PushOutcome = z.infer<typeof PushOutcome>;
