import type { CheckRounds } from './check-rounds.ts';

/** Runs what is due at intervals; runs do not overlap. Returns a function that stops it. */
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
