import { mkdir } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import type { CodeFiles, JobRunner, StoredJob } from '#backend/domain/code/ports.ts';
import type { Store } from '#backend/domain/ports.ts';
import type { SecretBox } from '#backend/domain/secrets/secret-box.ts';
import { openBlobStore } from './blob-store.ts';
import { createCodeFiles } from './code-files.ts';
import { collectGarbage } from './collect-garbage.ts';
import type { CodeRemote } from './code-remote.ts';
import type { CodeSettings } from './code-settings.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { runJob } from './run-job.ts';
import type { RunServices } from './run-job.ts';
import { createWatchers } from './watchers.ts';

export interface CodeSyncOptions {
  readonly settings: CodeSettings;
  readonly store: Store;
  readonly remote: CodeRemote;
  readonly box: SecretBox;
  now(): Date;
  /** An error that nobody foresaw, and the job that met it. */
  failed(job: string, error: unknown): void;
}

export interface CodeSync {
  readonly runner: JobRunner;
  readonly files: CodeFiles;
  /** Those who watch are sent home. */
  quiet(): void;
  /** Ends work under way; it is taken up again at the next start, or by another node at once. */
  close(): Promise<void>;
}

/** Starts to work on jobs: new ones, and those that a program left that was stopped. */
export async function startCodeSync(options: CodeSyncOptions): Promise<CodeSync> {
  const { settings, store, now, failed } = options;
  const { code } = store;
  await mkdir(settings.mirrorDir, { recursive: true });
  const blobs = await openBlobStore(settings.codeDir);
  const watchers = createWatchers();
  const stopping = new AbortController();
  const running = new Map<string, { readonly job: StoredJob; readonly abort: AbortController; readonly done: Promise<void> }>();
  const owner = randomUUID();
  const services: RunServices = {
    ...options,
    reads: store.reads,
    code,
    blobs,
    one: oneAtATime(),
    owner,
    tell: ({ key, ref }) => watchers.changed(key, ref),
  };
  const garbage = collectGarbage(code, blobs, now);
  let looking: Promise<void> | undefined;
  let lookAgain = false;

  function look(before = now()): Promise<void> {
    lookAgain = looking !== undefined;
    looking ??= claimIdle(before)
      .catch((error: unknown) => failed('claim', error))
      .finally(() => {
        looking = undefined;
        if (lookAgain && !stopping.signal.aborted) void look();
      });
    return looking;
  }

  async function claimIdle(before: Date): Promise<void> {
    if (stopping.signal.aborted || running.size >= AT_ONCE) return;
    for (const { name } of await code.idleJobs(before, AT_ONCE - running.size)) {
      if (stopping.signal.aborted) return;
      const until = new Date(now().getTime() + FIRST_LEASE);
      const job = await code.claimJob(name, { owner, until, now: before });
      if (job !== undefined) begin(job);
    }
  }

  function begin(job: StoredJob): void {
    const abort = new AbortController();
    const signal = AbortSignal.any([stopping.signal, abort.signal]);
    const done = runJob(services, job, signal)
      .catch((error: unknown) => failed(job.name, error))
      .finally(async () => {
        running.delete(job.name);
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

  // An embedded store is this program's alone: whoever held a lease on it is gone.
  await look(code.shared ? now() : new Date(FAR_FUTURE));
  const timer = setInterval(() => void look(), LOOK_EVERY);
  timer.unref();

  return {
    runner: {
      wake: () => void look(),
      changed(key, ref, state) {
        watchers.changed(key, ref);
        if (state === 'stopped') void endStopped(key, ref).catch((error: unknown) => failed('stop', error));
      },
      nextChange: watchers.nextChange,
    },
    files: createCodeFiles(code, blobs),
    quiet: () => watchers.close(),
    async close() {
      clearInterval(timer);
      watchers.close();
      stopping.abort(new Error('The service stops.'));
      await looking;
      await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
}

const AT_ONCE = 4;
const LOOK_EVERY = 5000;
const FIRST_LEASE = 15_000;
const FAR_FUTURE = '9999-12-31';
