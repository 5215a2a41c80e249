import { watchTurns } from './turns.mjs';

/**
 * The longest time, in milliseconds of a quiet machine, that this process worked without giving others their turn, while `work`
 * went on. The programs under test run in this process, so it is what every other caller would have waited.
 */
export async function longestStandstill(work: () => Promise<unknown>): Promise<number> {
  const turns = watchTurns();
  try {
    await work();
    await new Promise((resolve) => setTimeout(resolve, 10));
    return turns.longest();
  } finally {
    turns.stop();
  }
}
