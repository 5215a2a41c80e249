import { codeSentence } from '@repoless/contract/code-sentences.ts';
import type { CommitAbout } from '@repoless/contract/job.ts';
import { setTimeout as pause } from 'node:timers/promises';

/** One commit of a branch, ready to be read. */
export interface Snapshot {
  readonly branch: string;
  readonly sha: string;
  readonly commit: CommitAbout;
  readonly ignoreRules: string | undefined;
  readonly files: readonly SourceFile[];
  /** Passes on the bytes of each of these files, once each, in any order. Rejects with SyncProblem. */
  read(files: readonly SourceFile[], take: (file: SourceFile, bytes: Uint8Array) => Promise<void>): Promise<void>;
}

export interface SourceFile {
  readonly path: string;
  readonly kind: 'file' | 'symlink' | 'submodule';
  /** git's hash of these bytes. */
  readonly oid: string;
  /** Absent if the source does not return it. */
  readonly size?: number;
}

/** Limits of a sync while it opens its snapshot. */
export interface SyncContext {
  readonly signal: AbortSignal;
  /** Reports what it waits for; without an argument, that it no longer waits. */
  waiting(sentence?: string): void;
  /** How often temporary failures are retried; 1: they are reported immediately. */
  readonly attempts?: number;
}

export const IGNORE_FILE = '.hlxignore';

/** A code source's description of a commit, short enough for one line. */
export function commitAbout({ author, message, time }: CommitAbout): CommitAbout {
  const shown = (text: string | undefined, length: number) =>
    text
      ?.split('\n')[0]
      ?.replaceAll(/\p{Cc}/gu, '')
      .trim()
      .slice(0, length);
  const about = { author: shown(author, 100), message: shown(message, 200), time: shown(time, 40) };
  return Object.fromEntries(Object.entries(about).filter(([, text]) => text !== undefined && text !== ''));
}

/** Why a sync failed: the message becomes the error of its job. It never contains a secret. */
export class SyncProblem extends Error {
  override readonly name: string = 'SyncProblem';
}

/** The branch, or its entire repository, certainly does not exist. */
export class SourceMissing extends SyncProblem {
  override readonly name = 'SourceMissing';
  /** The message for a caller who requests a branch by name. */
  readonly answer: string;

  constructor(sentence: string, answer: string) {
    super(sentence);
    this.answer = answer;
  }
}

/** The branch moved while it was read, so the sync starts again. The message becomes its error if that keeps happening. */
export class BranchMovedError extends Error {
  override readonly name = 'BeginAgain';
}

export class TransientError extends Error {
  override readonly name = 'TransientError';
  /** Milliseconds, if the remote side says how long. */
  readonly after: number | undefined;
  /** The job's message if it persists. */
  readonly last: string;

  constructor(sentence: string, { after, last = sentence, cause }: { after?: number | undefined; last?: string; cause?: unknown } = {}) {
    super(sentence, { cause });
    this.after = after;
    this.last = last;
  }
}

/** Retries temporary failures a limited number of times, with growing, jittered pauses; reports what it waits for. */
export async function retrying<T>(
  work: () => Promise<T>,
  delay: number,
  { signal, waiting, attempts = ATTEMPTS }: SyncContext,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof TransientError)) throw error;
      if (attempt >= attempts) throw attempts === 1 ? error : new SyncProblem(error.last, { cause: error });
      const grown = delay * 2 ** (attempt - 1);
      const milliseconds = Math.min(error.after ?? grown * (0.5 + Math.random()), LONGEST_PAUSE);
      waiting(codeSentence('waiting', { problem: error.message, seconds: Math.ceil(milliseconds / 1000), attempt: attempt + 1, attempts }));
      await pause(milliseconds, undefined, { signal });
      waiting();
    }
  }
}

/** Milliseconds of a `retry-after` header; undefined if it is unusable. */
export function retryAfter(header: string | undefined): number | undefined {
  const seconds = Number(header);
  return header !== undefined && header.trim() !== '' && Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}

export function isTransient(status: number): boolean {
  return status === 429 || status >= 500;
}

const ATTEMPTS = 5;
const LONGEST_PAUSE = 60_000;

/** The guarded HTTP client, as needed by code sources. */
export interface CodeRemote {
  /** One GET, limited in size; rejects only for a programming error. */
  get(request: CodeRequest): Promise<CodeAnswer>;
  /** Resolves a host, or returns why it must not be connected to. `isGuarded`: connections must use exactly these addresses. */
  resolve(url: string): Promise<{ readonly addresses: readonly string[]; readonly isGuarded: boolean } | RemoteProblem>;
}

interface CodeRequest {
  readonly url: string;
  /** The address, with a trailing slash, that `url` must start with: a secret in the headers is sent nowhere else. */
  readonly base: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly sizeLimit: number;
  readonly signal?: AbortSignal;
}

type CodeAnswer =
  { readonly status: number; readonly headers: Readonly<Record<string, string | undefined>>; readonly body: Uint8Array } | RemoteProblem;

export interface RemoteProblem {
  readonly problem: 'internal' | 'elsewhere' | 'timeout' | 'too-large' | 'unreachable';
  /** Names the host only. */
  readonly sentence: string;
}

export interface CodeSettings {
  /** Scheme and host of the code host. */
  readonly codeHost: string;
  /** Mirrors of repositories; every node has its own. */
  readonly mirrorDir: string;
  /** Bytes of all files of a branch, and of its transfer. */
  readonly repositoryLimit: number;
  /** Bytes of one file; larger ones are left out and reported. */
  readonly fileLimit: number;
  /** Files of a branch, including those that its own rules exclude. */
  readonly fileCountLimit: number;
  /** Milliseconds before the first further attempt; each next one waits twice as long. */
  readonly retryDelay: number;
  /** Milliseconds of a sync, and of listing and of selecting the files of a branch, each. */
  readonly syncTime: number;
  readonly listingTime: number;
  /** Bytes of code that an organization may have; undefined: unlimited. */
  readonly codeBytes?: number | undefined;
}
