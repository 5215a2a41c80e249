import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { CodeClone } from './code-world.ts';

/** Repositories written object by object, without a working copy of their files. */
export interface SharedTrees {
  /** 10^levels files of a few objects: every level holds ten times the level below. */
  pushTree(branch: string, levels: number): Promise<void>;
  /** The same without files: the lowest level is an empty folder. */
  pushEmptyTree(branch: string, levels: number): Promise<void>;
  /** So many files, 10,000 in a folder. */
  pushFiles(branch: string, count: number): Promise<void>;
  /** Files with these paths, each with the same few bytes. */
  pushPaths(branch: string, paths: readonly string[]): Promise<void>;
  /** No files, by an author whose name git itself would refuse. */
  pushAuthor(branch: string, author: string): Promise<void>;
}

export function sharedTrees(clone: CodeClone): SharedTrees {
  /** Writes an object directly into the clone. */
  async function write(type: 'blob' | 'tree' | 'commit', data: Buffer): Promise<string> {
    const child = promisify(execFile)('git', ['hash-object', '-w', '-t', type, '--literally', '--stdin'], { cwd: clone.folder });
    child.child.stdin?.end(data);
    return (await child).stdout.trim();
  }
  async function commit(branch: string, tree: string): Promise<void> {
    await push(branch, (await clone.git('commit-tree', tree, '-m', branch)).trim());
  }
  async function push(branch: string, sha: string): Promise<void> {
    await clone.git('push', '--quiet', '--force', 'origin', `${sha}:refs/heads/${branch}`);
  }
  async function pushLevels(branch: string, levels: number, lowest: Entry): Promise<void> {
    let entry = lowest;
    for (let level = 1; level <= levels; level += 1) entry = { mode: FOLDER, oid: await write('tree', treeOf(entry, 10)) };
    await commit(branch, entry.oid);
  }
  const file = () => write('blob', Buffer.from('x'));
  return {
    pushTree: async (branch, levels) => await pushLevels(branch, levels, { mode: FILE, oid: await file() }),
    pushEmptyTree: async (branch, levels) => await pushLevels(branch, levels, { mode: FOLDER, oid: await write('tree', Buffer.alloc(0)) }),
    async pushFiles(branch, count) {
      const oid = await file();
      const folders = await Promise.all(
        Array.from({ length: Math.ceil(count / IN_FOLDER) }, (_, index) =>
          write('tree', treeOf({ mode: FILE, oid }, Math.min(IN_FOLDER, count - index * IN_FOLDER))),
        ),
      );
      const root = folders.map((folder, index) => entryOf({ mode: FOLDER, oid: folder }, `d${String(index).padStart(4, '0')}`));
      await commit(branch, await write('tree', Buffer.concat(root)));
    },
    async pushPaths(branch, paths) {
      const oid = await file();
      await commit(branch, await write('tree', Buffer.concat(paths.toSorted().map((path) => entryOf({ mode: FILE, oid }, path)))));
    },
    async pushAuthor(branch, author) {
      const tree = await write('tree', Buffer.alloc(0));
      const by = 'Ada <ada@example.com> 1700000000 +0000';
      const text = `tree ${tree}\nauthor ${author}\ncommitter ${by}\n\n${branch}\n`;
      await push(branch, await write('commit', Buffer.from(text)));
    },
  };
}

interface Entry {
  readonly mode: string;
  readonly oid: string;
}

function treeOf(entry: Entry, times: number): Buffer {
  return Buffer.concat(Array.from({ length: times }, (_, index) => entryOf(entry, `n${String(index).padStart(6, '0')}`)));
}

function entryOf({ mode, oid }: Entry, name: string): Buffer {
  return Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')]);
}

const FILE = '100644';
const FOLDER = '40000';
const IN_FOLDER = 10_000;
