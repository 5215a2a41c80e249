import { LRUCache } from 'lru-cache';
import { type ListedEntry, ListingEnded, listTree } from '../../git/list-tree.ts';
import { type ObjectStream, openObjectStream } from '../../git/read-objects.ts';
import { GitFailure } from '../../git/run-git.ts';

export type Objects = ReturnType<typeof openObjects>;

/**
 * Reads objects of mirrors through git processes that stay for the next reader, a pair for each of the most recently used mirrors. Takes the
 * maximum entries of a tree, and the milliseconds that listing them may take.
 */
export function openObjects(entryLimit: number, listingTime: number) {
  const readers = new LRUCache<string, Reader>({ max: MOST_READERS, dispose: endReader });
  const closing = new AbortController();
  const readerOf = (path: string): Reader => {
    const reader = readers.get(path) ?? startReader(path);
    readers.set(path, reader);
    return reader;
  };
  const release = (path: string) => void readers.delete(path);
  const asked = async <T>(path: string, ask: (reader: Reader) => Promise<T>): Promise<T> => {
    const reader = readerOf(path);
    try {
      return await ask(reader);
    } catch {
      // The process had ended, or was ended in favor of another: a new one answers.
      if (readers.get(path) === reader) release(path);
      return await ask(readerOf(path));
    }
  };
  return {
    /** The object that a name (`<commit>:<path>`, `refs/heads/main^{tree}` …) refers to. The name has no line break. */
    find: (path: string, name: string) => asked(path, ({ check }) => check.ask(name).then((answer) => answer?.found)),
    bytes: (path: string, oid: string) => asked(path, ({ contents }) => contents.ask(oid).then((answer) => answer?.bytes)),
    /** Streams the entries below a tree, up to the limit; undefined if there is no such tree. */
    async tree(repository: string, treeish: string, isRecursive: boolean, take: (entry: ListedEntry) => void) {
      const bounds = { limit: entryLimit, time: listingTime, signal: closing.signal };
      try {
        await listTree({ repository, treeish, isRecursive, ...bounds }, take);
        return { truncated: false };
      } catch (error) {
        if (error instanceof ListingEnded) return { truncated: true };
        if (error instanceof GitFailure) return undefined;
        throw error;
      }
    },
    release,
    close(): void {
      closing.abort(new Error('Build management is stopping.'));
      readers.clear();
    },
  };
}

interface Reader {
  readonly check: ObjectStream;
  readonly contents: ObjectStream;
}

function startReader(repository: string): Reader {
  return { check: openObjectStream(repository, false), contents: openObjectStream(repository, true) };
}

function endReader({ check, contents }: Reader): void {
  check.end();
  contents.end();
}

const MOST_READERS = 16;
