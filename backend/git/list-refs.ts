import { startGit } from './run-git.ts';

/** A branch, a tag or another reference, by its whole name. */
export interface ListedRef {
  readonly name: string;
  readonly oid: string;
}

export interface RefListing {
  readonly repository: string;
  /** Only those whose names begin so, a folder of them: `refs/heads`. */
  readonly below?: string;
  /** A key of `git for-each-ref`; absent: by their names. */
  readonly sort?: string;
  readonly signal: AbortSignal;
}

/** Streams references while git prints them, so that none is kept unnecessarily. Rejects as `StartedGit.ended` does. */
export async function listRefs({ repository, below, sort, signal }: RefListing, take: (ref: ListedRef) => void): Promise<void> {
  const how = ['--format=%(objectname) %(refname)', ...(sort === undefined ? [] : [`--sort=${sort}`])];
  const git = await startGit({ repository, command: ['for-each-ref', ...how, ...(below === undefined ? [] : [below])], signal });
  git.stdin.end();
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of git.stdout as AsyncIterable<Buffer>) {
    const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take({ oid: line.slice(0, line.indexOf(' ')), name: line.slice(line.indexOf(' ') + 1) });
  }
  await git.ended;
}
