import { once } from 'node:events';
import { anySignal } from './any-signal.ts';
import { GitFailure } from './git-failure.ts';
import { readAnswers } from './read-answers.ts';
import { startGit } from './run-git.ts';
import type { GitCall } from './run-git.ts';

/**
 * The bytes of files by one process of git. In: names of objects; they are handed over in this order. Rejects with GitFailure
 * where one cannot be read.
 */
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
  // Writing ends early where git does; how it ended says why.
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
    // If the reader gave up or an object is missing, nobody reads on and git would block.
    ending.abort();
  }
}
