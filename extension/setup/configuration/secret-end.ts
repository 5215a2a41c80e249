/** When a secret ends whose last day is chosen: with that day, where the person is. In: `YYYY-MM-DD`. */
export function endOfDay(day: string): string {
  return new Date(`${day}T23:59:59`).toISOString();
}

/** Whether that day is over, or no day. */
export function isOver(day: string, now: Date): boolean {
  const end = Date.parse(`${day}T23:59:59`);
  return Number.isNaN(end) || end <= now.getTime();
}
