import { LIMITS } from '@repoless/contract/limits.ts';
import { askGit, limitedGit } from '@repoless/service/git/run-git.ts';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { startBeforeAll } from '../support/start-before-all.ts';
import { temporaryDirectory } from '../support/child-backend.ts';

const run = promisify(execFile);
const repository = startBeforeAll(temporaryDirectory);
beforeAll(async () => {
  await run('git', ['init', '--bare', '--quiet', repository.path]);
});

/** Returns a command with which git prints so many bytes. */
async function printing(bytes: number): Promise<string[]> {
  const writing = run('git', ['hash-object', '-w', '--stdin'], { cwd: repository.path });
  writing.child.stdin?.end(Buffer.alloc(bytes));
  return ['cat-file', 'blob', (await writing).stdout.trim()];
}

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
