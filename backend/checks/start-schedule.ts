import type { CheckRounds } from './check-rounds.ts';

/** Looks now and then for what is due; a look that takes longer is not begun twice. Out: ends it. */
export function startSchedule(rounds: Pick<CheckRounds, 'checkDue'>, failed: (error: unknown) => void): () => void {
  let isLooking = false;
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    void rounds
      .checkDue()
      .catch(failed)
      .finally(() => (isLooking = false));
  }, LOOK_EVERY);
  timer.unref();
  return () => clearInterval(timer);
}

const LOOK_EVERY = 30_000;
