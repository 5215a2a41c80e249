import { LIMITS } from '@repoless/contract/limits.ts';
import { sanitizeRef } from '@repoless/contract/names.ts';
import type { CodeOrigin } from '../rules/code-origin.ts';
import { GitFailure } from '../../git/git-failure.ts';
import { pinnedTo } from '../../git/pinned-to.ts';
import { askGit, requirePinning } from '../../git/run-git.ts';
import type { CodeRemote } from '../code-remote.ts';
import type { CodeSettings } from '../code-settings.ts';
import { TransientError } from '../retry.ts';
import { NothingThere, SyncProblem } from '../sync-problem.ts';
import { gitProblem } from './git-problem.ts';
import { remoteProblem } from './remote-problem.ts';

/** A repository on the code host, as git is told of it. */
export interface RemoteRepository {
  readonly url: string;
  /** The address that is checked is the one that git connects to. */
  readonly settings: readonly string[];
}

interface Services {
  readonly settings: Pick<CodeSettings, 'codeHost'>;
  readonly remote: CodeRemote;
}

type Named = Pick<CodeOrigin, 'owner' | 'repo'>;

/** Rejects with SyncProblem or Passing. */
export async function reachRepository({ settings, remote }: Services, { owner, repo }: Named): Promise<RemoteRepository> {
  const url = `${settings.codeHost}/${owner}/${repo}`;
  const resolved = await remote.resolve(url);
  if ('problem' in resolved) {
    if (resolved.problem === 'internal') throw new SyncProblem(resolved.sentence);
    throw new TransientError(`The host name ${new URL(url).host} cannot be resolved.`);
  }
  if (resolved.isGuarded)
    await requirePinning().catch((error: unknown) => {
      throw gitProblem(error);
    });
  return { url, settings: pinnedTo(url, resolved.addresses) };
}

/**
 * The branches that the code host has now, asked without a mirror: whatever fails here is the other side's. Rejects with
 * SyncProblem or Passing, also where the repository has no branch at all.
 */
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
  // Git takes any page for a repository without branches.
  const answer = await services.remote.get({
    url: `${url}/info/refs?service=git-upload-pack`,
    below: `${url}/`,
    headers: {},
    sizeLimit: LIMITS.branchAnswer,
  });
  const isGit = 'status' in answer && answer.headers['content-type'] === 'application/x-git-upload-pack-advertisement';
  if (isGit) throw new NothingThere(EMPTY, `The repository ${origin.owner}/${origin.repo} is empty. Push a first commit to main.`);
  throw new SyncProblem(`${new URL(url).host} answers, but not as a git repository. Check the address of the code host.`);
}

/** The branch that is meant: by its own name, or by the one that it has in addresses. Rejects with NothingThere. */
export function branchOf(
  branches: readonly string[],
  { owner, repo }: Named,
  { ref, branch: asked }: { readonly ref: string; readonly branch: string },
): string {
  const found = [asked, ref].find((name) => branches.includes(name)) ?? branches.toSorted().find((name) => sanitizeRef(name) === ref);
  if (found !== undefined) return found;
  const more = branches.length > SHOWN ? ` and ${branches.length - SHOWN} more` : '';
  const known = `${branches.slice(0, SHOWN).join(', ')}${more}`;
  throw new NothingThere('branch not found', `The repository ${owner}/${repo} has no branch "${asked}". Its branches: ${known}.`);
}

/** The job's sentence for a failure of git; errors of another kind stay what they are. */
export function told(failure: unknown, { owner, repo }: Named, url: string): unknown {
  const error = gitProblem(failure);
  if (!(error instanceof GitFailure)) return error;
  const { host } = new URL(url);
  const own = error.said.replaceAll(/^remote: .*$/gm, '');
  if (/No space left on device|Disk quota exceeded|Read-only file system|Permission denied/.test(own)) return new SyncProblem(NO_STORAGE);
  return remoteProblem(error.said, `${owner}/${repo}`, host) ?? new TransientError(`${host} interrupted the transfer.`);
}

const EMPTY = 'The repository is empty. Push a first commit to main, then synchronise again.';
const NO_STORAGE = 'The service cannot store its own copy of the repository: its disk is full or not writable. Tell its operator.';
const SHOWN = 5;
