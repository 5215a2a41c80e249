import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { askGit } from './git.ts';

type File = Promise<Buffer | undefined>;

/** Files that are kept at most; then it begins anew. */
const KEPT = 1000;

/**
 * Files of branches, undefined where there is none. Every plan asks for the same few, and starting git costs more than all else about the
 * answer; what a commit holds never changes, so git is asked once for each file of a commit.
 */
export function keepFiles(): (repository: string, branch: string, path: string) => File {
  const kept = new Map<string, File>();
  return async (repository, branch, path) => {
    const commit = await commitOf(repository, branch);
    if (commit === undefined) return await ask(repository, `refs/heads/${branch}`, path);
    const place = `${repository} ${commit} ${path}`;
    const known = kept.get(place);
    if (known !== undefined) return await known;
    if (kept.size >= KEPT) kept.clear();
    const asked = ask(repository, commit, path);
    kept.set(place, asked);
    asked.catch(() => kept.delete(place));
    return await asked;
  };
}

function ask(repository: string, revision: string, path: string): File {
  return askGit(repository, ['cat-file', 'blob', `${revision}:${path}`]);
}

/** As git keeps it after a push; undefined where it keeps it in another way. */
async function commitOf(repository: string, branch: string): Promise<string | undefined> {
  const text = await readFile(join(repository, 'refs/heads', branch), 'utf8').catch(() => '');
  return /^[0-9a-f]{40,64}$/.exec(text.trim())?.[0];
}
