import { codeSentence } from '@repoless/contract/code-sentences.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { anySignal, startGit } from './run-git.ts';

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
 * Streams the entries of a tree while git prints them. Rejects with ListingEnded above `limit` entries, if paths are too long, or if git takes too
 * long (trees of empty trees can be listed forever); with GitFailure if there is no such tree.
 */
export async function listTree(listing: TreeListing, take: (entry: ListedEntry) => void): Promise<void> {
  const { repository, treeish, isRecursive, limit, time } = listing;
  const ending = new AbortController();
  const late = setTimeout(() => ending.abort(new ListingEnded('time')), time);
  const command = ['ls-tree', '-z', '-l', ...(isRecursive ? ['-r'] : []), '--full-tree', treeish];
  try {
    const git = await startGit({ repository, command, signal: anySignal(listing.signal, ending.signal) });
    git.stdin.end();
    let count = 0;
    for await (const entry of listEntries(git.stdout)) {
      count += 1;
      if (count > limit) throw new ListingEnded('entries');
      take(entry);
    }
    await git.ended;
  } finally {
    clearTimeout(late);
    // Whatever the reason, git must not keep running without a reader.
    ending.abort();
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

/** Why a tree is not listed completely. For paths the message is a sentence. */
export class ListingEnded extends Error {
  override readonly name = 'ListingEnded';
  readonly reason: 'entries' | 'paths' | 'time';

  constructor(reason: ListingEnded['reason'], sentence = `The listing was ended: ${reason}.`) {
    super(sentence);
    this.reason = reason;
  }
}

/**
 * The entries of a tree, streamed as git prints them, so that readers can count before they keep any: a few hundred bytes of a repository can
 * stand for billions of files. Takes the output of `git ls-tree -l -z`. Rejects with ListingEnded.
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

/** Bytes: the longest path with four for each character, and what precedes it. */
const LONGEST_LINE = LIMITS.codePath * 4 + 200;

interface RefListing {
  readonly repository: string;
  /** Only those below this folder of names: `refs/heads`. */
  readonly below: string;
  /** A key of `git for-each-ref`. */
  readonly sort: string;
  readonly signal: AbortSignal;
}

/** Streams references while git prints them, so that none is kept unnecessarily. Rejects as `StartedGit.ended` does. */
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
