import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Everything that a run of the benchmarks leaves on the machine while it lasts: child processes and temporary directories. */
export interface Workspace {
  directory(purpose: string): Promise<string>;
  start(command: string, args: readonly string[], options?: SpawnOptions): ChildProcess;
  /** Ends one child: asks with the signal, insists after five seconds. */
  stop(child: ChildProcess, signal?: NodeJS.Signals): Promise<void>;
  /** Ends all children, newest first, and removes all directories. */
  dispose(): Promise<void>;
}

const PATIENCE_MS = 5000;

/** Opens a workspace that is cleared on `dispose`, and at the latest when this process exits. */
export function openWorkspace(): Workspace {
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
  const insist = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  await ended;
  clearTimeout(insist);
}
