import type { ChildProcess } from 'node:child_process';
import { askGit, GitFailure, startGit } from './run-git.ts';
import { readObjectStream } from './object-stream.ts';
import type { ObjectStream } from './object-stream.ts';

export interface FoundObject {
  readonly oid: string;
  readonly type: string;
  readonly size: number;
}

export interface TreeEntry {
  readonly path: string;
  readonly mode: string;
  readonly type: string;
  readonly oid: string;
  readonly size: number | undefined;
}

/** Reads objects of mirrors by processes of git that stay for the next reader, a pair for each of the mirrors used last. */
export interface Objects {
  /** What a name (`<commit>:<path>`, `refs/heads/main^{tree}` …) stands for. The name holds no line break. */
  find(path: string, name: string): Promise<FoundObject | undefined>;
  bytes(path: string, oid: string): Promise<Uint8Array | undefined>;
  /** Every entry below a tree; undefined where there is no such tree. */
  tree(path: string, treeish: string, recursive: boolean): Promise<TreeEntry[] | undefined>;
  /** Ends the processes of a mirror. */
  release(path: string): void;
  close(): void;
}

export function openObjects(): Objects {
  const readers = new Map<string, Reader>();
  const readerOf = (path: string): Reader => {
    const known = readers.get(path);
    const reader = known ?? startReader(path);
    readers.delete(path);
    readers.set(path, reader);
    const [oldest] = readers.keys();
    if (readers.size > MOST_READERS && oldest !== undefined) release(oldest);
    return reader;
  };
  const release = (path: string) => {
    readers.get(path)?.end();
    readers.delete(path);
  };
  const asked = async <T>(path: string, ask: (reader: Reader) => Promise<T>): Promise<T> => {
    const reader = readerOf(path);
    try {
      return await ask(reader);
    } catch {
      // The process had ended, or was ended to make room: a new one answers.
      if (readers.get(path) === reader) release(path);
      return await ask(readerOf(path));
    }
  };
  return {
    find: (path, name) => asked(path, ({ check }) => check.ask(name).then((answer) => answer?.found)),
    bytes: (path, oid) => asked(path, ({ contents }) => contents.ask(oid).then((answer) => answer?.bytes)),
    async tree(path, treeish, recursive) {
      const command = ['ls-tree', '-z', '-l', ...(recursive ? ['-r'] : []), '--full-tree', treeish];
      try {
        return entriesOf(await askGit({ repository: path, command }));
      } catch (error) {
        if (error instanceof GitFailure) return undefined;
        throw error;
      }
    },
    release,
    close() {
      for (const path of readers.keys()) release(path);
    },
  };
}

interface Reader {
  readonly check: ObjectStream;
  readonly contents: ObjectStream;
  end(): void;
}

function startReader(repository: string): Reader {
  const children: ChildProcess[] = [];
  const start = (option: string, withBytes: boolean) => {
    const child = startGit({ repository, command: ['cat-file', option] });
    child.stderr.resume();
    children.push(child);
    return readObjectStream(child, withBytes);
  };
  const reader = { check: start('--batch-check', false), contents: start('--batch', true) };
  return { ...reader, end: () => children.forEach((child) => child.kill()) };
}

function entriesOf(listed: string): TreeEntry[] {
  return listed.split('\0').flatMap((line) => {
    const [, mode, type, oid, size, path] = /^(\d+) (\w+) ([0-9a-f]+) +(\d+|-)\t(.+)$/s.exec(line) ?? [];
    if (mode === undefined || type === undefined || oid === undefined || path === undefined) return [];
    return [{ path, mode, type, oid, size: size === undefined || size === '-' ? undefined : Number(size) }];
  });
}

const MOST_READERS = 16;
