import { LIMITS } from '@repoless/contract/limits.ts';

/** A line of `git ls-tree -l -z`. */
export interface ListedEntry {
  readonly mode: string;
  readonly type: string;
  readonly oid: string;
  /** Bytes of a blob. */
  readonly size: number | undefined;
  readonly path: string;
}

/** Why a tree is not listed to its end. For paths the message is a sentence. */
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
      if (rest.length > LONGEST_LINE) throw new ListingEnded('paths', ONE);
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

/** A sentence where a path is too long, or all paths of a branch so far are together. In: their characters. */
export function pathsProblem(one: number, all: number): string | undefined {
  if (one > LIMITS.codePath) return ONE;
  return all > LIMITS.codePaths ? ALL : undefined;
}

/** In: `<mode> <type> <oid> <size>\t<path>`. */
function entryOf(line: string): ListedEntry | undefined {
  const [, mode = '', type = '', oid = '', size = '', path = ''] = /^(\d+) (\w+) ([0-9a-f]+) +(\S+)\t([^]+)$/.exec(line) ?? [];
  return path === '' ? undefined : { mode, type, oid, size: /^\d+$/.test(size) ? Number(size) : undefined, path };
}

/** Bytes: a path of the limit, each of whose characters has four, and what stands before it. */
const LONGEST_LINE = LIMITS.codePath * 4 + 200;
const ONE = `A path of the repository has more than ${LIMITS.codePath} characters. Shorten it.`;
const ALL = `The paths of the branch have more than ${LIMITS.codePaths} characters in total. Shorten the names of folders, or remove files.`;
