import { ListingEnded } from '../../git/list-entries.ts';
import type { ListedEntry } from '../../git/list-entries.ts';
import { listTree } from '../../git/list-tree.ts';
import type { TreeListing } from '../../git/list-tree.ts';
import type { SourceFile } from '../snapshot.ts';
import { SyncProblem } from '../sync-problem.ts';

/** Every file below a commit. Rejects with SyncProblem where they are not listed to the end. */
export async function listFiles(listing: Omit<TreeListing, 'isRecursive'>): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  await listTree({ ...listing, isRecursive: true }, (entry) => void files.push(fileOf(entry))).catch((error: unknown) => {
    throw error instanceof ListingEnded ? problemOf(error, listing.limit) : error;
  });
  return files;
}

export function tooManyFiles(limit: number): SyncProblem {
  return new SyncProblem(
    `The branch has more than ${limit} files, which is the limit here. Remove files from the branch, or ask the operator for a higher limit.`,
  );
}

function problemOf({ reason, message }: ListingEnded, limit: number): SyncProblem {
  if (reason === 'entries') return tooManyFiles(limit);
  return new SyncProblem(reason === 'time' ? TOO_SLOW : message);
}

function fileOf({ mode, oid, size, path }: ListedEntry): SourceFile {
  const kind = mode === '160000' ? 'submodule' : mode === '120000' ? 'symlink' : 'file';
  return { path, kind, oid, ...(size !== undefined && { size }) };
}

const TOO_SLOW = 'The files of the branch cannot be listed in time, because its folders are nested too deeply. Remove folders.';
