import { useLocale } from '@adobe/react-spectrum/Provider';
import { useDateFormatter } from '@adobe/react-spectrum/useDateFormatter';
import { useEffect, useState } from 'react';

/** How long ago something was, as text; the exact time as its title. */
export function Age({ time }: { readonly time: string }) {
  const now = useNow();
  const { locale } = useLocale();
  const dates = useDateFormatter({ dateStyle: 'medium', timeStyle: 'medium' });
  const { value, unit } = ageOf(time, now);
  return (
    <time dateTime={time} title={dates.format(new Date(time))}>
      {new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(value, unit)}
    </time>
  );
}

/** A time: its distance from now, and exactly. */
export function Moment({ time }: { readonly time: string }) {
  const now = useNow();
  const { locale } = useLocale();
  const dates = useDateFormatter({ dateStyle: 'medium', timeStyle: 'short' });
  const { value, unit } = distanceOf(time, now);
  return (
    <time dateTime={time}>
      {new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(value, unit)} ({dates.format(new Date(time))})
    </time>
  );
}

/** Prints a time that another system or the browser has stored: what is no time is shown unchanged. */
export function usePrintedTime(): (time: string) => string {
  const dates = useDateFormatter({ dateStyle: 'long', timeStyle: 'short' });
  return (time) => (Number.isNaN(Date.parse(time)) ? time : dates.format(new Date(time)));
}

/** Milliseconds between updates of ages. */
const STEP = 15_000;

export function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), STEP);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** An age for `Intl.RelativeTimeFormat`: a negative number of the largest unit that fits. */
interface Age {
  readonly value: number;
  readonly unit: 'second' | 'minute' | 'hour' | 'day';
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Takes a time (ISO 8601) and the current time. A time in the future, from a fast clock, counts as now. */
function ageOf(time: string, now: Date): Age {
  const seconds = Math.max(0, Math.round((now.getTime() - Date.parse(time)) / 1000));
  if (seconds < MINUTE) return { value: -seconds, unit: 'second' };
  if (seconds < HOUR) return { value: -Math.floor(seconds / MINUTE), unit: 'minute' };
  if (seconds < DAY) return { value: -Math.floor(seconds / HOUR), unit: 'hour' };
  return { value: -Math.floor(seconds / DAY), unit: 'day' };
}

/** The distance of a time from now, for `Intl.RelativeTimeFormat`: positive if it is in the future. */
function distanceOf(time: string, now: Date): Age {
  if (Date.parse(time) <= now.getTime()) return ageOf(time, now);
  const { value, unit } = ageOf(now.toISOString(), new Date(time));
  return { value: -value, unit };
}
