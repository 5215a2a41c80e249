import { codeSentence } from '@repoless/contract/code-sentences.ts';
import { createHash } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LIMITS } from '@repoless/contract/limits.ts';
import { sanitizeRef } from '@repoless/contract/names.ts';
import { type ListedEntry, ListingEnded, listTree, type TreeListing, readObjects } from '../git/read-objects.ts';
import { mirrorState, prepareRepository, tidyRepository, pinnedTo } from '../git/mirror.ts';
import { anySignal, gitOutput, FILE_TOO_LARGE, GitFailure, GitPrintedTooMuch, GitUnusable, requirePinning } from '../git/run-git.ts';
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
  isTransient,
  SourceMissing,
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
      const limited = limitTransfer(settings.repositoryLimit, repository, signal);
      try {
        const refspec = `+refs/heads/${branch}:refs/heads/${branch}`;
        const command = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--depth=1', at.url, refspec];
        await gitOutput({ ...call, signal: limited.signal, settings: at.settings, fileLimit: settings.repositoryLimit, command });
      } finally {
        limited.end();
      }
      await tidyRepository(repository, signal);
    }).catch((error: unknown) => {
      if (signal.aborted) throw error;
      throw isTooLarge(error) ? tooLarge(settings.repositoryLimit) : explained(error, origin, at.url);
    });
    return branch;
  }

  async function open() {
    const branch = await fetch();
    return await inMirror(call, async () => {
      const sha = (await gitOutput({ ...call, command: ['rev-parse', '--verify', `refs/heads/${branch}^{commit}`] })).trim();
      const [author, time, message] = (await gitOutput({ ...call, command: ['log', '-1', '--format=%an%x00%aI%x00%s', sha] })).split('\0');
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
      async read(files, take) {
        const byOid = new Map(files.map((file) => [file.oid, file]));
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
    const isExplained = !(error instanceof GitFailure) || isTooLarge(error) || remoteProblem(error.output, '', '') !== undefined;
    if (isExplained || call.signal.aborted) throw error;
    const state = await mirrorState(call.repository, call.signal);
    if (state === 'sound' || state === 'unknown') throw error;
    await rm(call.repository, { recursive: true, force: true });
    throw new TransientError(codeSentence('mirrorDamaged'));
  }
}

/** Whether git reached the size limit of a file that it writes. */
function isTooLarge(error: unknown): boolean {
  return error instanceof GitFailure && FILE_TOO_LARGE.test(error.output);
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

/** A repository on the code host, in the form that git needs. */
interface RemoteRepository {
  readonly url: string;
  /** git connects to the checked address. */
  readonly settings: readonly string[];
}

interface Services {
  readonly settings: Pick<CodeSettings, 'codeHost'>;
  readonly remote: CodeRemote;
}

type Named = Pick<CodeOrigin, 'owner' | 'repo'>;

/** Rejects with SyncProblem or TransientError. */
export async function reachRepository({ settings, remote }: Services, { owner, repo }: Named): Promise<RemoteRepository> {
  const url = `${settings.codeHost}/${owner}/${repo}`;
  const resolved = await remote.resolve(url);
  if ('problem' in resolved) {
    if (resolved.problem === 'internal') throw new SyncProblem(resolved.sentence);
    throw new TransientError(codeSentence('hostUnresolved', { host: new URL(url).host }));
  }
  if (resolved.isGuarded)
    await requirePinning().catch((error: unknown) => {
      throw gitProblem(error);
    });
  return { url, settings: pinnedTo(url, resolved.addresses) };
}

/** The branches on the code host, requested without a mirror: every failure is the remote side's. */
export async function listBranches(
  services: Services,
  origin: Named,
  { url, settings }: RemoteRepository,
  signal: AbortSignal,
): Promise<string[]> {
  const listed = await gitOutput({ settings, signal, command: ['ls-remote', '--heads', url] }).catch((error: unknown) => {
    throw signal.aborted ? error : explained(error, origin, url);
  });
  const branches = listed.split('\n').flatMap((line) => /\trefs\/heads\/(.+)$/.exec(line)?.[1] ?? []);
  if (branches.length > 0) return branches;
  // git takes any page for a repository without branches.
  const answer = await services.remote.get({
    url: `${url}/info/refs?service=git-upload-pack`,
    base: `${url}/`,
    headers: {},
    sizeLimit: LIMITS.branchAnswer,
  });
  const isGit = 'status' in answer && answer.headers['content-type'] === 'application/x-git-upload-pack-advertisement';
  if (isGit)
    throw new SourceMissing(
      codeSentence('repositoryEmpty.main'),
      `The repository ${origin.owner}/${origin.repo} is empty. Push a first commit to main.`,
    );
  throw new SyncProblem(codeSentence('hostWithoutGit', { host: new URL(url).host }));
}

/** The requested branch: by its own name, or by its name in addresses. Rejects with SourceMissing. */
export function branchOf(
  branches: readonly string[],
  { owner, repo }: Named,
  { ref, branch: requested }: { readonly ref: string; readonly branch: string },
): string {
  const found = [requested, ref].find((name) => branches.includes(name)) ?? branches.toSorted().find((name) => sanitizeRef(name) === ref);
  if (found !== undefined) return found;
  const more = branches.length > SHOWN ? ` and ${branches.length - SHOWN} more` : '';
  const known = `${branches.slice(0, SHOWN).join(', ')}${more}`;
  throw new SourceMissing(
    codeSentence('branchMissing'),
    `The repository ${owner}/${repo} has no branch "${requested}". Its branches: ${known}.`,
  );
}

/** The job's message for a failure of git; errors of another kind are unchanged. */
function explained(failure: unknown, { owner, repo }: Named, url: string): unknown {
  const error = gitProblem(failure);
  if (!(error instanceof GitFailure)) return error;
  const { host } = new URL(url);
  const own = error.output.replaceAll(/^remote: .*$/gm, '');
  if (/No space left on device|Disk quota exceeded|Read-only file system|Permission denied/.test(own))
    return new SyncProblem(codeSentence('mirrorFull'));
  return remoteProblem(error.output, `${owner}/${repo}`, host) ?? new TransientError(codeSentence('hostClosed.transfer', { host }));
}

const SHOWN = 5;

/** A failure that has nothing to do with the remote side, as the message of a job; other errors are unchanged. */
function gitProblem(error: unknown): unknown {
  if (error instanceof GitUnusable) return new SyncProblem(error.message, { cause: error });
  return error instanceof GitPrintedTooMuch ? new SyncProblem(codeSentence('branchesTooMany.sync'), { cause: error }) : error;
}

/**
 * What git reports about the remote side, as the message of a job: git's own output is for people at a terminal, and may contain addresses.
 * Takes git's last output, the repository as `owner/repo`, and the host. Undefined if the output says nothing certain about the remote
 * side; only then may there be another cause.
 */
function remoteProblem(output: string, repository: string, host: string): SyncProblem | TransientError | undefined {
  const status = Number(/returned error: (\d{3})/.exec(output)?.[1]);
  if (status === 401 || SIGN_IN.test(output)) return new SyncProblem(codeSentence('repositoryPrivate', { host, repository }));
  if (status === 403) return new SyncProblem(codeSentence('repositoryRefused', { host, repository }));
  if (status === 404 || /repository '.*' not found/.test(output)) return notFound(repository, host);
  if (status === 429) return new TransientError(codeSentence('rateLimited', { host }));
  if (isTransient(status)) return new TransientError(codeSentence('hostStatus.any', { host, status }));
  if (status >= 300 && status < 400) return new SyncProblem(codeSentence('repositoryMoved', { host, status, repository }));
  if (status > 0) return new SyncProblem(codeSentence('hostStatus.repository', { host, status, _repository: repository }));
  if (/could not resolve host/i.test(output)) return new TransientError(codeSentence('hostUnresolved', { host }));
  if (/timed out|too slow|timeout was reached/i.test(output)) return new TransientError(codeSentence('hostSlow.any', { host }));
  if (/failed to connect|couldn't connect|connection refused/i.test(output))
    return new TransientError(codeSentence('hostUnresponsive', { host }));
  if (/empty reply|connection (?:was )?reset|recv failure/i.test(output))
    return new TransientError(codeSentence('hostClosed.answer', { host }));
  if (/certificate|\bssl\b|\btls\b/i.test(output)) return new SyncProblem(codeSentence('hostUntrusted', { host }));
  if (/out of memory|cannot allocate memory|mmap failed|unable to create thread/i.test(output))
    return new SyncProblem(codeSentence('memoryTooSmall'));
  if (/couldn't find remote ref/i.test(output)) return new SyncProblem(codeSentence('branchMissing'));
  return undefined;
}

function notFound(repository: string, host: string): SourceMissing {
  const sentence = codeSentence('repositoryMissing', { host, repository });
  return new SourceMissing(sentence, sentence);
}

const SIGN_IN = /could not read (?:Username|Password)|Authentication failed|unable to read askpass response/;
