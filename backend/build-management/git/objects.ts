import { LRUCache } from 'lru-cache';
import { type ListedEntry, ListingEnded, listTree } from '../../git/list-tree.ts';
import { type FoundObject, type ObjectStream, openObjectStream } from '../../git/read-objects.ts';
import { GitFailure } from '../../git/run-git.ts';

/** Reads objects of mirrors through git processes that stay for the next reader, a pair for each of the most recently used mirrors. */
export interface Objects {
  /** The object that a name (`<commit>:<path>`, `refs/heads/main^{tree}` …) refers to. The name has no line break. */
  find(path: string, name: string): Promise<FoundObject | undefined>;
  bytes(path: string, oid: string): Promise<Uint8Array | undefined>;
  /**
   * The entries below a tree, up to the limit, and whether there are more; undefined if there is no such tree. They are streamed while git
   * prints them, so none is held unnecessarily.
   */
  tree(
    path: string,
    treeish: string,
    recursive: boolean,
    take: (entry: ListedEntry) => void,
  ): Promise<{ readonly truncated: boolean } | undefined>;
  /** Ends the processes of a mirror. */
  release(path: string): void;
  close(): void;
}

/** Takes the maximum entries of a tree, and the milliseconds that listing them may take. */
export function openObjects(entryLimit: number, listingTime: number): Objects {
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
    find: (path, name) => asked(path, ({ check }) => check.ask(name).then((answer) => answer?.found)),
    bytes: (path, oid) => asked(path, ({ contents }) => contents.ask(oid).then((answer) => answer?.bytes)),
    async tree(repository, treeish, isRecursive, take) {
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
    close() {
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
