import type { CodeCheck } from '@repoless/contract/code-check.ts';
import type { JobDetails, JobState, SyncedCommit } from '@repoless/contract/job.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { CodeOrigin } from './code-origin.ts';

export interface StoredJob {
  readonly name: string;
  /** The key of its origin, and the branch as in host names: one job at a time for both. */
  readonly key: string;
  readonly ref: string;
  readonly origin: CodeOrigin;
  readonly record: JobDetails;
  /** How often it was begun and neither ended nor released: a service that was killed in the middle takes it up again. */
  readonly attempts: number;
  /** Somebody joined since it last looked at the repository. */
  readonly again: boolean;
  /** The organization that began it by a call of its own; absent where a push did, or the service by itself. */
  readonly begunBy?: string;
  /** Others than that organization asked for it too. */
  readonly isJoined?: boolean;
  /** For whom its branch counts from now on: an organization, or `EVERYBODY`; absent where it goes on to count as it does. */
  readonly askedBy?: string;
}

/** A job that is not stopped. */
export interface OpenJob {
  readonly job: StoredJob;
  /** Who worked on it last, and until when it is theirs without a sign of life; undefined where nobody did. */
  readonly lease: Lease | undefined;
}

export interface BranchPlace {
  readonly key: string;
  readonly ref: string;
}

/** The code of a branch as it is served. */
export interface StoredBranch {
  readonly key: string;
  readonly ref: string;
  readonly branch: string;
  readonly sha: string;
  /** Name of its list of files in the code files. */
  readonly manifest: string;
  /** Of all its files. */
  readonly bytes: number;
}

/** A commit that can be served: its list of files is stored. */
export interface StoredCommit extends SyncedCommit {
  readonly manifest: string;
  readonly bytes: number;
}

/** Who rolled a branch back, for which organization. */
export interface StoredRollBack {
  readonly time: string;
  readonly user: string;
  readonly org: string;
}

/** A branch with the commits that it can be rolled back to, the one that was synchronised last first. */
export interface BranchCommits {
  readonly served: StoredBranch;
  readonly commits: readonly [StoredCommit, ...StoredCommit[]];
  /** Absent: the first of them is served. */
  readonly rolledBack?: StoredRollBack;
}

