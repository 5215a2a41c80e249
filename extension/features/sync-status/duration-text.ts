const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** A duration in its fitting unit. In: milliseconds. */
export function durationText(locale: string, duration: number): string {
  const say = (unit: 'second' | 'minute', value: number): string =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 }).format(value);
  return duration < 2 * MINUTE ? say('second', duration / SECOND) : say('minute', duration / MINUTE);
}
