import { spawn } from 'node:child_process';
import type { ChildProcessByStdio, SpawnOptionsWithStdioTuple, StdioPipe } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';

export interface GitCall {
  /** A bare repository; undefined for calls that need none. */
  readonly repository?: string;
  readonly command: readonly string[];
  /** Settings for this call alone, `name=value`. Passed by the environment: nobody else sees them. */
  readonly settings?: readonly string[];
  readonly signal?: AbortSignal;
  /** Bytes that a single file may have that git writes. */
  readonly fileLimit?: number;
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

/** What git prints. Rejects with GitFailure, the signal's reason, or a sentence where there is no git. */
export async function askGit(call: GitCall): Promise<string> {
  const child = startGit(call);
  const closed = once(child, 'close');
  const chunks: Buffer[] = [];
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-4000)));
  child.stdin.end();
  const kill = () => end(child.pid);
  call.signal?.addEventListener('abort', kill, { once: true });
  if (call.signal?.aborted === true) kill();
  try {
    const [code] = (await closed) as [number | null];
    if (code === 0) return Buffer.concat(chunks).toString();
    throw call.signal?.aborted === true ? call.signal.reason : new GitFailure(call.command[0] ?? '', said);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw new Error('The git program is missing on the server. Its operator must install git.', { cause: error });
    throw error;
  } finally {
    call.signal?.removeEventListener('abort', kill);
  }
}

/** No settings of anybody's, no prompt, no helper that knows passwords, no protocol but HTTP, no redirect, no hook. */
export function startGit({ repository, command, settings = [], fileLimit }: GitCall): ChildProcessByStdio<Writable, Readable, Readable> {
  const env = {
    PATH: process.env['PATH'] ?? '',
    ...ENVIRONMENT,
    ...(repository !== undefined && { GIT_DIR: repository }),
    ...settingsEnvironment([...SETTINGS, ...settings]),
  };
  const options: SpawnOptionsWithStdioTuple<StdioPipe, StdioPipe, StdioPipe> = { env, stdio: ['pipe', 'pipe', 'pipe'], detached: true };
  if (fileLimit === undefined) return spawn('git', command, options);
  // The shell counts in blocks of 512 bytes; what git writes beyond them ends it.
  const blocks = String(Math.ceil(fileLimit / 512));
  return spawn('sh', ['-c', 'ulimit -f "$1" && shift && exec git "$@"', 'sh', blocks, ...command], options);
}

function settingsEnvironment(settings: readonly string[]): Record<string, string> {
  const environment: Record<string, string> = { GIT_CONFIG_COUNT: String(settings.length) };
  for (const [index, setting] of settings.entries()) {
    const sign = setting.indexOf('=');
    environment[`GIT_CONFIG_KEY_${index}`] = setting.slice(0, sign);
    environment[`GIT_CONFIG_VALUE_${index}`] = setting.slice(sign + 1);
  }
  return environment;
}

/** With the programs that it started: they are a group of their own. */
function end(pid: number | undefined): void {
  if (pid === undefined) return;
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
