import type { CommitAbout } from '@repoless/contract/job.ts';
import { setTimeout as pause } from 'node:timers/promises';

/** One commit of a branch, ready to be read. */
export interface Snapshot {
  /** The branch as the repository names it. */
  readonly branch: string;
  readonly sha: string;
  readonly commit: CommitAbout;
  /** The text of `.hlxignore`, where there is one. */
  readonly ignoreRules: string | undefined;
  readonly files: readonly SourceFile[];
  /** Hands over the bytes of each of these files, once for each, in any order. Rejects with SyncProblem. */
  read(files: readonly SourceFile[], take: (file: SourceFile, bytes: Uint8Array) => Promise<void>): Promise<void>;
}

export interface SourceFile {
  readonly path: string;
  readonly kind: 'file' | 'symlink' | 'submodule';
  /** The name that git gives to these bytes. */
  readonly oid: string;
  /** Absent where the source does not tell. */
  readonly size?: number;
}

/** What a sync is allowed while it looks for its snapshot. */
export interface SyncContext {
  readonly signal: AbortSignal;
  /** Says what is waited for; nothing any more where it is left out. */
  waiting(sentence?: string): void;
  /** How often temporary failures are retried; 1: they are reported immediately. */
  readonly attempts?: number;
}

/** Ignore rules of the repository itself. */
export const IGNORE_FILE = '.hlxignore';

/** What a code source says of a commit, short enough to be shown in one line. */
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

/** Why a sync cannot be done: the sentence becomes the error of its job. It never holds a secret. */
export class SyncProblem extends Error {
  override readonly name: string = 'SyncProblem';
}

/** The branch, or its whole repository, is certainly not there. */
export class NothingThere extends SyncProblem {
  override readonly name = 'NothingThere';
  /** As it is said to the one who asks for a branch by its name. */
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

/** What may go better a little later. */
export class TransientError extends Error {
  override readonly name = 'Passing';
  /** Milliseconds, where the other side says how long. */
  readonly after: number | undefined;
  /** What the job says where it never goes better. */
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
      waiting(`${error.message} Trying again in ${Math.ceil(milliseconds / 1000)} s (attempt ${attempt + 1} of ${attempts}).`);
      await pause(milliseconds, undefined, { signal });
      waiting();
    }
  }
}

/** Milliseconds of a `retry-after` header; undefined where it says nothing usable. */
export function retryAfter(header: string | undefined): number | undefined {
  const seconds = Number(header);
  return header !== undefined && header.trim() !== '' && Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}

export function isTransient(status: number): boolean {
  return status === 429 || status >= 500;
}

const ATTEMPTS = 5;
const LONGEST_PAUSE = 60_000;

/** The guarded way out, as far as code sources need it. */
export interface CodeRemote {
  /** One GET, bounded in size; never rejects but for a programming error. */
  get(asked: CodeRequest): Promise<CodeAnswer>;
  /** Looks a host up and answers what it leads to, or why it must not be connected to. */
  resolve(url: string): Promise<ResolvedHost | RemoteProblem>;
}

interface ResolvedHost {
  readonly addresses: readonly string[];
  /** Whether it must be these that are connected to: others might be internal. */
  readonly isGuarded: boolean;
}

interface CodeRequest {
  readonly url: string;
  /** The address, with a final slash, that `url` must lie below: a secret in the headers is shown nowhere else. */
  readonly below: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly sizeLimit: number;
  readonly signal?: AbortSignal;
}

type CodeAnswer =
  { readonly status: number; readonly headers: Readonly<Record<string, string | undefined>>; readonly body: Uint8Array } | RemoteProblem;

export interface RemoteProblem {
  readonly problem: 'internal' | 'elsewhere' | 'timeout' | 'too-large' | 'unreachable';
  /** Names the host alone. */
  readonly sentence: string;
}

/** Bounds of the code sync, all of them settings of the service. */
export interface CodeSettings {
  /** Scheme and host of the code host. */
  readonly codeHost: string;
  /** Mirrors of repositories; every node has its own. */
  readonly mirrorDir: string;
  /** Bytes of all files of a branch, and of what is transferred for it. */
  readonly repositoryLimit: number;
  /** Bytes of one file; larger ones are left out and reported. */
  readonly fileLimit: number;
  /** Files of a branch, those included that its own rules leave out. */
  readonly fileCountLimit: number;
  /** Milliseconds before the first further attempt; each next one waits twice as long. */
  readonly retryDelay: number;
  /** Milliseconds of a sync, and of listing the files of a branch and of selecting among them, each. */
  readonly syncTime: number;
  readonly listingTime: number;
  /** Bytes of code that an organization may have; undefined: as many as it likes. */
  readonly codeBytes?: number | undefined;
}
