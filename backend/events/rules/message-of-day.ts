/**
 * When a message may go out that is sent now: one that gathers the events of a day not before the morning after (docs/contract.md 9.4), since what
 * happens later that day goes with it. The id of such a message ends with its day.
 */
export function dueTime(message: string, now: Date): Date {
  const day = /_(\d{4}-\d{2}-\d{2})$/.exec(message)?.[1];
  const morning = day === undefined ? Number.NaN : Date.parse(`${day}T06:00:00.000Z`) + DAY;
  return morning > now.getTime() ? new Date(morning) : now;
}

const DAY = 24 * 60 * 60_000;
