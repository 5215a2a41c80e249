import { codeSentence } from '@repoless/contract/code-sentences.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

/**
 * Ends with the first of several signals, like `AbortSignal.any`, and keeps them alive while someone listens: Node.js garbage-collects a
 * deadline (`AbortSignal.timeout`) that only a combined signal refers to, which then never fires.
 */
export function anySignal(...signals: readonly AbortSignal[]): AbortSignal {
  const first = AbortSignal.any([...signals]);
  sources.set(first, signals);
  return first;
}

const sources = new WeakMap<AbortSignal, readonly AbortSignal[]>();

/** Settings that keep git well below that limit for every repository that is small enough to be accepted. */
const SPARING_SETTINGS = [
  'core.packedGitWindowSize=32m',
  'core.packedGitLimit=256m',
  'core.bigFileThreshold=32m',
  'core.deltaBaseCacheLimit=64m',
  'pack.threads=2',
];

/**
 * How git is started under limits of the system. Takes its arguments, and the maximum bytes of a single file that it writes; returns
 * program and arguments. The shell counts memory in kilobytes and files in blocks of 512 bytes; if the system does not support a memory
 * limit, git runs without.
 */
export function limitedGit(command: readonly string[], fileLimit?: number): readonly [program: string, parameters: string[]] {
  const blocks = fileLimit === undefined ? 'unlimited' : String(Math.ceil(fileLimit / 512));
  // Ignores the signal that would end git silently, so that git reports the file as too large.
  const file = '[ "$2" = unlimited ] || { trap "" XFSZ; ulimit -f "$2"; } || exit 1';
  const script = `ulimit -v "$1" 2>/dev/null; ${file}; shift 2; exec git "$@"`;
  return ['sh', ['-c', script, 'sh', String(LIMITS.gitMemory / 1024), blocks, ...command]];
}

/** git's message when a file reaches the limit. */
export const FILE_TOO_LARGE = /file too large/i;

/** From the first on, only the settings of a call apply; from the second on, git connects to the given address. Older ones ignore them. */
const GIT_VERSIONS = { ownSettings: '2.32', pinnedAddress: '2.37' } as const;

let gitVersion: Promise<string> | undefined;

/**
 * Checks that git is recent enough. Its version is queried once, and again if that failed or it is too old: it may be replaced while the
 * program runs.
 */
async function requireGit(need: keyof typeof GIT_VERSIONS): Promise<void> {
  const version = (gitVersion ??= outputOf({ command: ['version'], signal: new AbortController().signal }));
  try {
    const [, found = 'unknown'] = /^git version (\S+)/.exec(await version) ?? [];
    if (isAtLeast(found, GIT_VERSIONS[need])) return;
    throw new GitUnusable(codeSentence('gitOld', { version: found, needed: GIT_VERSIONS[need] }));
  } catch (error) {
    gitVersion = undefined;
    throw error;
  }
}

function isAtLeast(found: string, needed: string): boolean {
  const numbers = (version: string) => version.split('.').map((part) => Number.parseInt(part, 10));
  const [[major = 0, minor = 0], [neededMajor = 0, neededMinor = 0]] = [numbers(found), numbers(needed)];
  return major > neededMajor || (major === neededMajor && minor >= neededMinor);
}

export interface GitCall {
  /** A bare repository; absent for calls that need none. */
  readonly repository?: string;
  readonly command: readonly string[];
  /** Ends it, and the programs that it started. */
  readonly signal: AbortSignal;
  /** Settings for this call, `name=value`. Passed in the environment, where other accounts cannot see them. */
  readonly settings?: readonly string[];
  /** Maximum bytes of a single file that git writes. */
  readonly fileLimit?: number;
  /** In addition to what every call has. */
  readonly environment?: Readonly<Record<string, string>>;
}

interface StartedGit {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Rejects with the reason of the signal, GitUnusable or GitFailure. Unhandled unless awaited. */
  readonly ended: Promise<void>;
}

/** git's output. Rejects as `StartedGit.ended` does. */
export async function gitOutput(call: GitCall): Promise<string> {
  await requireGit('ownSettings');
  return await outputOf(call);
}

/** Without anyone's settings, prompts or credential helpers, with HTTP only, without redirects or hooks. Rejects if it was not started. */
export async function startGit(call: GitCall): Promise<StartedGit> {
  await requireGit('ownSettings');
  return await start(call);
}

