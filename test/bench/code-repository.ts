import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startCodeHost } from '@repoless/sandbox/code-host/start-code-host.ts';
import { ORG } from './backend/site-input.ts';
import type { Workspace } from './workspace.ts';

const FILES = 500;
const FILE_BYTES = 42_000;

/** The repository of the benchmarks: 500 files, 21 MB. */
export interface PushedRepository {
  /** Pushes a commit that changes one file. Out: its path from the root of a site's host, and its new text. */
  push(branch?: string): Promise<{ readonly path: string; readonly text: string }>;
  remove(branch: string): Promise<void>;
}

/** A code host that has it. */
export interface CodeRepository extends PushedRepository {
  readonly address: string;
  stop(): Promise<void>;
}

export async function startCodeRepository(workspace: Workspace): Promise<CodeRepository> {
  const folder = await workspace.directory('code-host');
  const codeHost = await startCodeHost({ port: 0, dataDir: folder });
  return { ...(await makeCodeRepository(folder)), address: codeHost.address, stop: codeHost.stop };
}

/** Makes the repository in the data folder of a code host, which may run already. */
export async function makeCodeRepository(folder: string): Promise<PushedRepository> {
  const clone = join(folder, 'clone');
  await mkdir(join(clone, 'blocks'), { recursive: true });
  const git = (...command: string[]) => promisify(execFile)('git', command, { cwd: clone, env: ENVIRONMENT });
  const bare = join(folder, 'repositories', ORG, 'boilerplate.git');
  await mkdir(bare, { recursive: true });
  await git('init', '--quiet', '--bare', '--initial-branch=main', bare);
  await git('init', '--quiet', '--initial-branch=main', '.');
  for (let n = 0; n < FILES; n += 1) await writeFile(join(clone, 'blocks', `file-${n}.bin`), randomBytes(FILE_BYTES));
  let count = 0;
  const push = async (branch = 'main') => {
    count += 1;
    const text = `.changed { order: ${count} }\n`;
    await writeFile(join(clone, 'blocks', 'changed.css'), text);
    await git('add', '--all');
    await git('commit', '--quiet', '--message', `Change ${count}`);
    await git('push', '--quiet', bare, `main:${branch}`);
    return { path: '/blocks/changed.css', text };
  };
  await push();
  return { push, remove: async (branch) => void (await git('push', '--quiet', '--delete', bare, branch)) };
}

const PERSON = Object.fromEntries(
  ['AUTHOR', 'COMMITTER'].flatMap((who) => [
    [`GIT_${who}_NAME`, 'Bench'],
    [`GIT_${who}_EMAIL`, 'bench@example.com'],
  ]),
);
const ENVIRONMENT = { PATH: process.env['PATH'] ?? '', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', ...PERSON };
