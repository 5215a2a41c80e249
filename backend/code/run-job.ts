import { codeSentence } from '@repoless/contract/code-sentences.ts';
import type { JobDetails } from '@repoless/contract/job.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { anySignal } from '../git/run-git.ts';
import type { CodeStore, StoredBranch, StoredCommit, StoredJob } from './rules/ports.ts';
import { BranchMovedError, SyncProblem } from './snapshot.ts';
import { type JobReport, syncBranch, type SyncServices } from './sync-branch.ts';

export interface RunServices extends SyncServices {
  readonly code: CodeStore;
  /** Identifies this worker, which owns its leases. */
  readonly owner: string;
  now(): Date;
  /** The current time by the clock of the leases. */
  leaseTime(): Promise<Date>;
  onChange(job: StoredJob): void;
  failed(job: string, error: unknown): void;
}

/**
 * Works on a claimed job until it ends: renews the lease, saves the progress, and reads the repository again if another call joined,
 * several times at most; after that the job is released behind those that wait. `released`: the service stops, and the job is left to
 * another node.
 */
export async function runJob(services: RunServices, job: StoredJob, released: AbortSignal): Promise<void> {
  const { code, owner, leaseTime, onChange } = services;
  const lost = new AbortController();
  const signal = anySignal(released, lost.signal);
  const lease = async () => ({ owner, until: new Date((await leaseTime()).getTime() + LEASE) });
  let timer: NodeJS.Timeout | undefined;
  let saving = Promise.resolve();

  const save = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      saving = saving.then(saveNow).catch((error: unknown) => services.failed(job.name, error));
    }, SAVE_EVERY);
  };
  const saveNow = async () => {
    const renewed = await lease();
    if (!(await code.saveJob(report.record, renewed))) lost.abort(new Error('The job was stopped.'));
    onChange(job);
  };
  const started = { ...job.record, state: 'running' as const, startTime: job.record.startTime ?? (await leaseTime()).toISOString() };
  const report = jobReport(started, save);
  const renewing = setInterval(save, LEASE / 3);

  const settle = async () => {
    clearTimeout(timer);
    timer = undefined;
    await saving;
  };
  const stopped = async (error?: string) => {
    const { waiting: _waiting, ...data } = report.record.data;
    const { error: _error, ...record } = report.record;
    const phase = error === undefined ? 'completed' : data.phase;
    return {
      ...record,
      state: 'stopped' as const,
      // Compared with the times of checks, which other nodes may have made.
      stopTime: (await leaseTime()).toISOString(),
      data: { ...data, phase },
      ...(error !== undefined && { error }),
    } as const;
  };

  try {
    // A job that ended the program twice is not started a third time; an orderly stop does not count.
    if (job.attempts > LIMITS.syncAttempts) return void (await code.stopJob(await stopped(codeSentence('syncAbandoned'))));
    await saveNow();
    for (let round = 1; ; round += 1) {
      const { error, mayRetry } = await oneRound();
      if (signal.aborted) return;
      await settle();
      if (mayRetry === true && round < MAX_ROUNDS) continue;
      if (await code.finishJob(await stopped(error), owner)) return;
      // Repeatedly joining a sync must not take a slot from those that wait in the same share.
      if (round >= JOINED_ROUNDS) return void (await code.releaseJob(report.record, owner, await leaseTime()));
      if (!(await code.takeRerun(job.name, owner))) return;
    }
  } finally {
    clearInterval(renewing);
    await settle();
    if (released.aborted) await code.releaseJob(report.record, owner);
    onChange(job);
  }

  /** What a branch can be rolled back to from now on; a commit that it is rolled back to stays included. */
  async function commitsWith({ key, ref, branch, sha, manifest, bytes }: StoredBranch): Promise<StoredCommit[]> {
    const before = await code.commits(key, ref);
    const others = (before?.commits ?? []).filter((commit) => commit.sha !== sha);
    const earlier = others.filter((commit, index) => index < EARLIER_COMMITS || commit.sha === before?.served.sha);
    const { commit } = report.record.data;
    return [{ sha, branch, ...commit, synced: (await leaseTime()).toISOString(), manifest, bytes }, ...earlier];
  }

  /** Returns why it failed, as a sentence; nothing if the branch is served in its current state. */
  async function oneRound(): Promise<{ readonly error?: string; readonly mayRetry?: true }> {
    // Each round has its own time limit, so repeated joins do not end the syncs of others.
    const deadline = AbortSignal.timeout(services.settings.syncTime);
    try {
      const branch = await syncBranch(services, job, report, anySignal(signal, deadline));
      signal.throwIfAborted();
      await settle();
      await code.putBranch(branch, { name: job.name, owner }, await commitsWith(branch));
      return {};
    } catch (error) {
      if (signal.aborted) return {};
      if (deadline.aborted) return { error: codeSentence('tooLong', { seconds: services.settings.syncTime / 1000 }) };
      if (error instanceof SyncProblem) return { error: error.message };
      if (error instanceof BranchMovedError) return { error: error.message, mayRetry: true };
      services.failed(job.name, error);
      return { error: codeSentence('unexpected', { job: job.name }) };
    }
  }
}

/** Earlier commits of a branch whose files are stored. */
const EARLIER_COMMITS = 5;
/** Milliseconds for which a job is held without renewing. */
const LEASE = 15_000;
const SAVE_EVERY = 150;
const MAX_ROUNDS = 10;
/** Rounds after which a joined job goes behind those that wait. */
const JOINED_ROUNDS = 3;

/** Progress of a job while it runs: in memory, saved at intervals. */
function jobReport(started: JobDetails, save: () => void): JobReport {
  let record = started;
  const change: JobReport['change'] = ({ data, ...rest }) => {
    record = { ...record, ...rest, data: { ...record.data, ...data } };
    save();
  };
  return {
    get record(): JobDetails {
      return record;
    },
    change,
    phase: (phase) => change({ data: { phase } }),
    waiting(sentence): void {
      const { waiting: _waiting, ...data } = record.data;
      record = { ...record, data: sentence === undefined ? data : { ...data, waiting: sentence } };
      save();
    },
    processed(files): void {
      change({ progress: { ...record.progress, processed: record.progress.processed + files } });
    },
  };
}
