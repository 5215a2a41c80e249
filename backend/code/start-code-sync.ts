import { codeSentence } from '@repoless/contract/code-sentences.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import type { JobStarter } from '@repoless/contract/job.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import { LRUCache } from 'lru-cache';
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { createFairShare } from '../domain/fair-share.ts';
import type { Store } from '../domain/ports.ts';
import { startQueue, type Task } from '../domain/queue.ts';
import { anySignal } from '../git/run-git.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { Cause, Tracing } from '../tracing/tracing.ts';
import { createBlobStore } from './blob-store.ts';
import { createCodeFiles, collectGarbage } from './code-files.ts';
import { branchProbe } from './open-snapshot.ts';
import { shareOfOrigin, shareOfJob } from './rules/code-origin.ts';
import type { BlobStorage, BranchProbe, CodeFiles, JobRunner, StoredJob } from './rules/ports.ts';
import { createOrJoinSync } from './rules/start-syncs.ts';
import { runJob, type RunServices } from './run-job.ts';
import type { CodeRemote, CodeSettings } from './snapshot.ts';

interface CodeSyncOptions {
  readonly settings: CodeSettings;
  /** Per organization. */
  readonly syncsAtOnce: number;
  readonly store: Store;
  /** Storage of the files of the code; shared by nodes that share a database. Closed with the sync. */
  readonly storage: BlobStorage;
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
  readonly probe: BranchProbe;
  /** Disconnects the subscribers. */
  quiet(): void;
  /** Ends running work; it is resumed at the next start, or immediately by another node. */
  close(): Promise<void>;
}

