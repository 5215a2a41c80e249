import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

export interface ChildBackend {
  readonly address: string;
  readonly child: ChildProcess;
  /** Exit code and signal, when it has ended. */
  readonly ended: Promise<{ code: number | null; signal: string | null }>;
  /** Its standard output and error so far. */
  output(): string;
}

/** Correct for the compiled copy of this file too. */
const ROOT = new URL('../..', import.meta.url).pathname.replace(/\/test\/$/, '/');

/** Builds the programs of `npm run serve` and `npm run serve:build-management`, once per process. */
export const buildBackend = onceBuilt('backend');
/** Build management as `program` of `startChildBackend`. */
export const BUILD_MANAGEMENT_PROGRAM = join(ROOT, 'backend/dist/build-management/main.js');
/** Builds the command line as it is installed, once per process. */
const compileCommandLine = onceBuilt('command-line');
export async function buildCommandLine(): Promise<void> {
  await compileCommandLine();
  await chmod(join(ROOT, 'command-line/dist/main.js'), 0o755);
}

/**
 * Starts the backend as its own process on a free port, with its data in `data`. `program`: another program or installation.
 * `account`: the account to run as, if not that of the tests. `wrote` is called with everything that it prints.
 */
export async function startChildBackend(
  data: string,
  settings: Readonly<Record<string, string>> = {},
  { program, account, wrote }: { program?: string | undefined; account?: Account | undefined; wrote?: (text: string) => void } = {},
): Promise<ChildBackend> {
  const { PATH = '', NODE_OPTIONS = '' } = process.env;
  const env = {
    PATH,
    NODE_OPTIONS,
    PORT: '0',
    DATA_DIR: data,
    LOG_LEVEL: 'info',
    FIRST_CODE_SYNC: 'no',
    OVERLOAD_DELAY: '0',
    // One process, except in tests about several.
    SITE_CHECK_INTERVAL: '0',
    ...settings,
  };
  const child = spawn(process.execPath, [program ?? join(ROOT, 'backend/dist/main.js')], {
    env,
    cwd: data,
    ...account,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let written = '';
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  );
  const address = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      written += chunk.toString('utf8');
      wrote?.(written);
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

function onceBuilt(...modules: readonly string[]): () => Promise<unknown> {
  let built: Promise<unknown> | undefined;
  return () =>
    (built ??= promisify(execFile)(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-b', ...modules], { cwd: ROOT }));
}

/** Sends a signal to a process that may have just ended by itself. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
