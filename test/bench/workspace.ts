import { startCodeHost } from '@repoless/sandbox/code-host/start-code-host.ts';
import { type ChildProcess, execFile, spawn, type SpawnOptions } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ORG } from './backend/start-backend.ts';

/** What a run of the benchmarks uses on the machine: child processes and temporary directories. */
export interface Workspace {
  directory(purpose: string): Promise<string>;
  start(command: string, args: readonly string[], options?: SpawnOptions): ChildProcess;
  /** Ends one child with the signal; kills it after five seconds. */
  stop(child: ChildProcess, signal?: NodeJS.Signals): Promise<void>;
  /** Ends all children, newest first, and removes all directories. */
  dispose(): Promise<void>;
}

const TIMEOUT_MS = 5000;

/** Opens a workspace that is cleared on `dispose`, and at the latest when this process exits. */
function openWorkspace(): Workspace {
  const children = new Set<ChildProcess>();
  const directories: string[] = [];
  const removeDirectories = () => {
    for (const path of directories.splice(0)) rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  };
  process.on('exit', () => {
    for (const child of children) child.kill('SIGKILL');
    removeDirectories();
  });
  return {
    async directory(purpose) {
      const path = await mkdtemp(join(tmpdir(), `repoless-bench-${purpose}-`));
      directories.push(path);
      return path;
    },
    start(command, args, options = {}) {
      const child = spawn(command, args, options);
      children.add(child);
      child.once('exit', () => children.delete(child));
      child.once('error', () => children.delete(child));
      return child;
    },
    stop: endChild,
    async dispose() {
      await Promise.all([...children].reverse().map((child) => endChild(child, 'SIGINT')));
      removeDirectories();
    },
  };
}

async function endChild(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill(signal);
  const killTimer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
  await ended;
  clearTimeout(killTimer);
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs something in a workspace that is cleared afterwards, even after an error or Ctrl-C. */
export async function withWorkspace<T>(work: (workspace: Workspace) => Promise<T>): Promise<T> {
  const workspace = openWorkspace();
  const leave = () => void workspace.dispose().finally(() => process.exit(130));
  for (const signal of SIGNALS) process.on(signal, leave);
  try {
    return await work(workspace);
  } finally {
    await workspace.dispose();
    for (const signal of SIGNALS) process.off(signal, leave);
  }
}

const FILES = 500;
const FILE_BYTES = 42_000;

/** The repository of the benchmarks: 500 files, 21 MB. */
export interface PushedRepository {
  /** Pushes a commit that changes one file. Returns its path on a site's host, and its new text. */
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

/** Creates the repository in the data folder of a code host, which may already run. */
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
