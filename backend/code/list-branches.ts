import { codeSentence } from '@repoless/contract/code-sentences.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { sanitizeRef } from '@repoless/contract/names.ts';
import { pinnedTo } from '../git/mirror.ts';
import { askGit, GitFailure, GitPrintedTooMuch, GitUnusable, requirePinning } from '../git/run-git.ts';
import { type CodeRemote, type CodeSettings, isTransient, NothingThere, SyncProblem, TransientError } from './snapshot.ts';
import type { CodeOrigin } from './rules/ports.ts';

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
  const listed = await askGit({ settings, signal, command: ['ls-remote', '--heads', url] }).catch((error: unknown) => {
    throw signal.aborted ? error : told(error, origin, url);
  });
  const branches = listed.split('\n').flatMap((line) => /\trefs\/heads\/(.+)$/.exec(line)?.[1] ?? []);
  if (branches.length > 0) return branches;
  // git takes any page for a repository without branches.
  const answer = await services.remote.get({
    url: `${url}/info/refs?service=git-upload-pack`,
    below: `${url}/`,
    headers: {},
    sizeLimit: LIMITS.branchAnswer,
  });
  const isGit = 'status' in answer && answer.headers['content-type'] === 'application/x-git-upload-pack-advertisement';
  if (isGit)
    throw new NothingThere(
      codeSentence('repositoryEmpty.main'),
      `The repository ${origin.owner}/${origin.repo} is empty. Push a first commit to main.`,
    );
  throw new SyncProblem(codeSentence('hostWithoutGit', { host: new URL(url).host }));
}

/** The requested branch: by its own name, or by its name in addresses. Rejects with NothingThere. */
export function branchOf(
  branches: readonly string[],
  { owner, repo }: Named,
  { ref, branch: asked }: { readonly ref: string; readonly branch: string },
): string {
  const found = [asked, ref].find((name) => branches.includes(name)) ?? branches.toSorted().find((name) => sanitizeRef(name) === ref);
  if (found !== undefined) return found;
  const more = branches.length > SHOWN ? ` and ${branches.length - SHOWN} more` : '';
  const known = `${branches.slice(0, SHOWN).join(', ')}${more}`;
  throw new NothingThere(
    codeSentence('branchMissing'),
    `The repository ${owner}/${repo} has no branch "${asked}". Its branches: ${known}.`,
  );
}

/** The job's message for a failure of git; errors of another kind are unchanged. */
export function told(failure: unknown, { owner, repo }: Named, url: string): unknown {
  const error = gitProblem(failure);
  if (!(error instanceof GitFailure)) return error;
  const { host } = new URL(url);
  const own = error.said.replaceAll(/^remote: .*$/gm, '');
  if (/No space left on device|Disk quota exceeded|Read-only file system|Permission denied/.test(own))
    return new SyncProblem(codeSentence('mirrorFull'));
  return remoteProblem(error.said, `${owner}/${repo}`, host) ?? new TransientError(codeSentence('hostClosed.transfer', { host }));
}

const SHOWN = 5;

/** A failure that has nothing to do with the remote side, as the message of a job; other errors are unchanged. */
export function gitProblem(error: unknown): unknown {
  if (error instanceof GitUnusable) return new SyncProblem(error.message, { cause: error });
  return error instanceof GitPrintedTooMuch ? new SyncProblem(codeSentence('branchesTooMany.sync'), { cause: error }) : error;
}

/**
 * What git reports about the remote side, as the message of a job: git's own output is for people at a terminal, and may contain addresses.
 * Takes git's last output, the repository as `owner/repo`, and the host. Undefined if the output says nothing certain about the remote
 * side; only then may there be another cause.
 */
export function remoteProblem(said: string, repository: string, host: string): SyncProblem | TransientError | undefined {
  const status = Number(/returned error: (\d{3})/.exec(said)?.[1]);
  if (status === 401 || SIGN_IN.test(said)) return new SyncProblem(codeSentence('repositoryPrivate', { host, repository }));
  if (status === 403) return new SyncProblem(codeSentence('repositoryRefused', { host, repository }));
  if (status === 404 || /repository '.*' not found/.test(said)) return notFound(repository, host);
  if (status === 429) return new TransientError(codeSentence('rateLimited', { host }));
  if (isTransient(status)) return new TransientError(codeSentence('hostStatus.any', { host, status }));
  if (status >= 300 && status < 400) return new SyncProblem(codeSentence('repositoryMoved', { host, status, repository }));
  if (status > 0) return new SyncProblem(codeSentence('hostStatus.repository', { host, status, _repository: repository }));
  if (/could not resolve host/i.test(said)) return new TransientError(codeSentence('hostUnresolved', { host }));
  if (/timed out|too slow|timeout was reached/i.test(said)) return new TransientError(codeSentence('hostSlow.any', { host }));
  if (/failed to connect|couldn't connect|connection refused/i.test(said)) return new TransientError(codeSentence('hostSilent', { host }));
  if (/empty reply|connection (?:was )?reset|recv failure/i.test(said))
    return new TransientError(codeSentence('hostClosed.answer', { host }));
  if (/certificate|\bssl\b|\btls\b/i.test(said)) return new SyncProblem(codeSentence('hostUntrusted', { host }));
  if (/out of memory|cannot allocate memory|mmap failed|unable to create thread/i.test(said))
    return new SyncProblem(codeSentence('memoryTooSmall'));
  if (/couldn't find remote ref/i.test(said)) return new SyncProblem(codeSentence('branchMissing'));
  return undefined;
}

function notFound(repository: string, host: string): NothingThere {
  const sentence = codeSentence('repositoryMissing', { host, repository });
  return new NothingThere(sentence, sentence);
}

const SIGN_IN = /could not read (?:Username|Password)|Authentication failed|unable to read askpass response/;
