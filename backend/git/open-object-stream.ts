import { readAnswers } from './read-answers.ts';
import type { ObjectAnswer } from './read-answers.ts';
import { startGit } from './run-git.ts';

/** A process of git that answers questions for objects of a repository until it is ended. */
export interface ObjectStream {
  /** Undefined where there is no such object. Rejects where git ended. */
  ask(name: string): Promise<ObjectAnswer | undefined>;
  end(): void;
}

interface Waiting {
  resolve(answer: ObjectAnswer | undefined): void;
  reject(error: Error): void;
}

/** In: whether it hands over what objects hold, or only what they are. */
export function openObjectStream(repository: string, withBytes: boolean): ObjectStream {
  const waiting: Waiting[] = [];
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
    ask: (name) =>
      new Promise((resolve, reject) => {
        if (ended !== undefined) return reject(ended);
        waiting.push({ resolve, reject });
        // In the order of the questions; where git was not started, they have been answered.
        starting.then(
          ({ stdin }) => stdin.write(`${name}\n`),
          () => undefined,
        );
      }),
    end: () => ending.abort(),
  };
}
