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
 * Streams the entries of a tree while git prints them. Rejects with ListingEnded above `limit` entries, if paths are too long, or if git takes too
 * long (trees of empty trees can be listed forever); with GitFailure if there is no such tree.
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
    // Whatever the reason, git must not keep running without a reader.
    ending.abort();
  }
}
