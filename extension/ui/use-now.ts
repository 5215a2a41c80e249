import { useEffect, useState } from 'react';

/** Milliseconds after which an age may read differently. */
const STEP = 15_000;

/** The current time, refreshed at intervals. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), STEP);
    return () => clearInterval(timer);
  }, []);
  return now;
}
