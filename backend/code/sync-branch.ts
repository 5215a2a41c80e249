import { codeSentence } from '@repoless/contract/code-sentences.ts';
import type { JobChange, JobDetails, JobPhase } from '@repoless/contract/job.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import { setImmediate } from 'node:timers/promises';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { Reads } from '../domain/ports.ts';
import { type BlobStore, createWorkPool } from './blob-store.ts';
import { type Manifest, type ManifestEntry, serializeManifest, readManifest } from './code-files.ts';
import { tooLarge } from './git-snapshot.ts';
import { openSnapshot, type SnapshotServices } from './open-snapshot.ts';
import { shareOfJob, organizationsCounted, requestersOf } from './rules/code-origin.ts';
import { type CodeStore, MissingBlob, type StoredBranch, type StoredJob } from './rules/ports.ts';
import { isPointer, selectFiles } from './select-files.ts';
import { type CodeSettings, retrying, type Snapshot, type SourceFile, type SyncContext, SyncProblem, TransientError } from './snapshot.ts';

export interface SyncServices extends SnapshotServices {
  readonly code: Pick<CodeStore, 'branch' | 'branches' | 'bytesOf' | 'bytesOfAll' | 'requestersOf'>;
  readonly reads: SnapshotServices['reads'] & Pick<Reads, 'orgsOfRepository' | 'usesRepository'>;
  readonly blobs: BlobStore;
}

/** The progress of a job, stored by its worker. */
export interface JobReport {
  readonly record: JobDetails;
  change(change: Partial<Omit<JobDetails, 'data'>> & { readonly data?: Partial<JobDetails['data']> }): void;
  phase(phase: JobPhase): void;
  /** What it waits for, as a sentence. */
  waiting(sentence?: string): void;
  processed(files: number): void;
}

/** Reads what is not stored yet, and stores the new list of files. Nothing that is served changes. Returns what to serve from now on. */
export async function syncBranch(services: SyncServices, job: StoredJob, report: JobReport, signal: AbortSignal): Promise<StoredBranch> {
  report.phase('collect');
  const request = { ref: job.ref, branch: job.record.data.branch };
  const context = { signal, waiting: report.waiting };
  const blobs = retryingBlobs(services.blobs, services.settings.retryDelay, context);
  const snapshot = await openSnapshot(services, job.origin, request, context);
  const { fileLimit, repositoryLimit } = services.settings;
  const { files, ignored } = await selectFiles(snapshot.files, snapshot.ignoreRules, {
    time: services.settings.listingTime,
    share: shareOfJob(job),
    signal,
  });
  const isTooBig = ({ size = 0 }: SourceFile) => size > fileLimit;
  const fitting = files.filter((file) => !isTooBig(file));
  const tooBig = files.filter(isTooBig);
  if (sumOf(fitting) > repositoryLimit) throw tooLarge(repositoryLimit);
  await requireCapacity(services, job, sumOf(fitting), signal);
  const before = await storedLists(services.code, blobs, job);
  report.change({
    progress: { total: files.length, processed: 0, failed: tooBig.length, ignored: snapshot.files.length - files.length },
    data: {
      phase: 'sync',
      branch: snapshot.branch,
      sha: snapshot.sha,
      commit: snapshot.commit,
      ignored,
      resources: tooBig.slice(0, LISTED).map(({ path }) => ({ path, status: 413 })),
    },
  });

  const stored = await readMissing(blobs, services.settings, snapshot, fitting, before.known, report);
  report.phase('postprocess');
  // Each of these processes all files synchronously: other work runs in between.
  await setImmediate();
  const next = listOf(fitting, stored);
  await setImmediate();
  const manifest = await blobs.put(await serializeManifest(next));
  await setImmediate();
  const changes = changesBetween(before.own, next);
  const pointers = fitting.filter(({ oid }) => stored.get(oid) === 'pointer').length;
  const { progress } = report.record;
  report.change({
    progress: { ...progress, processed: fitting.length - pointers, ignored: progress.ignored + pointers },
    data: {
      changes: changes.slice(0, LISTED),
      truncated: changes.length > LISTED || tooBig.length > LISTED,
      ...(pointers > 0 && { ignored: { ...ignored, 'large file pointer': pointers } }),
    },
  });
  const bytes = Object.values(next.files).reduce((sum, [, size]) => sum + size, 0);
  await requireCapacity(services, job, bytes, signal);
  return { key: job.key, ref: job.ref, branch: snapshot.branch, sha: snapshot.sha, manifest, bytes };
}

function sumOf(files: readonly SourceFile[]): number {
  return files.reduce((sum, { size = 0 }) => sum + size, 0);
}

/** Refuses a branch if none of the organizations that it counts for has enough quota. `bytes`: known so far. */
async function requireCapacity(services: SyncServices, job: StoredJob, bytes: number, signal: AbortSignal): Promise<void> {
  const { code, settings } = services;
  const limit = settings.codeBytes;
  if (limit === undefined) return;
  const before = (await code.branch(job.key, job.ref))?.bytes ?? 0;
  const allowed = limit - bytes + before;
  // Each of them has at least this.
  const leastOfAll = await code.bytesOfAll(job.key);
  const requesters = await requestersOf(code, job);
  let isUsed = false;
  for await (const org of organizationsCounted(services.reads, job.origin, requesters)) {
    signal.throwIfAborted();
    isUsed = true;
    if (leastOfAll > allowed) break;
    if ((await code.bytesOf(org, allowed)) <= allowed) return;
  }
  if (!isUsed) return;
  // Organizations that share a repository see the same job, but nothing about each other.
  throw new SyncProblem(
    codeSentence('codeTooLarge', { limit, bytes, _do: requesters === undefined ? 'use this repository' : 'requested this branch' }),
  );
}

