import type { CodeStore, StoredJob } from '#backend/domain/code/ports.ts';
import { MovedOn } from './byogit/byogit-snapshot.ts';
import { jobReport } from './job-report.ts';
import { syncBranch } from './sync-branch.ts';
import type { SyncServices } from './sync-branch.ts';
import { SyncProblem } from './sync-problem.ts';

export interface RunServices extends SyncServices {
  readonly code: CodeStore;
  /** Who works here; a lease is this one's alone. */
  readonly owner: string;
  now(): Date;
  /** The job is another one now, for those who watch it. */
  tell(job: StoredJob): void;
  /** An error that nobody foresaw. */
  failed(job: string, error: unknown): void;
}

/**
 * Works on a claimed job until it ends: keeps the lease, saves how far it is, and looks at the repository again where
 * somebody joined. `released`: the service stops; the job is left for the next one to take up.
 */
export async function runJob(services: RunServices, job: StoredJob, released: AbortSignal): Promise<void> {
  const { code, owner, now, tell } = services;
  const lost = new AbortController();
  const signal = AbortSignal.any([released, lost.signal]);
  const lease = () => ({ owner, until: new Date(now().getTime() + LEASE) });
  let timer: NodeJS.Timeout | undefined;
  let saving = Promise.resolve();

  const save = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      saving = saving.then(saveNow).catch((error: unknown) => services.failed(job.name, error));
    }, SAVE_EVERY);
  };
  const saveNow = async () => {
    if (!(await code.saveJob(report.record, lease()))) lost.abort(new Error('The job was stopped.'));
    tell(job);
  };
  const begun = { ...job.record, state: 'running' as const, startTime: job.record.startTime ?? now().toISOString() };
  const report = jobReport(begun, save);
  const renewing = setInterval(save, LEASE / 3);

  const settle = async () => {
    clearTimeout(timer);
    timer = undefined;
    await saving;
  };
  const stopped = (error?: string) => {
    const { waiting: _waiting, ...data } = report.record.data;
    const { error: _error, ...record } = report.record;
    const phase = error === undefined ? 'completed' : data.phase;
    return {
      ...record,
      state: 'stopped' as const,
      stopTime: now().toISOString(),
      data: { ...data, phase },
      ...(error !== undefined && { error }),
    } as const;
  };

  try {
    if (job.attempts > MAX_ATTEMPTS) return void (await code.stopJob(stopped(GIVEN_UP)));
    await saveNow();
    for (let round = 1; ; round += 1) {
      const error = await oneRound();
      if (signal.aborted) return;
      await settle();
      if (error === MOVED && round < MAX_ROUNDS) continue;
      if (await code.finishJob(stopped(error), owner)) return;
      if (!(await code.takeAgain(job.name, owner))) return;
    }
  } finally {
    clearInterval(renewing);
    await settle();
    if (released.aborted) await code.saveJob(report.record, { owner, until: new Date(0) });
    tell(job);
  }

  /** Out: why it failed, a sentence; undefined where the branch is served as it is now. */
  async function oneRound(): Promise<string | undefined> {
    try {
      const branch = await syncBranch(services, job, report, signal);
      signal.throwIfAborted();
      await settle();
      await code.putBranch(branch, { name: job.name, owner });
      return undefined;
    } catch (error) {
      if (signal.aborted) return undefined;
      if (error instanceof SyncProblem) return error.message;
      if (error instanceof MovedOn) return MOVED;
      services.failed(job.name, error);
      return `Something unexpected happened. Report it with the name of the job, ${job.name}.`;
    }
  }
}

/** Milliseconds that a job stays one's own without a sign of life. */
const LEASE = 15_000;
const SAVE_EVERY = 150;
const MAX_ATTEMPTS = 5;
const MAX_ROUNDS = 10;
const MOVED = 'The branch changed faster than it could be read. Synchronise again when it is quiet.';
const GIVEN_UP = 'The service was stopped each time it worked on this sync. Synchronise again.';
