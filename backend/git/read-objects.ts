import { codeSentence } from '@repoless/contract/code-sentences.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { once } from 'node:events';
import { anySignal, startGit, type GitCall, GitFailure } from './run-git.ts';

export interface TreeListing {
  readonly repository: string;
  readonly treeish: string;
  /** Whether folders are listed by their contents. */
  readonly isRecursive: boolean;
  readonly limit: number;
  /** Maximum milliseconds. */
  readonly time: number;
  readonly signal: AbortSignal;
}

/**
 * Streams the entries of a tree while git prints them. Rejects with ListingEnded above `limit` entries, if paths are too long, or if git
 * takes too long (trees of empty trees can be listed forever); with GitFailure if there is no such tree.
 */
export async function listTree(listing: TreeListing, take: (entry: ListedEntry) => void): Promise<void> {
  const { repository, treeish, isRecursive, limit, time } = listing;
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(new ListingEnded('time')), time);
  const command = ['ls-tree', '-z', '-l', ...(isRecursive ? ['-r'] : []), '--full-tree', treeish];
  try {
    const git = await startGit({ repository, command, signal: anySignal(listing.signal, stop.signal) });
    git.stdin.end();
    let count = 0;
    for await (const entry of listEntries(git.stdout)) {
      count += 1;
      if (count > limit) throw new ListingEnded('entries');
      take(entry);
    }
    await git.ended;
  } finally {
    clearTimeout(timer);
    // Git must not continue without a reader.
    stop.abort();
  }
}

/** A line of `git ls-tree -l -z`. */
export interface ListedEntry {
  readonly mode: string;
  readonly type: string;
  readonly oid: string;
  /** Bytes of a blob. */
  readonly size: number | undefined;
  readonly path: string;
}

/** Why a tree is not listed completely. The message is meant for people only if the reason is `paths`. */
export class ListingEnded extends Error {
  override readonly name = 'ListingEnded';
  readonly reason: 'entries' | 'paths' | 'time';

  constructor(reason: ListingEnded['reason'], sentence = `The listing was ended: ${reason}.`) {
    super(sentence);
    this.reason = reason;
  }
}

/**
 * The entries of a tree, streamed as git prints them, so that readers can stop at a limit: a few hundred bytes of a repository can stand
 * for billions of files. Takes the output of `git ls-tree -l -z`. Rejects with ListingEnded.
 */
export async function* listEntries(output: AsyncIterable<Buffer>): AsyncGenerator<ListedEntry> {
  let rest: Buffer = Buffer.alloc(0);
  let characters = 0;
  for await (const chunk of output) {
    const end = chunk.lastIndexOf(0);
    if (end < 0) {
      rest = Buffer.concat([rest, chunk]);
      if (rest.length > LONGEST_LINE) throw new ListingEnded('paths', codeSentence('pathTooLong', { limit: LIMITS.codePath }));
      continue;
    }
    const lines = Buffer.concat([rest, chunk.subarray(0, end)]).toString('utf8');
    rest = Buffer.from(chunk.subarray(end + 1));
    for (const line of lines.split('\0')) {
      const entry = entryOf(line);
      if (entry === undefined) continue;
      characters += entry.path.length;
      const problem = pathsProblem(entry.path.length, characters);
      if (problem !== undefined) throw new ListingEnded('paths', problem);
      yield entry;
    }
  }
}

/** The problem, as a sentence, if a path is too long, or all paths of a branch so far together. Takes their characters. */
export function pathsProblem(one: number, all: number): string | undefined {
  if (one > LIMITS.codePath) return codeSentence('pathTooLong', { limit: LIMITS.codePath });
  return all > LIMITS.codePaths ? codeSentence('pathsTooLong', { limit: LIMITS.codePaths }) : undefined;
}

/** Takes `<mode> <type> <oid> <size>\t<path>`. */
function entryOf(line: string): ListedEntry | undefined {
  const [, mode = '', type = '', oid = '', size = '', path = ''] = /^(\d+) (\w+) ([0-9a-f]+) +(\S+)\t([^]+)$/.exec(line) ?? [];
  return path === '' ? undefined : { mode, type, oid, size: /^\d+$/.test(size) ? Number(size) : undefined, path };
}

/** Bytes: four for each character of the longest path, and the fields before it. */
const LONGEST_LINE = LIMITS.codePath * 4 + 200;

interface RefListing {
  readonly repository: string;
  /** Only those below this folder of names: `refs/heads`. */
  readonly below: string;
  /** A key of `git for-each-ref`. */
  readonly sort: string;
  readonly signal: AbortSignal;
}

/** Streams references while git prints them, so that memory does not grow with their number. Rejects as `StartedGit.ended` does. */
export async function listRefs({ repository, below, sort, signal }: RefListing, take: (name: string) => void): Promise<void> {
  const git = await startGit({ repository, command: ['for-each-ref', '--format=%(refname)', `--sort=${sort}`, below], signal });
  git.stdin.end();
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of git.stdout as AsyncIterable<Buffer>) {
    const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  }
  await git.ended;
}

