import { setImmediate } from 'node:timers/promises';
import { shareOf } from './rules/code-origin.ts';
import type { BranchProbe, BranchState } from './rules/ports.ts';

interface OpenQuestions {
  /** Questions for this repository that wait or are under way. */
  open: number;
  /** The newest question when the repository was last found not to answer, and what was said then. */
  silence?: { readonly upTo: number; readonly answer: BranchState };
}

/**
 * Queries repositories in turn. If a repository was found unreachable while a query waited, the query is answered with that; later queries try
 * again.
 */
export function shareSilence(look: BranchProbe, inTurn: <T>(share: string, work: () => Promise<T>) => Promise<T>): BranchProbe {
  const repositories = new Map<string, OpenQuestions>();
  let count = 0;
  return async (origin, asked) => {
    const number = (count += 1);
    const known = repositories.get(origin.key) ?? { open: 0 };
    repositories.set(origin.key, known);
    known.open += 1;
    try {
      return await inTurn(shareOf(origin, asked.org), async () => {
        if (known.silence !== undefined && number <= known.silence.upTo) {
          // All of them at once would be answered in one turn of the event loop.
          await setImmediate();
          return known.silence.answer;
        }
        const answer = await look(origin, asked);
        if (answer.state === 'unreachable') known.silence = { upTo: count, answer };
        return answer;
      });
    } finally {
      known.open -= 1;
      if (known.open === 0) repositories.delete(origin.key);
    }
  };
}