/** Starts to work on jobs: new ones, and those that a stopped program left. */
export async function startCodeSync(options: CodeSyncOptions): Promise<CodeSync> {
  const { settings, store, storage, tracing, now, failed } = options;
  const { code } = store;
  await mkdir(settings.mirrorDir, { recursive: true, mode: 0o700 });
  // A branch names the blobs that a sync relies on before the sync ends; condemned blobs outlive the longest sync.
  const grace = Math.max(SHORTEST_GRACE, 2 * settings.syncTime);
  const blobs = createBlobStore(storage, store.condemned, { grace, now });
  const watchers = createWatchers();
  const queue = startQueue({
    workName: 'claim',
    owner: `${hostname()}/${process.pid}/${randomUUID()}`,
    store,
    atOnce: LIMITS.syncsAtOnce,
    lease: FIRST_LEASE,
    every: POLL_EVERY,
    tasks: idleJobs,
    now,
    failed,
  });
  const running = new Map<string, { readonly job: StoredJob; readonly abort: AbortController }>();
  let collecting: Promise<unknown> = Promise.resolve();
  /** What triggered waiting jobs, if it happened on this node. */
  const causes = new LRUCache<string, Cause>({ max: REMEMBERED });
  const services: RunServices = {
    ...options,
    reads: store.reads,
    code,
    blobs,
    one: createFairShare(MIRROR_WORK).run,
    owner: queue.owner,
    leaseTime: () => store.sharedTime(now()),
    onChange: ({ key, ref }) => watchers.changed(key, ref),
  };
  const garbage = collectGarbage({
    code,
    blobs,
    shortLived: store.shortLived,
    mirrorDir: settings.mirrorDir,
    now,
    cameBack: (origin) =>
      createOrJoinSync({ code, runner, now, newId: randomUUID }, { origin, branch: DEFAULT_REF, user: 'first sync' satisfies JobStarter }),
  });
  const runner: JobRunner = {
    wake(job) {
      const cause = tracing.now();
      if (cause !== undefined) causes.set(job, cause);
      void tracing.detached(queue.wake);
    },
    changed(key, ref, state) {
      watchers.changed(key, ref);
      if (state === 'stopped') void endStopped(key, ref).catch((error: unknown) => failed('stop', error));
    },
    waitsFor,
    nextChange: watchers.nextChange,
  };

  /** A share with running jobs yields to others and never gets all slots. */
  async function* idleJobs(): AsyncGenerator<Task> {
    for (;;) {
      const { owner, until, leased } = await queue.lease();
      const shares = queue.shares();
      const full = [...shares].filter(([, count]) => count >= options.syncsAtOnce).map(([share]) => share);
      const next = (await idle(leased, [...shares.keys()])) ?? (await idle(leased, full));
      if (next === undefined) return;
      const job = await code.claimJob(next.name, { owner, until, now: leased });
      if (job !== undefined) yield { name: job.name, share: shareOfJob(job), run: (ending) => run(job, ending) };
    }
  }

  /** At the start every lease counts as expired, except those that this node has claimed by then: they are no longer idle. */
  async function idle(before: Date, beside: readonly string[]): Promise<StoredJob | undefined> {
    const inProgress = new Set(queue.running());
    return (await code.idleJobs(before, LIMITS.syncsAtOnce, beside)).find(({ name }) => !inProgress.has(name));
  }

  /** The message is the same whether another organization's share is full or the entire service. */
  function waitsFor(job: StoredJob, org: string): string | undefined {
    const beside = queue.shares().get(shareOfJob(job)) ?? 0;
    const isFull = beside >= options.syncsAtOnce;
    if (isFull && shareOfJob(job) === shareOfOrigin(job.origin, org)) return codeSentence('queuedBehindOwn', { count: beside });
    if (!isFull && !queue.isFull()) return undefined;
    return codeSentence('queued');
  }

  async function run(job: StoredJob, ending: AbortSignal): Promise<void> {
    const abort = new AbortController();
    running.set(job.name, { job, abort });
    const { owner: codeOwner, repo, ref } = job.record.data;
    const facts = { 'repoless.job': job.name, 'repoless.code': `${codeOwner}/${repo}`, 'repoless.branch': ref };
    try {
      await tracing.job({ name: 'code sync', facts, cause: causes.get(job.name) }, () =>
        runJob(services, job, anySignal(ending, abort.signal)),
      );
    } finally {
      running.delete(job.name);
      causes.delete(job.name);
      if (!ending.aborted) collecting = Promise.all([collecting, garbage().catch((error: unknown) => failed('garbage', error))]);
    }
  }

  /** Ends a stopped job immediately, instead of when it next saves its progress. */
  async function endStopped(key: string, ref: string): Promise<void> {
    for (const { job, abort } of running.values()) {
      if (job.key !== key || job.ref !== ref) continue;
      if ((await code.job(job.name))?.record.state === 'stopped') abort.abort(new Error('The job was stopped.'));
    }
  }

  await queue.wake();
  return {
    runner,
    files: createCodeFiles(code, blobs),
    probe: branchProbe(services),
    quiet: () => watchers.close(),
    async close() {
      watchers.close();
      await queue.close();
      await collecting;
      await storage.close();
    },
  };
}

const POLL_EVERY = 5000;
const SHORTEST_GRACE = 60 * 60 * 1000;
const FIRST_LEASE = 15_000;
const REMEMBERED = 1000;
/** Works on a mirror one after the other; different mirrors concurrently. */
const MIRROR_WORK = { atOnce: Infinity, perShare: 1, waitingPerShare: Infinity, waiting: Infinity, workName: 'mirrors' };

function createWatchers() {
  const changes = new EventEmitter().setMaxListeners(0);
  let isClosed = false;
  return {
    changed: (key: string, ref: string) => void changes.emit(`${key} ${ref}`),
    /** Resolves at the next change on this node, or after a second, because other nodes may have changed it. False once closed. */
    async nextChange(key: string, ref: string): Promise<boolean> {
      if (isClosed) return false;
      const names = [`${key} ${ref}`, CLOSED];
      return await new Promise((resolve) => {
        const done = () => {
          clearTimeout(timer);
          for (const name of names) changes.off(name, done);
          resolve(!isClosed);
        };
        const timer = setTimeout(done, OTHER_NODES);
        for (const name of names) changes.on(name, done);
      });
    },
    close() {
      isClosed = true;
      changes.emit(CLOSED);
    },
  };
}

const CLOSED = Symbol('closed');
const OTHER_NODES = 1000;
