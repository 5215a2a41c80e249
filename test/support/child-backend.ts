import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface ChildBackend {
  readonly address: string;
  readonly child: ChildProcess;
  /** Exit code and signal, once it ended. */
  readonly ended: Promise<{ code: number | null; signal: string | null }>;
  /** What it wrote to standard output and error so far. */
  output(): string;
}

const ROOT = new URL('../..', import.meta.url).pathname;

/** Builds what `npm run serve` runs; quick where nothing changed. */
export async function buildBackend(): Promise<void> {
  await promisify(execFile)(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-b', 'backend'], { cwd: ROOT });
}

/** The backend as a program of its own, on a free port; `data` is where it keeps its data. */
export async function startChildBackend(data: string, settings: Readonly<Record<string, string>> = {}): Promise<ChildBackend> {
  const { PATH = '', NODE_OPTIONS = '' } = process.env;
  const env = { PATH, NODE_OPTIONS, PORT: '0', DATA_DIR: data, LOG_LEVEL: 'info', FIRST_CODE_SYNC: 'no', ...settings };
  const child = spawn(process.execPath, [join(ROOT, 'dist/backend/main.js')], { env, cwd: data, stdio: ['ignore', 'pipe', 'pipe'] });
  let written = '';
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  );
  const address = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      written += chunk.toString('utf8');
      const [, found] = /answers at (\S+)/.exec(written) ?? [];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void ended.then(() => reject(new Error(written)));
  });
  return { address, child, ended, output: () => written };
}

export async function temporaryDirectory(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'repoless-test-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