/** Jobs and branches. Each change is durable by itself when its promise resolves. */
export interface CodeStore {
  /** Whether other programs may work on the same storage. */
  readonly shared: boolean;
  /** Newest first. */
  jobs(key: string, ref: string, limit: number): Promise<StoredJob[]>;
  job(name: string): Promise<StoredJob | undefined>;
  /** False where a job of this branch is not stopped yet. */
  addJob(job: StoredJob): Promise<boolean>;
  /**
   * The job looks at the repository once more; its name, or undefined where none is under way. `org`: whose call it is, if any's; `askedBy`: as that
   * of a job.
   */
  joinJob(key: string, ref: string, by?: { readonly org?: string; readonly askedBy?: string }): Promise<string | undefined>;
  /** Jobs of all branches that are not stopped, whoever works on them: at most `limit`, the oldest first. */
  openJobs(limit: number): Promise<OpenJob[]>;
  /**
   * Jobs that nobody works on: new ones, and those whose lease ended before `now`; the oldest first. `beside`: beginnings of
   * shares that are left out (`shareOfJob`), three at most.
   */
  idleJobs(now: Date, limit: number, beside?: readonly string[]): Promise<StoredJob[]>;
  /** Takes a job for oneself; undefined where somebody was faster. */
  claimJob(name: string, lease: Lease & { readonly now: Date }): Promise<StoredJob | undefined>;
  /** False where the job was stopped, or is somebody else's by now. */
  saveJob(record: JobDetails, lease: Lease): Promise<boolean>;
  /** Gives a job back that is not finished, as if it had not been begun: whoever is next takes it up; `since`: behind those that wait then. */
  releaseJob(record: JobDetails, owner: string, since?: Date): Promise<boolean>;
  /** Begins a further round for those who joined; false where nobody did. */
  takeAgain(name: string, owner: string): Promise<boolean>;
  /** Ends a job that nobody joined meanwhile; false otherwise, or where it is no longer one's own. */
  finishJob(record: JobDetails, owner: string): Promise<boolean>;
  /** Ends it whoever works on it; false where it is stopped already. */
  stopJob(record: JobDetails): Promise<boolean>;
  /** Keeps the newest stopped jobs of a branch. */
  pruneJobs(key: string, ref: string, keep: number): Promise<void>;
  branch(key: string, ref: string): Promise<StoredBranch | undefined>;
  branches(key: string): Promise<StoredBranch[]>;
  commits(key: string, ref: string): Promise<BranchCommits | undefined>;
  /**
   * From now on this is served, unless the branch is rolled back; false where the job is not `owner`'s any more. `commits`: what it can be rolled back
   * to, this one first.
   */
  putBranch(
    branch: StoredBranch,
    job: { readonly name: string; readonly owner: string },
    commits?: readonly StoredCommit[],
  ): Promise<boolean>;
  /** Serves one of the commits of a branch; without `rolledBack` until the next sync. False where the branch or its commits changed since they were read. */
  serveCommit(read: BranchCommits, commit: StoredCommit, rolledBack?: StoredRollBack): Promise<boolean>;
  deleteBranch(key: string, ref: string): Promise<boolean>;
  /** The keys of all code that is served, and of all jobs that are kept. */
  keys(): Promise<string[]>;
  /** Those of them that no site has, an external repository at the addresses that they are of. */
  unusedKeys(): Promise<string[]>;
  /**
   * Removes branches, then stopped jobs, of code that no site has, as above; where a site has it, or a job is under way, no branch is removed, and
   * where a site has it, no job. Out: whether branches were removed.
   */
  deleteUnused(key: string): Promise<boolean>;
  /** Those that asked for a branch: organizations, and `EVERYBODY`; none for `main` and branches of external repositories. */
  askedBy(key: string, ref: string): Promise<string[]>;
  /** Branches for which nobody asked whose sites use the repository. */
  leftBranches(): Promise<BranchPlace[]>;
  /** Removes one of them; false where somebody has a site and asked for it by then, or a job is under way. */
  deleteLeft(branch: BranchPlace): Promise<boolean>;
  /**
   * Forgets who asked for branches that are neither stored nor under way, and those without a site on the repository who asked for what somebody
   * else asked for that has one.
   */
  forgetAsked(): Promise<void>;
  /** Every list of files that is served, or can be. */
  manifests(): Promise<string[]>;
  /**
   * Bytes of the code of an organization: of the repositories that its sites use, `main`, every branch of an external one, and what it or everybody
   * asked for, each by itself. Code of external ones under addresses that no site has any more is left out; it is not looked for where the sum
   * with it is at most `enough`.
   */
  bytesOf(org: string, enough?: number): Promise<number>;
  /** Bytes of the branches of a repository that count for everybody who uses it. */
  bytesOfAll(key: string): Promise<number>;
  /** The branches, as addresses name them, that were ever asked for and whose jobs are kept. */
  refs(key: string): Promise<string[]>;
  /** Whether any branch of the origin is served. */
  isKnown(key: string): Promise<boolean>;
}

export interface Lease {
  readonly owner: string;
  readonly until: Date;
}

/** Those who work on the jobs. */
export interface JobRunner {
  /** There is something to do: the job of this name. */
  wake(job: string): void;
  /** A job changed: those who watch it here look at once, and work on it ends where it was stopped. */
  changed(key: string, ref: string, state: JobState): void;
  /**
   * What a job waits for that is not begun yet, a sentence; undefined where it can begin. In: the organization that reads it, which is told
   * of its own syncs alone.
   */
  waitsFor(job: StoredJob, org: string): string | undefined;
  /** Resolves when the jobs of a branch may have changed; false once the service stops. */
  nextChange(key: string, ref: string): Promise<boolean>;
}

/**
 * Asks a repository itself whether it has a branch, within a few seconds. In: the branch as addresses and the repository name it; `org`: the
 * organization whose call asks, where it is one's.
 */
export type BranchProbe = (
  origin: CodeOrigin,
  asked: { readonly ref: string; readonly branch: string; readonly org?: string },
) => Promise<BranchState>;

/** `missing` is certain. `refused`: it does not show itself to the service; `unreachable`: nothing is known just now. */
export type BranchState =
  /** `sha`: its commit, where an external repository says it. */
  { readonly state: 'found'; readonly sha?: string } | { readonly state: 'missing' | 'refused' | 'unreachable'; readonly sentence: string };

export interface CodeFile {
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly hash: string;
  readonly size: number;
  /** Both ends included; the whole file where it is left out. */
  read(range?: { readonly start: number; readonly end: number }): Promise<Uint8Array | AsyncIterable<Uint8Array>>;
}

