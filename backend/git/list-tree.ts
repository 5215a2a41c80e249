import { anySignal } from './any-signal.ts';
import { ListingEnded, listEntries } from './list-entries.ts';
import type { ListedEntry } from './list-entries.ts';
import { startGit } from './run-git.ts';

export interface TreeListing {
  readonly repository: string;
  readonly treeish: string;
  /** Whether folders are listed as what they hold. */
  readonly isRecursive: boolean;
  /** Entries at most. */
  readonly limit: number;
  /** Milliseconds at most. */
  readonly time: number;
  readonly signal: AbortSignal;
}

/**
 * Hands the entries of a tree over while git prints them, so that nobody keeps what they do not need. Rejects with ListingEnded
 * above `limit` entries, where paths are too long, or where git takes too long (trees that hold nothing but trees are listed
 * for ever); with GitFailure where there is no such tree.
 */
export async function listTree(listing: TreeListing, take: (entry: ListedEntry) => void): Promise<void> {
  const { repository, treeish, isRecursive, limit, time } = listing;
  const ending = new AbortController();
  const late = setTimeout(() => ending.abort(new ListingEnded('time')), time);
  const command = ['ls-tree', '-z', '-l', ...(isRecursive ? ['-r'] : []), '--full-tree', treeish];
  try {
    const git = await startGit({ repository, command, signal: anySignal(listing.signal, ending.signal) });
    git.stdin.end();
    let count = 0;
    for await (const entry of listEntries(git.stdout)) {
      count += 1;
      if (count > limit) throw new ListingEnded('entries');
      take(entry);
    }
    await git.ended;
  } finally {
    clearTimeout(late);
    // Whatever the reason: git does not go on for nobody.
    ending.abort();
  }
}
