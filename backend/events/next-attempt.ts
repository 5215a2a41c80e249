const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Between two attempts; about a day in all. */
const PAUSES = [5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 8 * HOUR, 8 * HOUR];

/** When a message is tried again that failed so many times; undefined where it is given up. */
export function nextAttempt(attempts: number, now: Date): Date | undefined {
  const pause = PAUSES[attempts - 1];
  return pause === undefined ? undefined : new Date(now.getTime() + pause);
}
