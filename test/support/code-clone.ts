import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** A clone of a repository of the sandbox's code host, to push from. */
export interface CodeClone {
  readonly folder: string;
  git(...command: readonly string[]): Promise<string>;
  /** Changes files (undefined removes one), commits, and pushes. */
  push(files: Readonly<Record<string, string | Uint8Array | undefined>>, branch?: string): Promise<void>;
}

export async function cloneOf(codeHost: string, repository: string, folder: string): Promise<CodeClone> {
  const git = (...command: readonly string[]) => runGit(folder, command);
  const remote = new URL(`${codeHost}/${repository}`);
  remote.username = encodeURIComponent('ada.admin@example.com');
  remote.password = 'sandbox';
  await mkdir(folder);
  await git('clone', '--quiet', remote.href, '.');
  return {
    folder,
    git,
    async push(files, branch = 'main') {
      for (const [path, content] of Object.entries(files)) {
        const file = join(folder, path);
        if (content === undefined) await rm(file, { recursive: true, force: true });
        else {
          await mkdir(dirname(file), { recursive: true });
          await writeFile(file, content);
        }
      }
      await git('add', '--all', '--force');
      await git('commit', '--quiet', '--allow-empty', '--message', 'Change');
      await git('push', '--quiet', '--force', 'origin', `HEAD:refs/heads/${branch}`);
    },
  };
}

async function runGit(folder: string, command: readonly string[]): Promise<string> {
  const person = ['AUTHOR', 'COMMITTER'].flatMap((who) => [
    [`GIT_${who}_NAME`, 'Ada Admin'],
    [`GIT_${who}_EMAIL`, 'ada.admin@example.com'],
  ]);
  const env = { PATH: process.env['PATH'] ?? '', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', ...Object.fromEntries(person) };
  return (await promisify(execFile)('git', [...command], { cwd: folder, env })).stdout;
}
