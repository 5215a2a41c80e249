import type { CodeCheck } from '@repoless/contract/code-check.ts';
import type { JobDetails, JobState, SyncedCommit } from '@repoless/contract/job.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { CodeSource } from '@repoless/contract/code-source.ts';

/** Where the code of sites comes from. Sites with the same `key` share one synchronized copy. */
export type CodeOrigin = {
  readonly key: string;
  /** `<type>:<owner>/<repo>`, in the spelling of a site: see `repositoryKey`. */
  readonly repository: string;
  readonly owner: string;
  readonly repo: string;
} & (
  | { readonly type: 'github' }
  /** Shared only within an organization, like its secret. */
  | { readonly type: 'byogit'; readonly org: string; readonly url: string; readonly rawUrl: string }
);

export interface StoredJob {
  readonly name: string;
  /** The key of its origin, and the branch as in host names: one job at a time for each pair. */
  readonly key: string;
  readonly ref: string;
  readonly origin: CodeOrigin;
  readonly record: JobDetails;
  /** How often it was started without ending or being released: a killed service resumes it. */
  readonly attempts: number;
  /** A request joined since it last read the repository. */
  readonly rerun: boolean;
  /** The organization whose call started it; absent if it was a push, or the service itself. */
  readonly startedBy?: string;
  /** Other organizations requested it too. */
  readonly isJoined?: boolean;
  /** Which organization its branch counts for from now on, or `ALL_ORGANIZATIONS`; absent if that does not change. */
  readonly requestedBy?: string;
}

export interface OpenJob {
  readonly job: StoredJob;
  /** Who worked on it last, and until when they hold it without renewing; undefined if no one did. */
  readonly lease: Lease | undefined;
}

export interface BranchKey {
  readonly key: string;
  readonly ref: string;
}

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

export interface StoredRollBack {
  readonly time: string;
  readonly user: string;
  readonly org: string;
}

/** A branch with the commits that it can be rolled back to, the most recently synchronized first. */
export interface BranchCommits {
  readonly served: StoredBranch;
  readonly commits: readonly [StoredCommit, ...StoredCommit[]];
  /** Absent: the first of them is served. */
  readonly rolledBack?: StoredRollBack;
}

/** Jobs and branches. Each change is durable on its own when its promise resolves. */
export interface CodeStore extends JobStore, BranchStore {
  readonly shared: boolean;
}

export interface JobStore {
  /** Newest first. */
  jobs(key: string, ref: string, limit: number): Promise<StoredJob[]>;
  job(name: string): Promise<StoredJob | undefined>;
  /** False if a job of this branch is not stopped yet. */
  addJob(job: StoredJob): Promise<boolean>;
  /** Makes the job read the repository once more. Returns its name, or undefined if none is in progress. */
  joinJob(key: string, ref: string, by?: { readonly org?: string; readonly requestedBy?: string }): Promise<string | undefined>;
  /** Jobs of all branches that are not stopped, whoever works on them: at most `limit`, the oldest first. */
  openJobs(limit: number): Promise<OpenJob[]>;
  /** Jobs without a worker, or whose lease ended, the oldest first. `beside`: shares to leave out (`shareOfJob`), at most three. */
  idleJobs(now: Date, limit: number, beside?: readonly string[]): Promise<StoredJob[]>;
  /** Claims a job; undefined if another worker was faster. */
  claimJob(name: string, lease: Lease & { readonly now: Date }): Promise<StoredJob | undefined>;
  /** False if the job was stopped, or another worker holds it now. */
  saveJob(record: JobDetails, lease: Lease): Promise<boolean>;
  /** Releases an unfinished job as if it had not been started, for another worker; `since`: after those waiting at that time. */
  releaseJob(record: JobDetails, owner: string, since?: Date): Promise<boolean>;
  /** Starts a further round for joined requests; false if there are none. */
  takeRerun(name: string, owner: string): Promise<boolean>;
  /** Ends a job unless a request joined in the meantime; false then, or if this worker no longer holds it. */
  finishJob(record: JobDetails, owner: string): Promise<boolean>;
  /** Ends it whoever works on it; false if it is already stopped. */
  stopJob(record: JobDetails): Promise<boolean>;
  pruneJobs(key: string, ref: string, count: number): Promise<void>;
  /** The branches, as in addresses, that were ever requested and whose jobs are stored. */
  refs(key: string): Promise<string[]>;
}

