import { createHash } from 'node:crypto';
import type { SealedValue } from '@repoless/contract/sealed-value.ts';
import type { CodeRemote } from '../code-remote.ts';
import type { CodeSettings } from '../code-settings.ts';
import { BranchMovedError } from '../branch-moved-error.ts';
import { TransientError, retrying } from '../retry.ts';
import { IGNORE_FILE } from '../snapshot.ts';
import type { Snapshot, SourceFile, SyncContext } from '../snapshot.ts';
import { pathsProblem } from '../../git/list-entries.ts';
import { IGNORE_FILE_LIMIT } from '../select-files.ts';
import { tooManyFiles } from '../git/list-files.ts';
import { SyncProblem } from '../sync-problem.ts';
import { byogitCalls } from './byogit-calls.ts';
import type { ByogitOrigin } from './byogit-calls.ts';
import type { TreeEntry } from './tree-answer.ts';

/**
 * The newest commit of a branch of an external repository. `.hlxignore` is read first: a failure of that call is what tells
 * of a wrong secret.
 */
export async function byogitSnapshot(
  services: { readonly settings: CodeSettings; readonly remote: CodeRemote },
  origin: ByogitOrigin,
  branch: string,
  secret: SealedValue | undefined,
  around: SyncContext,
): Promise<Snapshot> {
  const calls = byogitCalls(services, origin, secret, around);
  const rules = await calls.raw(branch, IGNORE_FILE, 'hlxignore', IGNORE_FILE_LIMIT);
  const sha = await calls.commit(branch);
  const files: SourceFile[] = [];
  await calls.tree(sha, takeFiles(files, services.settings.fileCountLimit));
  if (files.length === 0) throw new SyncProblem('The repository is empty. Push a first commit, then synchronise again.');

  async function read(file: SourceFile): Promise<Uint8Array> {
    const bytes = await calls.raw(branch, file.path, file.path);
    if (bytes !== undefined && isNamed(bytes, file.oid)) return bytes;
    // Files are read by branch: after a push they are no longer those of the list.
    if ((await calls.commit(branch)) !== sha) throw new BranchMovedError(MOVED);
    throw new TransientError(`${file.path} does not match the list of files.`, {
      last: `Unable to fetch ${file.path}: it does not match the list of files.`,
    });
  }

  return {
    branch,
    sha,
    ignoreRules: rules === undefined ? undefined : new TextDecoder().decode(rules),
    files,
    async read(wanted, take) {
      const waiting = [...new Map(wanted.map((file) => [file.oid, file])).values()].values();
      const failed = new AbortController();
      const worker = async () => {
        for (const file of waiting) {
          around.signal.throwIfAborted();
          if (failed.signal.aborted) return;
          await take(file, await retrying(() => read(file), services.settings.retryDelay, around));
        }
      };
      const guarded = () => worker().catch((error: unknown) => (failed.abort(), Promise.reject(error)));
      const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, guarded));
      for (const one of ended) if (one.status === 'rejected') throw one.reason;
    },
  };
}

/** Counts files and the characters of their paths before they are kept. Throws SyncProblem. */
function takeFiles(files: SourceFile[], limit: number): (entry: TreeEntry) => void {
  let characters = 0;
  return ({ path, mode, type, sha, size }) => {
    if (type === 'tree') return;
    const kind = type === 'commit' || mode === '160000' ? 'submodule' : mode === '120000' ? 'symlink' : 'file';
    characters += path.length;
    const problem = pathsProblem(path.length, characters);
    if (problem !== undefined) throw new SyncProblem(problem);
    files.push({ path: path.replace(/^\//, ''), kind, oid: sha.toLowerCase(), ...(size !== undefined && { size }) });
    if (files.length > limit) throw tooManyFiles(limit);
  };
}

/** Whether git gives this name to these bytes. A name of another kind cannot be checked. */
function isNamed(bytes: Uint8Array, oid: string): boolean {
  const algorithm = oid.length === 40 ? 'sha1' : oid.length === 64 ? 'sha256' : undefined;
  if (algorithm === undefined) return true;
  return createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest('hex') === oid;
}

const AT_ONCE = 8;
const MOVED = 'The branch changed faster than it could be read. Synchronise again when nobody is pushing.';