/** Reads files with one git process, in the order of their names. Rejects with GitFailure if one cannot be read. */
export async function readObjects(
  call: Pick<GitCall, 'repository' | 'signal'>,
  oids: readonly string[],
  take: (oid: string, bytes: Uint8Array) => Promise<void>,
): Promise<void> {
  const ending = new AbortController();
  const signal = anySignal(call.signal, ending.signal);
  const git = await startGit({ ...call, signal, command: ['cat-file', '--batch'] });
  const write = async () => {
    for (const oid of oids) if (!git.stdin.write(`${oid}\n`)) await once(git.stdin, 'drain', { signal });
    git.stdin.end();
  };
  // Writing ends early if git does; its exit status says why.
  const written = write().catch(() => undefined);
  const answers = readAnswers(git.stdout, true);
  try {
    for (const oid of oids) {
      const { done, value } = await answers.next();
      if (done === true) await git.ended;
      if (value?.found.oid !== oid || value.found.type !== 'blob') throw new GitFailure('cat-file', `missing blob ${oid}`, 0);
      await take(oid, value.bytes);
    }
    await Promise.all([written, git.ended]);
  } finally {
    // If the reader stopped or an object is missing, nothing reads the rest and git would block.
    ending.abort();
  }
}

export interface FoundObject {
  readonly oid: string;
  readonly type: string;
  readonly size: number;
}

interface ObjectAnswer {
  readonly found: FoundObject;
  /** Empty if only the object's header is printed. */
  readonly bytes: Uint8Array;
}

/**
 * The answers of `git cat-file --batch` (`withBytes`) or `--batch-check`, in the order of the requests: undefined if there is no such
 * object. Reads nothing before it is requested. Ends when git does, even within an answer.
 */
async function* readAnswers(output: AsyncIterable<Buffer>, withBytes: boolean): AsyncGenerator<ObjectAnswer | undefined> {
  const pieces = piecesOf(output);
  for (;;) {
    const line = await pieces.line();
    if (line === undefined) return;
    const [, oid, type, size] = /^([0-9a-f]{40,64}) (\w+) (\d+)$/.exec(line) ?? [];
    if (oid === undefined || type === undefined || size === undefined) yield undefined;
    else {
      const found = { oid, type, size: Number(size) };
      const bytes = withBytes ? await pieces.bytes(found.size) : new Uint8Array();
      // Followed by a line break.
      if (bytes === undefined || (withBytes && (await pieces.bytes(1)) === undefined)) return;
      yield { found, bytes };
    }
  }
}

/** Both read on until they have enough, and return undefined if the output ends before. */
function piecesOf(output: AsyncIterable<Buffer>) {
  const iterator = output[Symbol.asyncIterator]();
  let chunks: Buffer[] = [];
  let length = 0;
  const more = async (): Promise<boolean> => {
    const next = await iterator.next();
    if (next.done === true) return false;
    chunks.push(next.value);
    length += next.value.length;
    return true;
  };
  const joined = () => {
    const all = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
    chunks = [all];
    return all;
  };
  const drop = (all: Buffer, size: number) => {
    chunks = [all.subarray(size)];
    length = all.length - size;
  };
  return {
    async line(): Promise<string | undefined> {
      for (;;) {
        const all = joined();
        const end = all.indexOf(10);
        if (end >= 0) {
          drop(all, end + 1);
          return all.subarray(0, end).toString('latin1');
        }
        if (!(await more())) return undefined;
      }
    },
    async bytes(size: number): Promise<Uint8Array | undefined> {
      while (length < size) if (!(await more())) return undefined;
      const all = joined();
      drop(all, size);
      // A copy: the chunk may hold much more than this object.
      return Buffer.from(all.subarray(0, size));
    },
  };
}

/** A git process that answers requests for objects of a repository until it is ended. */
export interface ObjectStream {
  /** Undefined if there is no such object. Rejects if git has ended. */
  query(name: string): Promise<ObjectAnswer | undefined>;
  end(): void;
}

/** Takes whether to return the content of objects, or only their headers. */
export function openObjectStream(repository: string, withBytes: boolean): ObjectStream {
  const waiting: { resolve(answer: ObjectAnswer | undefined): void; reject(error: Error): void }[] = [];
  const ending = new AbortController();
  let ended: Error | undefined;
  const command = ['cat-file', withBytes ? '--batch' : '--batch-check'];
  const starting = startGit({ repository, command, signal: ending.signal });

  async function answer(): Promise<void> {
    const git = await starting;
    for await (const one of readAnswers(git.stdout, withBytes)) waiting.shift()?.resolve(one);
    await git.ended;
  }
  function fail(cause?: unknown): void {
    ended = new Error('The git program ended while objects were read.', { cause });
    for (const one of waiting.splice(0)) one.reject(ended);
  }
  answer().then(() => fail(), fail);

  return {
    query: (name) =>
      new Promise((resolve, reject) => {
        if (ended !== undefined) return reject(ended);
        waiting.push({ resolve, reject });
        // In the order of the requests; if git was not started, they have been answered.
        starting.then(
          ({ stdin }) => stdin.write(`${name}\n`),
          () => undefined,
        );
      }),
    end: () => ending.abort(),
  };
}