export interface BranchStore {
  branch(key: string, ref: string): Promise<StoredBranch | undefined>;
  branches(key: string): Promise<StoredBranch[]>;
  commits(key: string, ref: string): Promise<BranchCommits | undefined>;
  /** Serves this unless the branch is rolled back; false if `owner` lost the job. `commits`: what to roll back to, this one first. */
  putBranch(
    branch: StoredBranch,
    job: { readonly name: string; readonly owner: string },
    commits?: readonly StoredCommit[],
  ): Promise<boolean>;
  /** Without `rolledBack` until the next sync. False if the branch or its commits changed since they were read. */
  serveCommit(read: BranchCommits, commit: StoredCommit, rolledBack?: StoredRollBack): Promise<boolean>;
  deleteBranch(key: string, ref: string): Promise<boolean>;
  keys(): Promise<string[]>;
  /** Those that no site uses, for an external repository at the same addresses. */
  unusedKeys(): Promise<string[]>;
  /**
   * Removes branches, then stopped jobs, of code that no site uses, as above; removes no branch while a site uses it or a job is in
   * progress, and no job while a site uses it. Returns whether branches were removed.
   */
  deleteUnused(key: string): Promise<boolean>;
  /** Who requested a branch: organizations, and `ALL_ORGANIZATIONS`; none for `main` and branches of external repositories. */
  requestersOf(key: string, ref: string): Promise<string[]>;
  /** Branches that no one requested whose sites use the repository. */
  abandonedBranches(): Promise<BranchKey[]>;
  /** Removes one of them; false if such a site and request exist by then, or a job is in progress. */
  deleteAbandoned(branch: BranchKey): Promise<boolean>;
  /** Deletes requests for branches that do not exist, and those without a site on the repository if another requester has one. */
  removeStaleRequests(): Promise<void>;
  /** Every list of files that is served, or can be. */
  manifests(): Promise<string[]>;
  /**
   * Bytes of the code of an organization: of the repositories that its sites use, `main`, every branch of an external one, and what it or
   * everyone requested, each counted separately. Code of external ones at addresses that no site uses any more is excluded, but not
   * searched for if the sum including it is at most `enough`.
   */
  bytesOf(org: string, enough?: number): Promise<number>;
  /** Bytes of the branches of a repository that count for everyone who uses it. */
  bytesOfAll(key: string): Promise<number>;
  /** Whether any branch of the origin is served. */
  isKnown(key: string): Promise<boolean>;
}

export interface Lease {
  readonly owner: string;
  readonly until: Date;
}

export interface JobRunner {
  wake(job: string): void;
  /** A job changed: local watchers read it immediately, and work on it ends if it was stopped. */
  changed(key: string, ref: string, state: JobState): void;
  /** What a waiting job waits for, as a sentence; undefined if it can start. It mentions only syncs of the reading organization. */
  waitsFor(job: StoredJob, org: string): string | undefined;
  /** Resolves when the jobs of a branch may have changed; false once the service stops. */
  nextChange(key: string, ref: string): Promise<boolean>;
}

/** Syncs that no one requested. They never fail the call that triggers them. */
export interface FirstSyncs {
  /** A site uses this code now: synchronizes `main` unless a sync of it has succeeded. */
  codeStored(org: string, code: CodeSource | undefined): Promise<void>;
  /** The secret of the site's repository has changed: retries what failed because of the secret. */
  secretStored(org: string, code: CodeSource | undefined): Promise<void>;
}

/** Queries the repository itself for at most several seconds. Takes the branch as named by addresses and by the repository. */
export type BranchProbe = (
  origin: CodeOrigin,
  branch: { readonly ref: string; readonly branch: string; readonly org?: string },
) => Promise<BranchState>;

/** `sha`: of an external repository. `missing` is certain; `refused`: no access; `unreachable`: nothing is known at the moment. */
export type BranchState =
  { readonly state: 'found'; readonly sha?: string } | { readonly state: 'missing' | 'refused' | 'unreachable'; readonly sentence: string };

export interface CodeFile {
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly hash: string;
  readonly size: number;
  /** Both ends included; defaults to the entire file. */
  read(range?: ByteRange): Promise<Uint8Array | AsyncIterable<Uint8Array>>;
}