/** Rejects with GitUnusable if git would not connect to the given addresses (`pinnedTo`). */
export async function requirePinning(): Promise<void> {
  await requireGit('pinnedAddress');
}

async function outputOf(call: GitCall): Promise<string> {
  const ending = new AbortController();
  const git = await start({ ...call, signal: anySignal(call.signal, ending.signal) });
  git.stdin.end();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of git.stdout as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LIMITS.gitOutput) ending.abort(new GitPrintedTooMuch(call.command[0] ?? ''));
    else chunks.push(chunk);
  }
  await git.ended;
  // It may have printed everything and exited before the signal.
  ending.signal.throwIfAborted();
  return Buffer.concat(chunks).toString();
}

async function start({ repository, command, signal, settings = [], fileLimit, environment }: GitCall): Promise<StartedGit> {
  await nextStart();
  signal.throwIfAborted();
  const child = spawn(...limitedGit(command, fileLimit), {
    env: {
      PATH: process.env['PATH'] ?? '',
      ...ENVIRONMENT,
      // Never the repository that the program itself may have been started in.
      GIT_DIR: repository ?? '/dev/null',
      ...environment,
      ...settingsEnvironment([...SETTINGS, ...settings]),
    },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A separate process group, so that programs started by git end with it.
    detached: true,
  });
  let output = '';
  const kill = () => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) endGroup(child.pid);
  };
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', (error) =>
      reject('code' in error && error.code === 'ENOENT' ? new GitUnusable(codeSentence('gitMissing'), { cause: error }) : error),
    );
    child.once('close', (code) => {
      signal.removeEventListener('abort', kill);
      if (code === 0) resolve();
      // A shell reports that git was not found.
      else if (code === 127 && /git: .*not found/.test(output)) reject(new GitUnusable(codeSentence('gitMissing')));
      else reject(signal.aborted ? signal.reason : new GitFailure(command[0] ?? '', output, code));
    });
  });
  // The reader of the output gets the failure when it awaits the end.
  ended.catch(() => undefined);
  // If the system cannot start a process, there are no streams either.
  if (child.pid === undefined) await ended;
  child.stderr.on('data', (chunk: Buffer) => (output = `${output}${chunk.toString()}`.slice(-4000)));
  child.stdin.on('error', () => undefined);
  signal.addEventListener('abort', kill, { once: true });
  return { stdin: child.stdin, stdout: child.stdout, ended };
}

/** Starting a program blocks the event loop, longer the more memory the process has: one start for each turn of the loop. */
let previousRun: Promise<unknown> = Promise.resolve();
async function nextStart(): Promise<void> {
  previousRun = previousRun.then(() => setImmediate());
  await previousRun;
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

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}

const SETTINGS = [
  ...SPARING_SETTINGS,
  'protocol.allow=never',
  'protocol.http.allow=always',
  'protocol.https.allow=always',
  'credential.helper=',
  'core.hooksPath=/dev/null',
  'http.followRedirects=false',
  'http.lowSpeedLimit=1000',
  'http.lowSpeedTime=30',
  // A transfer stays one file, which limits apply to, even if it has few objects.
  'fetch.unpackLimit=1',
  'gc.auto=0',
  'maintenance.auto=false',
  'fetch.writeCommitGraph=false',
];
const ENVIRONMENT = {
  LC_ALL: 'C',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  // Empty rather than a failing program: git would report that program instead of the remote.
  GIT_ASKPASS: '',
  GIT_ALLOW_PROTOCOL: 'http:https',
};

/** Git failed. `output` is the end of its output, for matching only: it is never shown. */
export class GitFailure extends Error {
  override readonly name: string = 'GitFailure';
  readonly output: string;
  /** Its exit status; null if it was killed. */
  readonly status: number | null;

  constructor(command: string, output: string, status: number | null) {
    super(`git ${command} failed.`);
    this.output = output;
    this.status = status;
  }
}

/** It was ended because it printed more than LIMITS.gitOutput. */
export class GitPrintedTooMuch extends GitFailure {
  override readonly name = 'GitPrintedTooMuch';

  constructor(command: string) {
    super(command, '', null);
  }
}

/** git is missing, or too old. The message is a sentence. */
export class GitUnusable extends Error {
  override readonly name = 'GitUnusable';
}