/** What is stored for a git hash: a file, or the knowledge that it is only a pointer. */
type Known = Map<string, ManifestEntry | 'pointer'>;

/** The list of this branch, and of several other branches of the repository: files that only others have are read once more. */
async function storedLists(
  code: SyncServices['code'],
  blobs: RetryingBlobs,
  { key, ref }: StoredJob,
): Promise<{ own: Manifest | undefined; known: Known }> {
  const known: Known = new Map();
  let own: Manifest | undefined;
  const branches = await code.branches(key);
  const first = branches.filter((branch) => branch.ref === ref || branch.ref === DEFAULT_REF);
  const others = branches.filter((branch) => !first.includes(branch));
  for (const branch of [...first, ...others.slice(0, COMPARED_BRANCHES)]) {
    // Lists have megabytes: other work runs in between.
    await setImmediate();
    const list = await storedList(blobs, branch.manifest);
    if (branch.ref === ref) own = list;
    for (const entry of Object.values(list?.files ?? {})) known.set(entry[2], entry);
    for (const oid of list?.pointers ?? []) known.set(oid, 'pointer');
  }
  return { own, known };
}

/** A lost or damaged list is recreated by this sync; one whose store is unavailable may be intact. */
async function storedList(blobs: RetryingBlobs, manifest: string): Promise<Manifest | undefined> {
  const bytes = await blobs.read(manifest).catch((error: unknown) => {
    if (error instanceof MissingBlob) return undefined;
    throw error;
  });
  return bytes === undefined ? undefined : await readManifest(bytes).catch(() => undefined);
}

async function readMissing(
  blobs: RetryingBlobs,
  { repositoryLimit }: CodeSettings,
  snapshot: Snapshot,
  files: readonly SourceFile[],
  known: Known,
  report: JobReport,
): Promise<Known> {
  const stored: Known = new Map();
  const missing: SourceFile[] = [];
  const entries = files.map(({ oid }) => known.get(oid)).filter((entry) => entry !== undefined && entry !== 'pointer');
  const existing = await blobs.reserve([...new Map(entries.map(([hash, size]) => [hash, { hash, size }])).values()]);
  for (const file of files) {
    const entry = known.get(file.oid);
    if (entry !== undefined && (entry === 'pointer' || existing.has(entry[0]))) stored.set(file.oid, entry);
    else missing.push(file);
  }
  report.processed(files.length - missing.length);
  let bytesRead = 0;
  if (missing.length === 0) return stored;
  const uploads = createWorkPool(PUTS);
  try {
    await snapshot.read(missing, async (file, bytes) => {
      bytesRead += bytes.length;
      if (bytesRead > repositoryLimit) throw tooLarge(repositoryLimit);
      await uploads.add(bytes.length, async () => {
        stored.set(file.oid, isPointer(bytes) ? 'pointer' : [await blobs.put(bytes), bytes.length, file.oid]);
        report.processed(1);
      });
    });
  } finally {
    await uploads.ended();
  }
  return stored;
}

function listOf(files: readonly SourceFile[], stored: Known): Manifest {
  const entries: [string, ManifestEntry][] = [];
  const pointers = new Set<string>();
  for (const { path, oid } of files) {
    const entry = stored.get(oid);
    if (entry === 'pointer') pointers.add(oid);
    else if (entry !== undefined) entries.push([path, entry]);
    else throw new Error('A file was not read.');
  }
  return { files: Object.fromEntries(entries), pointers: [...pointers] };
}

function changesBetween(before: Manifest | undefined, after: Manifest): JobChange[] {
  const old = new Map(Object.entries(before?.files ?? {}));
  const changes: JobChange[] = [];
  for (const [path, [hash]] of Object.entries(after.files)) {
    const [oldHash] = old.get(path) ?? [];
    old.delete(path);
    if (oldHash !== hash) changes.push({ type: oldHash === undefined ? 'added' : 'modified', path });
  }
  return [...changes, ...[...old.keys()].map((path): JobChange => ({ type: 'deleted', path }))];
}

/** Files stored concurrently: storage over a network has a latency for each. */
const PUTS = { count: 16, bytes: 32 * 1024 * 1024 };
const LISTED = 1000;
/** Branches whose lists are used, in addition to this one and `main`. */
const COMPARED_BRANCHES = 5;

type RetryingBlobs = Pick<BlobStore, 'put' | 'read' | 'reserve'>;

/** The blobs for one sync: waits for unavailable storage, and reports that. Rejects with SyncProblem, and MissingBlob. */
function retryingBlobs(blobs: BlobStore, delay: number, context: SyncContext): RetryingBlobs {
  const withRetry = <T>(work: () => Promise<T>) => retrying(() => work().catch(asSyncProblem), delay, context);
  return {
    put: (bytes) => withRetry(() => blobs.put(bytes)),
    reserve: (needed) => withRetry(() => blobs.reserve(needed)),
    read: (hash) => withRetry(() => blobs.read(hash)),
  };
}

function asSyncProblem(error: unknown): never {
  if (!(error instanceof Refusal) || error instanceof MissingBlob) throw error;
  if (error.code === 'STORAGE_FULL') throw new SyncProblem(codeSentence('storageFull'), { cause: error });
  if (error.code === 'STORAGE_UNAVAILABLE')
    throw new TransientError(codeSentence('storageUnresponsive.now'), { last: codeSentence('storageUnresponsive.last'), cause: error });
  throw error;
}