export interface CodeFiles {
  /** Undefined if the branch has no such file. Takes the path without its leading slash. */
  find(key: string, ref: string, path: string): Promise<CodeFile | undefined>;
  /** The state of a branch's code, to explain why a file is missing. */
  availability(key: string, ref: string): Promise<CodeAvailability>;
  /** Whether all files of a manifest exist; they stay for as long as a sync may take. */
  isComplete(manifest: string): Promise<boolean>;
}

/** `error`: why the latest sync failed. `synced`: the commit of the latest successful sync; an earlier one may be served. */
export type CodeAvailability =
  | {
      readonly state: 'served';
      readonly sha: string;
      readonly synced: string;
      readonly rolledBack?: StoredRollBack | undefined;
      readonly error: string | undefined;
    }
  | { readonly state: 'never' | 'in-progress' }
  | { readonly state: 'failed'; readonly error: string };

/** A range of bytes, both ends included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A blob that should exist is lost. A sync recreates it. */
export class MissingBlob extends Refusal {
  constructor(hash: string, cause?: unknown) {
    super('STORAGE_UNAVAILABLE', `The file ${hash} of the code is lost. Synchronize its branch again.`, { cause, retryAfter: 60 });
  }
}

/**
 * Storage of blobs, each under the SHA-256 of its bytes in hexadecimal: a folder, the database, a bucket. A stored blob is always complete,
 * even if writers are killed. Rejects with Refusal STORAGE_UNAVAILABLE or STORAGE_FULL if the storage is the cause.
 */
export interface BlobStorage {
  /** The number of its bytes; undefined if it does not exist. */
  size(hash: string): Promise<number | undefined>;
  /** Stores bytes under their hash, unless they are already stored in full length. */
  write(hash: string, bytes: Uint8Array): Promise<void>;
  /** Rejects with MissingBlob if it does not exist. */
  read(hash: string): Promise<Uint8Array>;
  /** Opens nothing before the first piece is requested. */
  stream(hash: string, range: ByteRange): AsyncIterable<Uint8Array>;
  /** Everything stored, in batches; including what a killed program left while writing. */
  names(): AsyncIterable<readonly string[]>;
  /** Settles when nothing is in progress any more. */
  remove(hashes: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Blobs that no branch serves. They are removed a while later, unless someone rescues them first. Each call is atomic for all nodes. */
export interface CondemnedBlobs {
  /** Those already condemned keep their time. */
  condemn(hashes: readonly string[], now: Date): Promise<void>;
  /** They are no longer condemned. Returns those that cannot be rescued, because they are being removed. */
  rescue(hashes: readonly string[]): Promise<string[]>;
  /** Those condemned before this time that no node is removing yet, by name, after a given name. */
  due(before: Date, after: string, limit: number): Promise<string[]>;
  /** Claims them for removal. Returns those that were not rescued in the meantime. */
  take(hashes: readonly string[], before: Date, now: Date): Promise<string[]>;
  removed(hashes: readonly string[]): Promise<void>;
  /** Releases those claimed before this time by a node that never reported the result. */
  releaseTaken(before: Date): Promise<void>;
}

export interface CodeRequest {
  /** The organization whose site uses it, or is to use it. */
  readonly org: string;
  readonly type: CodeCheck['type'];
  readonly owner: string;
  readonly repo: string;
  /** `code.source.url` of an external repository; defaults to the service's own build management. */
  readonly url?: string;
  /** `code.source.raw_url`, if `url` is given too. */
  readonly rawUrl?: string;
}

/** The answer of a repository, without its branches. */
export type RepositoryAvailability = Pick<CodeCheck, 'repository' | 'state' | 'detail'>;
export type CodeProbe = Pick<CodeCheck, 'repository' | 'branch' | 'sha' | 'files' | 'state' | 'detail'>;

/** Access to code sources. Bounded in time and size; failures are part of the answer. */
export interface CodeSources {
  /** Whether there is such a repository, and whether a site may use it. */
  repository(request: CodeRequest): Promise<RepositoryAvailability>;
  /** Whether there is such a repository and branch, and what the branch contains. */
  probe(request: CodeRequest, branch: string): Promise<CodeProbe>;
  /** The commit of a branch of a repository of the code host; undefined if it is unknown. */
  head(request: CodeRequest, branch: string, signal: AbortSignal): Promise<string | undefined>;
  /** Whether it was queried recently and may be used, so that no further query is needed. */
  wasFound(request: CodeRequest): boolean;
}
