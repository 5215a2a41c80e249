import { useLocale } from '@adobe/react-spectrum/Provider';
import { useDateFormatter } from '@adobe/react-spectrum/useDateFormatter';
import { ageOf, distanceOf } from '@repoless/core/sync/age.ts';
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
