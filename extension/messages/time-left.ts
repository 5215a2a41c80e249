/** In: a language, whole minutes. Out: `5 minutes`; from two hours on in whole hours, such as `23 hours`. */
export function timeLeft(locale: string, minutes: string | undefined): string {
  const count = Number(minutes);
  const [value, unit] = count < 120 ? [count, 'minute'] : [Math.floor(count / 60), 'hour'];
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}
