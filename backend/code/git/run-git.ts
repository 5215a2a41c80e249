import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { SyncProblem } from '../sync-problem.ts';

export interface GitCall {
  readonly repository: string;
  readonly command: readonly string[];
  readonly signal: AbortSignal;
  /** `host:port:address`: where git connects to, whatever a resolver says by then. */
  readonly pinned?: string;
}

/** Git failed. `said` is its last words, for reading alone: they are never told. */
export class GitFailure extends Error {
  override readonly name = 'GitFailure';
  readonly said: string;

  constructor(command: string, said: string) {
    super(`git ${command} failed.`);
    this.said = said;
  }
}

/** What git prints. Rejects with GitFailure, or with SyncProblem where there is no git. */
export async function askGit(call: GitCall): Promise<Buffer> {
  const git = startGit(call);
  git.child.stdin.end();
  const chunks: Buffer[] = [];
  for await (const chunk of git.child.stdout) chunks.push(chunk as Buffer);
  await git.ended;
  return Buffer.concat(chunks);
}

export interface StartedGit {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Rejects with GitFailure. */
  readonly ended: Promise<void>;
}

/** No settings of anybody's, no prompt, no helper that knows passwords, no protocol but HTTP, no redirect. */
export function startGit({ repository, command, signal, pinned }: GitCall): StartedGit {
  const settings = [...SETTINGS, ...(pinned === undefined ? [] : [`http.curloptResolve=${pinned}`])].flatMap((one) => ['-c', one]);
  const child = spawn('git', [...settings, ...command], {
    env: { PATH: process.env['PATH'] ?? '', ...ENVIRONMENT, GIT_DIR: repository },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own, so that the programs that git starts end with it.
    detached: true,
  });
  const kill = () => {
    if (child.pid !== undefined && child.exitCode === null) end(child.pid);
  };
  signal.addEventListener('abort', kill, { once: true });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-4000)));
  child.stdin.on('error', () => undefined);
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', (error) =>
      reject(new SyncProblem('The git program is missing on the server. Its operator must install git.', { cause: error })),
    );
    child.once('close', (code) => {
      signal.removeEventListener('abort', kill);
      if (code === 0) resolve();
      else reject(signal.aborted ? signal.reason : new GitFailure(command[0] ?? '', said));
    });
  });
  // Who reads the output first learns of the failure when it asks how it ended.
  ended.catch(() => undefined);
  if (signal.aborted) kill();
  return { child, ended };
}

function end(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}

const SETTINGS = [
  'protocol.allow=never',
  'protocol.http.allow=always',
  'protocol.https.allow=always',
  'credential.helper=',
  'core.hooksPath=/dev/null',
  'http.followRedirects=false',
  'http.lowSpeedLimit=1000',
  'http.lowSpeedTime=30',
  'gc.auto=0',
  'maintenance.auto=false',
  'fetch.writeCommitGraph=false',
];
const ENVIRONMENT = {
  LC_ALL: 'C',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '/bin/false',
  GIT_ALLOW_PROTOCOL: 'http:https',
};
