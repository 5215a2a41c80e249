import { LIMITS } from '@repoless/contract/limits.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import { mkdir } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { BranchLook, CodeFiles, JobRunner, StoredJob } from './rules/ports.ts';
import { LRUCache } from 'lru-cache';
import type { Store } from '../domain/ports.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { Cause, Tracing } from '../tracing/tracing.ts';
import { beginSync } from './jobs/begin-sync.ts';
import { shareOf, shareOfJob } from './rules/code-origin.ts';
import type { BlobPlace } from './rules/blobs.ts';
import { createBlobStore } from './blob-store.ts';
import { createCodeFiles } from './code-files.ts';
import { collectGarbage } from './collect-garbage.ts';
import { collectUnused, removeMirrors } from './collect-unused.ts';
import type { CodeRemote } from './code-remote.ts';
import type { CodeSettings } from './code-settings.ts';
import { branchLook } from './look-at-branch.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { runJob } from './run-job.ts';
import type { RunServices } from './run-job.ts';
import { createWatchers } from './watchers.ts';
import { anySignal } from '../git/any-signal.ts';

export interface CodeSyncOptions {
  readonly settings: CodeSettings;
  /** Of one organization. */
  readonly syncsAtOnce: number;
  readonly store: Store;
  /** Where the files of the code lie; nodes that share a database share it. Closed with the sync. */
  readonly place: BlobPlace;
  readonly remote: CodeRemote;
  readonly box: SecretBox;
  readonly tracing: Tracing;
  now(): Date;
  /** An unexpected error, and its job. */
  failed(job: string, error: unknown): void;
}

export interface CodeSync {
  readonly runner: JobRunner;
  readonly files: CodeFiles;
  readonly look: BranchLook;
  /** Disconnect the subscribers. */
  quiet(): void;
  /** Ends running work; it is resumed at the next start, or immediately by another node. */
  close(): Promise<void>;
}

