/** When a secret expires whose last day is chosen: at the end of that day, in the person's time zone. Takes `YYYY-MM-DD`. */
export function endOfDay(day: string): string {
  return new Date(`${day}T23:59:59`).toISOString();
}

/** Whether that day is over, or no day. */
export function isOver(day: string, now: Date): boolean {
  const end = Date.parse(`${day}T23:59:59`);
  return Number.isNaN(end) || end <= now.getTime();
}
