import type { JobChange } from '#contract/job.ts';
import type { CodeStore, StoredBranch, StoredJob } from '#backend/domain/code/ports.ts';
import type { BlobStore } from './blob-store.ts';
import type { JobReport } from './job-report.ts';
import { printManifest, readManifest } from './manifest.ts';
import type { Manifest, ManifestEntry } from './manifest.ts';
import { openSnapshot } from './open-snapshot.ts';
import type { SnapshotServices } from './open-snapshot.ts';
import { isPointer, selectFiles } from './select-files.ts';
import type { Snapshot, SourceFile } from './snapshot.ts';
import { tooLarge } from './git/git-snapshot.ts';

export interface SyncServices extends SnapshotServices {
  readonly code: Pick<CodeStore, 'branch' | 'branches'>;
  readonly blobs: BlobStore;
}

/**
 * Makes ready what a branch holds now: what is not stored yet is read, and the new list of files is stored. Nothing that is
 * served changes. Out: what to serve from now on. Rejects with SyncProblem.
 */
export async function syncBranch(services: SyncServices, job: StoredJob, report: JobReport, signal: AbortSignal): Promise<StoredBranch> {
  report.phase('collect');
  const asked = { ref: job.ref, branch: job.record.data.branch };
  const snapshot = await openSnapshot(services, job.origin, asked, { signal, waiting: report.waiting });
  const { fileLimit, repositoryLimit } = services.settings;
  const { files, ignored } = selectFiles(snapshot.files, snapshot.ignoreRules);
  const fitting = files.filter(({ size }) => size === undefined || size <= fileLimit);
  const tooBig = files.filter((file) => !fitting.includes(file));
  if (fitting.reduce((sum, { size = 0 }) => sum + size, 0) > repositoryLimit) throw tooLarge(repositoryLimit);
  const before = await storedLists(services, job);
  report.change({
    progress: { total: files.length, processed: 0, failed: tooBig.length, ignored: snapshot.files.length - files.length },
    data: {
      phase: 'sync',
      branch: snapshot.branch,
      sha: snapshot.sha,
      ignored,
      resources: tooBig.slice(0, LISTED).map(({ path }) => ({ path, status: 413 })),
    },
  });

  const stored = await readMissing(services, snapshot, fitting, before.known, report);
  report.phase('postprocess');
  const next = listOf(fitting, stored);
  const manifest = await services.blobs.put(printManifest(next));
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
  return { key: job.key, ref: job.ref, branch: snapshot.branch, sha: snapshot.sha, manifest };
}

/** What is stored for the name that git gives to bytes: a file, or the knowledge that it only points to one. */
type Known = Map<string, ManifestEntry | 'pointer'>;

/** The list of this branch, and what any branch of the repository has stored already. */
async function storedLists({ code, blobs }: SyncServices, { key, ref }: StoredJob): Promise<{ own: Manifest | undefined; known: Known }> {
  const known: Known = new Map();
  let own: Manifest | undefined;
  for (const branch of await code.branches(key)) {
    // A list that cannot be read is made anew by this very sync.
    const list = await blobs.read(branch.manifest).then(readManifest, () => undefined);
    if (branch.ref === ref) own = list;
    for (const entry of Object.values(list?.files ?? {})) known.set(entry[2], entry);
    for (const oid of list?.pointers ?? []) known.set(oid, 'pointer');
  }
  return { own, known };
}

async function readMissing(
  services: SyncServices,
  snapshot: Snapshot,
  files: readonly SourceFile[],
  known: Known,
  report: JobReport,
): Promise<Known> {
  const { blobs } = services;
  const stored: Known = new Map();
  const missing: SourceFile[] = [];
  for (const file of files) {
    const entry = known.get(file.oid);
    if (entry !== undefined && (entry === 'pointer' || (await blobs.keep(entry[0], entry[1])))) stored.set(file.oid, entry);
    else missing.push(file);
  }
  report.processed(files.length - missing.length);
  let bytesRead = 0;
  if (missing.length === 0) return stored;
  await snapshot.read(missing, async (file, bytes) => {
    bytesRead += bytes.length;
    if (bytesRead > services.settings.repositoryLimit) throw tooLarge(services.settings.repositoryLimit);
    stored.set(file.oid, isPointer(bytes) ? 'pointer' : [await blobs.put(bytes), bytes.length, file.oid]);
    report.processed(1);
  });
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

const LISTED = 1000;
