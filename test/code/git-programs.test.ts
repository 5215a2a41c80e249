import { LIMITS } from '@repoless/contract/limits.ts';
import { askGit, limitedGit } from '@repoless/service/git/run-git.ts';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { startBeforeAll } from '../support/start-before-all.ts';
import { temporaryDirectory } from '../support/child-backend.ts';
import { openObjects } from '@repoless/service/build-management/git/objects.ts';
import { listFiles } from '@repoless/service/code/git-snapshot.ts';
import { readObjects } from '@repoless/service/git/read-objects.ts';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';

const run = promisify(execFile);
let tree: string;
let file: string;
const repository = startBeforeAll(temporaryDirectory);
beforeAll(async () => {
  // The first call also queries the version.
  await askGit({ command: ['version'], signal: new AbortController().signal });
  await write(['init', '--bare', '--quiet', repository.path]);
  tree = await write(['mktree']);
  file = await write(['hash-object', '-w', '--stdin']);
});

/** What a command of git prints for this input. */
async function write(command: readonly string[], input = Buffer.of()): Promise<string> {
  const writing = run('git', command, { cwd: repository.path });
  writing.child.stdin?.end(input);
  return (await writing).stdout.trim();
}

/** Returns a command with which git prints so many bytes. */
const printing = async (bytes: number) => ['cat-file', 'blob', await write(['hash-object', '-w', '--stdin'], Buffer.alloc(bytes))];

it('LIMITS.gitOutput of what git prints are read, and it is ended where it prints more', async () => {
  const ask = async (command: string[]) =>
    (await askGit({ repository: repository.path, command, signal: new AbortController().signal })).length;
  expect(await ask(await printing(LIMITS.gitOutput))).toBe(LIMITS.gitOutput);
  const more = await printing(LIMITS.gitOutput + 1);
  await expect(ask(more)).rejects.toThrow('git cat-file failed');
});

it('a program of git has LIMITS.gitMemory, and what wants more ends', async () => {
  // Reading an empty file only takes the memory of one block.
  const block = (bytes: number) => run(...limitedGit(['-c', `alias.block=!dd if=/dev/null of=/dev/null count=1 bs=${bytes}`, 'block']));
  await block(LIMITS.gitMemory - 64 * 1024 * 1024);
  await expect(block(LIMITS.gitMemory)).rejects.toThrow('memory exhausted');
});

/** The turn of the event loop in which each program was started. */
async function startsOf(work: () => Promise<unknown>): Promise<number[]> {
  const starts: number[] = [];
  let turn = 0;
  const next = () => {
    turn += 1;
    ticking = setImmediate(next);
  };
  let ticking = setImmediate(next);
  const note = () => void starts.push(turn);
  subscribe('child_process', note);
  try {
    await work();
  } finally {
    unsubscribe('child_process', note);
    clearImmediate(ticking);
  }
  return starts;
}

it('git is started once a turn of the event loop, for the service and for build management: in between, all others have theirs', async () => {
  const { signal } = new AbortController();
  const objects = openObjects(100, 10_000);
  const bounds = { limit: 100, time: 10_000, signal };
  const starts = await startsOf(() =>
    Promise.all([
      ...Array.from({ length: 8 }, () => askGit({ command: ['version'], signal })),
      readObjects({ repository: repository.path, signal }, [file], async () => undefined),
      listFiles({ repository: repository.path, treeish: tree, ...bounds }),
      objects.find(repository.path, tree),
      objects.tree(repository.path, tree, true, () => undefined),
    ]),
  );
  objects.close();
  // Each search runs a pair of programs.
  expect(starts).toHaveLength(13);
  expect(new Set(starts).size).toBe(starts.length);
});

it('git is not started for a caller that gives up before its turn', async () => {
  const leaving = new AbortController();
  const starts = await startsOf(async () => {
    const asked = [1, 2, 3].map(() => askGit({ command: ['version'], signal: leaving.signal }));
    leaving.abort(new Error('No longer needed.'));
    for (const one of asked) await expect(one).rejects.toThrow('No longer needed.');
  });
  expect(starts).toEqual([]);
});
