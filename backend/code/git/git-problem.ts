import { GitUnusable, GitPrintedTooMuch } from '../../git/git-failure.ts';
import { SyncProblem } from '../sync-problem.ts';

/** What git does nowhere, as the sentence of a job; other errors stay what they are. */
export function gitProblem(error: unknown): unknown {
  if (error instanceof GitUnusable) return new SyncProblem(error.message, { cause: error });
  return error instanceof GitPrintedTooMuch ? new SyncProblem(TOO_MUCH, { cause: error }) : error;
}

const TOO_MUCH = 'The repository has too many branches to be listed. Remove branches.';
