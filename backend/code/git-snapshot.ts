import { codeSentence } from '@repoless/contract/code-sentences.ts';
import { createHash } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type ListedEntry, ListingEnded, listTree, type TreeListing } from '../git/list-tree.ts';
import { mirrorState, prepareRepository, tidyRepository } from '../git/mirror.ts';
import { readObjects } from '../git/read-objects.ts';
import { anySignal, askGit, FILE_TOO_LARGE, GitFailure } from '../git/run-git.ts';
import { branchOf, gitProblem, listBranches, reachRepository, remoteProblem, told } from './list-branches.ts';
import { IGNORE_FILE_LIMIT, ignoreFileTooLarge } from './select-files.ts';
import {
  BranchMovedError,
  commitAbout,
  type CodeRemote,
  type CodeSettings,
  IGNORE_FILE,
  retrying,
  type Snapshot,
  type SourceFile,
  type SyncContext,
  SyncProblem,
  TransientError,
} from './snapshot.ts';
import type { CodeOrigin } from './rules/ports.ts';

export interface GitServices {
  readonly settings: CodeSettings;
  readonly remote: CodeRemote;
  /** Works on the same mirror one after the other. */
  one<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/** The newest commit of a branch on the code host. Fetches only what the mirror does not have yet. */
export async function gitSnapshot(
  services: GitServices,
  origin: CodeOrigin,
  { ref, branch: requested }: { readonly ref: string; readonly branch: string },
  context: SyncContext,
): Promise<Snapshot> {
  const { settings, one } = services;
  const repository = mirrorFolder(settings.mirrorDir, origin.key);
  const { signal } = context;
  const call = { repository, signal };

  async function fetch(): Promise<string> {
    const at = await reachRepository(services, origin);
    const branch = branchOf(await listBranches(services, origin, at, signal), origin, { ref, branch: requested });
    await inMirror(call, async () => {
      await prepareRepository(repository, signal);
      const bounded = limitTransfer(settings.repositoryLimit, repository, signal);
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
      const [author, time, message] = (await askGit({ ...call, command: ['log', '-1', '--format=%an%x00%aI%x00%s', sha] })).split('\0');
      const files = await listFiles({ ...call, treeish: sha, limit: settings.fileCountLimit, time: settings.listingTime });
      const rules = files.find(({ path, kind }) => path === IGNORE_FILE && kind === 'file');
      let ignoreRules: string | undefined;
      // A few bytes of a repository can expand to gigabytes: check the size before reading.
      if ((rules?.size ?? 0) > IGNORE_FILE_LIMIT) throw ignoreFileTooLarge();
      if (rules !== undefined)
        await readObjects(call, [rules.oid], async (_, bytes) => void (ignoreRules = Buffer.from(bytes).toString('utf8')));
      return { branch, sha, commit: commitAbout({ author, message, time }), ignoreRules, files };
    });
  }

  return await one(origin.key, async () => {
    const opened = await retrying(open, settings.retryDelay, context);
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

/** If the work fails and the remote side is not the cause, a damaged mirror is removed. Rejects with TransientError then. */
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
    throw new TransientError(codeSentence('mirrorDamaged'));
  }
}

/** Whether git reached the size limit of a file that it writes. */
function isTooLarge(error: unknown): boolean {
  return error instanceof GitFailure && FILE_TOO_LARGE.test(error.said);
}

/** Ends a transfer that grows beyond the limit: git itself has no limit for all files together. */
function limitTransfer(limit: number, repository: string, signal: AbortSignal): { readonly signal: AbortSignal; end(): void } {
  const tooMuch = new AbortController();
  const before = transferredBytes(repository);
  const check = async () => {
    if ((await transferredBytes(repository)) - (await before) > limit) tooMuch.abort(tooLarge(limit));
  };
  const timer = setInterval(() => void check(), CHECK_EVERY);
  return { signal: anySignal(signal, tooMuch.signal), end: () => clearInterval(timer) };
}

export function tooLarge(limit: number): SyncProblem {
  return new SyncProblem(codeSentence('repositoryTooLarge', { limit }));
}

const CHECK_EVERY = 200;

/** Every file below a commit. Rejects with SyncProblem if the list is incomplete. */
export async function listFiles(listing: Omit<TreeListing, 'isRecursive'>): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  await listTree({ ...listing, isRecursive: true }, (entry) => void files.push(fileOf(entry))).catch((error: unknown) => {
    throw error instanceof ListingEnded ? problemOf(error, listing.limit) : error;
  });
  return files;
}

export function tooManyFiles(limit: number): SyncProblem {
  return new SyncProblem(codeSentence('filesTooMany', { limit }));
}

function problemOf({ reason, message }: ListingEnded, limit: number): SyncProblem {
  if (reason === 'entries') return tooManyFiles(limit);
  return new SyncProblem(reason === 'time' ? codeSentence('foldersTooDeep') : message);
}

function fileOf({ mode, oid, size, path }: ListedEntry): SourceFile {
  const kind = mode === '160000' ? 'submodule' : mode === '120000' ? 'symlink' : 'file';
  return { path, kind, oid, ...(size !== undefined && { size }) };
}

export function mirrorFolder(mirrorDir: string, key: string): string {
  return join(mirrorDir, `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.git`);
}

async function transferredBytes(folder: string): Promise<number> {
  const packs = join(folder, 'objects', 'pack');
  let bytes = 0;
  for (const name of await readdir(packs).catch(() => [])) bytes += (await stat(join(packs, name)).catch(() => undefined))?.size ?? 0;
  return bytes;
}
