import { rm } from 'node:fs/promises';
import { sanitizeRef } from '#contract/names.ts';
import type { CodeOrigin } from '#backend/domain/code/code-origin.ts';
import type { CodeRemote } from '../code-remote.ts';
import type { CodeSettings } from '../code-settings.ts';
import { isPassing, Passing, retrying } from '../retry.ts';
import { IGNORE_FILE } from '../snapshot.ts';
import type { Snapshot, SourceFile, Surroundings } from '../snapshot.ts';
import { SyncProblem } from '../sync-problem.ts';
import { mirrorFolder, prepareMirror, tidyMirror, transferredBytes } from './mirror.ts';
import { readObjects } from './read-objects.ts';
import { askGit, GitFailure } from './run-git.ts';

export interface GitServices {
  readonly settings: CodeSettings;
  readonly remote: CodeRemote;
  /** Works of the same mirror one after the other. */
  one<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/** The newest commit of a branch on the code host: what the mirror does not have yet is fetched, and nothing else. */
export async function gitSnapshot(
  { settings, remote, one }: GitServices,
  origin: CodeOrigin,
  { ref, branch: asked }: { readonly ref: string; readonly branch: string },
  around: Surroundings,
): Promise<Snapshot> {
  const url = `${settings.codeHost}/${origin.owner}/${origin.repo}`;
  const repository = mirrorFolder(settings.mirrorDir, origin.key);
  const { signal } = around;
  const call = { repository, signal };

  async function fetch(): Promise<string> {
    const pinned = await pin(remote, url);
    await prepareMirror(repository, signal);
    const branch = branchOf(await askGit({ ...call, pinned, command: ['ls-remote', '--heads', url] }), ref, asked);
    const bounded = boundedBy(settings.repositoryLimit, repository, signal);
    try {
      const refspec = `+refs/heads/${branch}:refs/heads/${branch}`;
      const command = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--depth=1', url, refspec];
      await askGit({ ...call, signal: bounded.signal, pinned, command });
    } finally {
      bounded.end();
    }
    await tidyMirror(repository, signal);
    return branch;
  }

  async function explain(error: unknown): Promise<never> {
    if (error instanceof GitFailure && DAMAGED.test(error.said)) {
      await rm(repository, { recursive: true, force: true });
      throw new Passing('The mirror of the repository is damaged; it is made anew.');
    }
    throw explained(error, signal);
  }

  return await one(origin.key, async () => {
    const branch = await retrying(() => fetch().catch(explain), settings.retryDelay, around);
    const sha = (await askGit({ ...call, command: ['rev-parse', '--verify', `refs/heads/${branch}^{commit}`] })).toString().trim();
    const files = listed(await askGit({ ...call, command: ['ls-tree', '-r', '-l', '-z', sha] }));
    const rules = files.find(({ path, kind }) => path === IGNORE_FILE && kind === 'file');
    let ignoreRules: string | undefined;
    if (rules !== undefined)
      await readObjects(call, [rules.oid], async (_, bytes) => void (ignoreRules = Buffer.from(bytes).toString('utf8')));
    return {
      branch,
      sha,
      ignoreRules,
      files,
      async read(wanted, take) {
        const byOid = new Map(wanted.map((file) => [file.oid, file]));
        await one(origin.key, () =>
          readObjects(call, [...byOid.keys()], async (oid, bytes) => {
            const file = byOid.get(oid);
            if (file !== undefined) await take(file, bytes);
          }),
        );
      },
    };
  });
}

/** The address that is checked is the one that git connects to. */
async function pin(remote: CodeRemote, url: string): Promise<string> {
  const resolved = await remote.resolve(url);
  if ('problem' in resolved) {
    if (resolved.problem === 'internal') throw new SyncProblem(resolved.sentence);
    throw new Passing(resolved.sentence);
  }
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port === '' ? (protocol === 'https:' ? 443 : 80) : port}:${resolved.addresses.join(',')}`;
}

/** The branch that is meant: by its own name, or by the one that it has in addresses. */
function branchOf(heads: Buffer, ref: string, asked: string): string {
  const branches = heads
    .toString()
    .split('\n')
    .flatMap((line) => /\trefs\/heads\/(.+)$/.exec(line)?.[1] ?? []);
  if (branches.length === 0) throw new SyncProblem('The repository is empty. Push a first commit, then synchronise again.');
  const found = [asked, ref].find((name) => branches.includes(name)) ?? branches.toSorted().find((name) => sanitizeRef(name) === ref);
  if (found === undefined) throw new SyncProblem('branch not found');
  return found;
}

/** In: `<mode> <type> <oid> <size>\t<path>`, each ended by NUL. */
function listed(output: Buffer): SourceFile[] {
  return output
    .toString('utf8')
    .split('\0')
    .flatMap((line): SourceFile[] => {
      const [, mode = '', oid = '', size = '', path = ''] = /^(\d+) \w+ ([0-9a-f]+) +(\S+)\t([^]*)$/.exec(line) ?? [];
      if (path === '') return [];
      const kind = mode === '160000' ? 'submodule' : mode === '120000' ? 'symlink' : 'file';
      return [{ path, kind, oid, ...(/^\d+$/.test(size) && { size: Number(size) }) }];
    });
}

/** Ends a transfer that grows beyond the limit: git itself knows none. */
function boundedBy(limit: number, repository: string, signal: AbortSignal): { readonly signal: AbortSignal; end(): void } {
  const tooMuch = new AbortController();
  const before = transferredBytes(repository);
  const look = async () => {
    if ((await transferredBytes(repository)) - (await before) > limit) tooMuch.abort(tooLarge(limit));
  };
  const timer = setInterval(() => void look(), LOOK_EVERY);
  return { signal: AbortSignal.any([signal, tooMuch.signal]), end: () => clearInterval(timer) };
}

export function tooLarge(limit: number): SyncProblem {
  return new SyncProblem(
    `The repository is larger than ${limit} bytes, which is the limit here. Remove large files from the branch, or ask the operator for a higher limit.`,
  );
}

/** Git's words are for people at a terminal, and may hold addresses: what they mean is told instead. */
function explained(error: unknown, signal: AbortSignal): unknown {
  if (!(error instanceof GitFailure) || signal.aborted) return error;
  const status = Number(/returned error: (\d{3})/.exec(error.said)?.[1]);
  if (isPassing(status)) return new Passing(`The code host answered ${status}.`);
  if (status === 404 || /not found|could not read Username|Authentication failed/.test(error.said))
    return new SyncProblem('repository not found: the code host does not show it to the service. Check its name, and that it may be read.');
  if (status > 0) return new SyncProblem(`The code host answered ${status}.`);
  return new Passing('The code host does not answer, or breaks off.');
}

const DAMAGED = /not a git repository|corrupt|bad object|shallow file|unable to (?:read|parse)|is empty|missing (?:blob|tree|commit)/i;
const LOOK_EVERY = 200;