/** The files of synchronised branches. */
export interface CodeFiles {
  /** Undefined where the branch has no such file. In: the path without its leading slash. */
  find(key: string, ref: string, path: string): Promise<CodeFile | undefined>;
  /** How the code of a branch stands, to say why a file is missing. */
  standing(key: string, ref: string): Promise<CodeAvailability>;
  /** Whether all files of a list are there; they stay for as long as a sync may take. */
  isComplete(manifest: string): Promise<boolean>;
}

/** `error`: why the latest sync failed, a sentence. `synced`: the commit of the latest sync that succeeded; that served is an earlier one if the branch is rolled back. */
export type CodeAvailability =
  | {
      readonly state: 'served';
      readonly sha: string;
      readonly synced: string;
      readonly rolledBack?: StoredRollBack | undefined;
      readonly error: string | undefined;
    }
  | { readonly state: 'never' | 'under-way' }
  | { readonly state: 'failed'; readonly error: string };

/** A range of bytes, both ends included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A blob that should be there is lost. A sync makes it anew. */
export class MissingBlob extends Refusal {
  constructor(hash: string, cause?: unknown) {
    super('STORAGE_UNAVAILABLE', `The file ${hash} of the code is lost. Synchronise its branch again.`, { cause, retryAfter: 60 });
  }
}

/**
 * Where blobs lie, each under the SHA-256 of its bytes in hexadecimal: a folder, the database, a bucket. What is there is whole, whoever
 * writes and whenever they are killed. Rejects with Refusal STORAGE_UNAVAILABLE or STORAGE_FULL where the place is the reason.
 */
export interface BlobPlace {
  /** The number of its bytes; undefined where it is not there. */
  size(hash: string): Promise<number | undefined>;
  /** Stores bytes under their hash, where they are not there in full length. */
  write(hash: string, bytes: Uint8Array): Promise<void>;
  /** Rejects with MissingBlob where it is not there. */
  read(hash: string): Promise<Uint8Array>;
  /** Nothing is opened before the first piece is asked for. */
  stream(hash: string, range: ByteRange): AsyncIterable<Uint8Array>;
  /** Everything that is there, in portions; also what a program left that was killed while it wrote. */
  names(): AsyncIterable<readonly string[]>;
  /** Settles when nothing is under way any more. */
  remove(hashes: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/**
 * Blobs that no branch served when somebody looked. They are removed a while later, unless who relies on one rescues it first. All
 * nodes share this, and each call is atomic.
 */
export interface CondemnedBlobs {
  /** Those that are condemned already stay so since when they were. */
  condemn(hashes: readonly string[], now: Date): Promise<void>;
  /** They are condemned no more. Out: those that cannot be rescued, for they are being removed. */
  rescue(hashes: readonly string[]): Promise<string[]>;
  /** Those condemned before this time whom nobody removes yet, by their names, and of these those after a name. */
  due(before: Date, after: string, limit: number): Promise<string[]>;
  /** Takes them in order to remove them. Out: those that nobody rescued meanwhile. */
  take(hashes: readonly string[], before: Date, now: Date): Promise<string[]>;
  /** They are removed. */
  removed(hashes: readonly string[]): Promise<void>;
  /** Forgets those taken before this time by a node that never said how that ended. */
  giveUp(before: Date): Promise<void>;
}

/** A code source that is looked at. */
export interface CodeRequest {
  /** The organization whose site uses it, or shall use it. */
  readonly org: string;
  readonly type: CodeCheck['type'];
  readonly owner: string;
  readonly repo: string;
  /** `code.source.url` of an external repository; left out, it is at the service's own build management. */
  readonly url?: string;
  /** `code.source.raw_url`, where `url` is given too. */
  readonly rawUrl?: string;
}

/** What a repository answers, without its branches. */
export type RepositoryAvailability = Pick<CodeCheck, 'repository' | 'state' | 'detail'>;
export type CodeProbe = Pick<CodeCheck, 'repository' | 'branch' | 'sha' | 'files' | 'state' | 'detail'>;

/** Where code lies, as far as it can be asked. Bounded in time and size; what goes wrong is part of the answer. */
export interface CodeSources {
  /** Whether there is such a repository, and whether a site may use it. */
  repository(asked: CodeRequest): Promise<RepositoryAvailability>;
  /** The same, and what a branch of it holds. */
  look(asked: CodeRequest, branch: string): Promise<CodeProbe>;
  /** The commit of a branch of a repository of the code host; undefined where that could not be told. */
  head(asked: CodeRequest, branch: string, signal: AbortSignal): Promise<string | undefined>;
  /** Whether it was asked a moment ago and may be used: no need to ask again. */
  wasFound(asked: CodeRequest): boolean;
}