/** Starts to work on jobs: new ones, and those that a program left that was stopped. */
export async function startCodeSync(options: CodeSyncOptions): Promise<CodeSync> {
  const { settings, store, place, tracing, now, failed } = options;
  const { code } = store;
  const leaseTime = () => store.sharedTime(now());
  await mkdir(settings.mirrorDir, { recursive: true, mode: 0o700 });
  // A sync names the blobs that it relies on in a branch before it ends; condemned blobs outlive the longest sync.
  const grace = Math.max(SHORTEST_GRACE, 2 * settings.syncTime);
  const blobs = createBlobStore(place, store.condemned, { grace, now });
  const watchers = createWatchers();
  const stopping = new AbortController();
  const running = new Map<string, { readonly job: StoredJob; readonly abort: AbortController; readonly done: Promise<void> }>();
  const owner = `${hostname()}/${process.pid}/${randomUUID()}`;
  /** What triggered jobs that have not started, if it happened on this node. */
  const causes = new LRUCache<string, Cause>({ max: REMEMBERED });
  const services: RunServices = {
    ...options,
    reads: store.reads,
    code,
    blobs,
    one: oneAtATime(),
    owner,
    leaseTime,
    tell: ({ key, ref }) => watchers.changed(key, ref),
  };
  const unused = collectUnused({
    code,
    shortLived: store.shortLived,
    now,
    cameBack: (origin) => beginSync({ code, runner, now, newId: randomUUID }, { origin, branch: DEFAULT_REF, user: 'first sync' }),
  });
  const mirrors = () => removeMirrors(code, settings.mirrorDir);
  const garbage = collectGarbage({ code, blobs, shortLived: store.shortLived, now, unused, mirrors });
  const runner: JobRunner = {
    wake(job) {
      const cause = tracing.now();
      if (cause !== undefined) causes.set(job, cause);
      void tracing.apart(look);
    },
    changed(key, ref, state) {
      watchers.changed(key, ref);
      if (state === 'stopped') void endStopped(key, ref).catch((error: unknown) => failed('stop', error));
    },
    waitsFor,
    nextChange: watchers.nextChange,
  };
  let looking: Promise<void> | undefined;
  let lookAgain = false;

  function look(before?: Date): Promise<void> {
    lookAgain = looking !== undefined;
    looking ??= claimIdle(before)
      .catch((error: unknown) => failed('claim', error))
      .finally(() => {
        looking = undefined;
        if (lookAgain && !stopping.signal.aborted) void look();
      });
    return looking;
  }

  /**
   * Takes jobs while slots are free. A share with running jobs gives way to others and never gets all slots: an organization that starts a
   * thousand syncs waits for its own.
   */
  async function claimIdle(given: Date | undefined): Promise<void> {
    while (!stopping.signal.aborted && running.size < LIMITS.syncsAtOnce) {
      const present = await leaseTime();
      const before = given ?? present;
      const shares = countShares();
      const full = [...shares].filter(([, count]) => count >= options.syncsAtOnce).map(([share]) => share);
      const next = (await idle(before, [...shares.keys()])) ?? (await idle(before, full));
      if (next === undefined) return;
      const until = new Date(present.getTime() + FIRST_LEASE);
      const job = await code.claimJob(next.name, { owner, until, now: before });
      if (job !== undefined && !stopping.signal.aborted) begin(job);
    }
  }

  /** At the start every lease counts as ended, those that are one's own by now as well: they are no longer idle. */
  async function idle(before: Date, beside: readonly string[]): Promise<StoredJob | undefined> {
    return (await code.idleJobs(before, LIMITS.syncsAtOnce, beside)).find(({ name }) => !running.has(name));
  }

  function countShares(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { job } of running.values()) counts.set(shareOfJob(job), (counts.get(shareOfJob(job)) ?? 0) + 1);
    return counts;
  }

  /** Whether the share of another organization is full, or the service is, reads the same. */
  function waitsFor(job: StoredJob, org: string): string | undefined {
    const beside = countShares().get(shareOfJob(job)) ?? 0;
    const isFull = beside >= options.syncsAtOnce;
    if (isFull && shareOfJob(job) === shareOf(job.origin, org))
      return `${beside} other syncs of this organization are in progress. This one starts when one of them ends.`;
    if (!isFull && running.size < LIMITS.syncsAtOnce) return undefined;
    return 'Other syncs are in progress. This one starts when one of them ends.';
  }

  function begin(job: StoredJob): void {
    const abort = new AbortController();
    const signal = anySignal(stopping.signal, abort.signal);
    const { owner: codeOwner, repo, ref } = job.record.data;
    const facts = { 'repoless.job': job.name, 'repoless.code': `${codeOwner}/${repo}`, 'repoless.branch': ref };
    const done = tracing
      .job({ name: 'code sync', facts, cause: causes.get(job.name) }, () => runJob(services, job, signal))
      .catch((error: unknown) => failed(job.name, error))
      .finally(async () => {
        running.delete(job.name);
        causes.delete(job.name);
        if (stopping.signal.aborted) return;
        await garbage().catch((error: unknown) => failed('garbage', error));
        void look();
      });
    running.set(job.name, { job, abort, done });
  }

  /** Ends at once what was stopped, instead of when it next saves how far it is. */
  async function endStopped(key: string, ref: string): Promise<void> {
    for (const { job, abort } of running.values()) {
      if (job.key !== key || job.ref !== ref) continue;
      if ((await code.job(job.name))?.record.state === 'stopped') abort.abort(new Error('The job was stopped.'));
    }
  }

  // Only one program uses an embedded store: a lease in it was left by an earlier process.
  await look(code.shared ? undefined : new Date(FAR_FUTURE));
  const timer = setInterval(() => void look(), LOOK_EVERY);
  timer.unref();

  return {
    runner,
    files: createCodeFiles(code, blobs),
    look: branchLook(services),
    quiet: () => watchers.close(),
    async close() {
      clearInterval(timer);
      watchers.close();
      stopping.abort(new Error('The service stops.'));
      await looking;
      await Promise.all([...running.values()].map(({ done }) => done));
      await place.close();
    },
  };
}

const LOOK_EVERY = 5000;
const SHORTEST_GRACE = 60 * 60 * 1000;
const FIRST_LEASE = 15_000;
const REMEMBERED = 1000;
const FAR_FUTURE = '9999-12-31';
