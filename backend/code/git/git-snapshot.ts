import { rm } from 'node:fs/promises';
import type { CodeOrigin } from '../rules/code-origin.ts';
import { anySignal } from '../../git/any-signal.ts';
import { GitFailure } from '../../git/git-failure.ts';
import { FILE_TOO_LARGE } from '../../git/limited-git.ts';
import { mirrorState } from '../../git/mirror-state.ts';
import { prepareRepository, tidyRepository } from '../../git/prepare-repository.ts';
import { readObjects } from '../../git/read-objects.ts';
import { askGit } from '../../git/run-git.ts';
import type { CodeRemote } from '../code-remote.ts';
import type { CodeSettings } from '../code-settings.ts';
import { BranchMovedError } from '../branch-moved-error.ts';
import { TransientError, retrying } from '../retry.ts';
import { IGNORE_FILE } from '../snapshot.ts';
import type { Snapshot, SyncContext } from '../snapshot.ts';
import { IGNORE_FILE_LIMIT, ignoreFileTooLarge } from '../select-files.ts';
import { SyncProblem } from '../sync-problem.ts';
import { gitProblem } from './git-problem.ts';
import { branchOf, listBranches, reachRepository, told } from './list-branches.ts';
import { listFiles } from './list-files.ts';
import { mirrorFolder, transferredBytes } from './mirror.ts';
import { remoteProblem } from './remote-problem.ts';

export interface GitServices {
  readonly settings: CodeSettings;
  readonly remote: CodeRemote;
  /** Works of the same mirror one after the other. */
  one<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/** The newest commit of a branch on the code host: what the mirror does not have yet is fetched, and nothing else. */
export async function gitSnapshot(
  services: GitServices,
  origin: CodeOrigin,
  { ref, branch: asked }: { readonly ref: string; readonly branch: string },
  around: SyncContext,
): Promise<Snapshot> {
  const { settings, one } = services;
  const repository = mirrorFolder(settings.mirrorDir, origin.key);
  const { signal } = around;
  const call = { repository, signal };

  async function fetch(): Promise<string> {
    const at = await reachRepository(services, origin);
    const branch = branchOf(await listBranches(services, origin, at, signal), origin, { ref, branch: asked });
    await inMirror(call, async () => {
      await prepareRepository(repository, signal);
      const bounded = boundedBy(settings.repositoryLimit, repository, signal);
      try {
        const refspec = `+refs/heads/${branch}:refs/heads/${branch}`;
        const command = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--depth=1', at.url, refspec];
        await askGit({ ...call, signal: bounded.signal, settings: at.settings, fileLimit: settings.repositoryLimit, command });
      } finally {
        bounded.end();
      }
      await tidyRepository(repository, signal);
    }).catch((error: unknown) => {
      if (signal.aborted) throw error;
      throw isTooLarge(error) ? tooLarge(settings.repositoryLimit) : told(error, origin, at.url);
    });
    return branch;
  }

  async function open() {
    const branch = await fetch();
    return await inMirror(call, async () => {
      const sha = (await askGit({ ...call, command: ['rev-parse', '--verify', `refs/heads/${branch}^{commit}`] })).trim();
      const files = await listFiles({ ...call, treeish: sha, limit: settings.fileCountLimit, time: settings.listingTime });
      const rules = files.find(({ path, kind }) => path === IGNORE_FILE && kind === 'file');
      let ignoreRules: string | undefined;
      // A few bytes of a repository can expand to gigabytes: check the size before reading.
      if ((rules?.size ?? 0) > IGNORE_FILE_LIMIT) throw ignoreFileTooLarge();
      if (rules !== undefined)
        await readObjects(call, [rules.oid], async (_, bytes) => void (ignoreRules = Buffer.from(bytes).toString('utf8')));
      return { branch, sha, ignoreRules, files };
    });
  }

  return await one(origin.key, async () => {
    const opened = await retrying(open, settings.retryDelay, around);
    return {
      ...opened,
      async read(wanted, take) {
        const byOid = new Map(wanted.map((file) => [file.oid, file]));
        const reading = () =>
          readObjects(call, [...byOid.keys()], async (oid, bytes) => {
            const file = byOid.get(oid);
            if (file !== undefined) await take(file, bytes);
          });
        await one(origin.key, () => inMirror(call, reading)).catch((error: unknown) => {
          throw error instanceof TransientError ? new BranchMovedError(error.message) : error;
        });
      },
    };
  });
}

/**
 * Works with a mirror. Where that fails, and the other side is certainly not the reason, the mirror is looked at: a damaged
 * one is removed, and the work may be tried again. Rejects with Passing then.
 */
async function inMirror<T>(call: { readonly repository: string; readonly signal: AbortSignal }, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (failure) {
    const error = gitProblem(failure);
    const isClear = !(error instanceof GitFailure) || isTooLarge(error) || remoteProblem(error.said, '', '') !== undefined;
    if (isClear || call.signal.aborted) throw error;
    const state = await mirrorState(call.repository, call.signal);
    if (state === 'sound' || state === 'unknown') throw error;
    await rm(call.repository, { recursive: true, force: true });
    throw new TransientError("The service's own copy of the repository is damaged and is being recreated.");
  }
}

/** Whether git met the limit of a file that it writes. */
function isTooLarge(error: unknown): boolean {
  return error instanceof GitFailure && FILE_TOO_LARGE.test(error.said);
}

/** Ends a transfer that grows beyond the limit: git itself knows none of all files together. */
function boundedBy(limit: number, repository: string, signal: AbortSignal): { readonly signal: AbortSignal; end(): void } {
  const tooMuch = new AbortController();
  const before = transferredBytes(repository);
  const look = async () => {
    if ((await transferredBytes(repository)) - (await before) > limit) tooMuch.abort(tooLarge(limit));
  };
  const timer = setInterval(() => void look(), LOOK_EVERY);
  return { signal: anySignal(signal, tooMuch.signal), end: () => clearInterval(timer) };
}

export function tooLarge(limit: number): SyncProblem {
  return new SyncProblem(
    `The repository is larger than ${limit} bytes, which is the limit here. Remove large files from the branch, or ask the operator for a higher limit.`,
  );
}

const LOOK_EVERY = 200;
