/** An age for `Intl.RelativeTimeFormat`: a negative number of the largest unit that fits. */
export interface Age {
  readonly value: number;
  readonly unit: 'second' | 'minute' | 'hour' | 'day';
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Takes a time (ISO 8601) and the current time. A time in the future, from a fast clock, counts as now. */
export function ageOf(time: string, now: Date): Age {
  const seconds = Math.max(0, Math.round((now.getTime() - Date.parse(time)) / 1000));
  if (seconds < MINUTE) return { value: -seconds, unit: 'second' };
  if (seconds < HOUR) return { value: -Math.floor(seconds / MINUTE), unit: 'minute' };
  if (seconds < DAY) return { value: -Math.floor(seconds / HOUR), unit: 'hour' };
  return { value: -Math.floor(seconds / DAY), unit: 'day' };
}

/** The distance of a time from now, for `Intl.RelativeTimeFormat`: positive if it is in the future. */
export function distanceOf(time: string, now: Date): Age {
  if (Date.parse(time) <= now.getTime()) return ageOf(time, now);
  const { value, unit } = ageOf(now.toISOString(), new Date(time));
  return { value: -value, unit };
}
