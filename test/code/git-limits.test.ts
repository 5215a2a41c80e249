import { LIMITS } from '@repoless/contract/limits.ts';
import { askGit, limitedGit } from '@repoless/service/git/run-git.ts';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const run = promisify(execFile);
let repository: string;
beforeAll(async () => {
  repository = await mkdtemp(join(tmpdir(), 'repoless-git-limits-'));
  await run('git', ['init', '--bare', '--quiet', repository]);
});
afterAll(() => rm(repository, { recursive: true, force: true }));

/** Returns a command with which git prints so many bytes. */
async function printing(bytes: number): Promise<string[]> {
  const writing = run('git', ['hash-object', '-w', '--stdin'], { cwd: repository });
  writing.child.stdin?.end(Buffer.alloc(bytes));
  return ['cat-file', 'blob', (await writing).stdout.trim()];
}

it('LIMITS.gitOutput of what git prints are read, and it is ended where it prints more', async () => {
  const ask = async (command: string[]) => (await askGit({ repository, command, signal: new AbortController().signal })).length;
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
