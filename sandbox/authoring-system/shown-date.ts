/** A date as Sling's JSON shows it: `Mon Nov 23 2026 02:42:38 GMT+0000`. The stand-in keeps dates so, in UTC. */
export function showDate(date: Date): string {
  const [day, dayOfMonth, month, year, time] = date.toUTCString().replace(',', '').split(' ');
  return `${day} ${month} ${dayOfMonth} ${year} ${time} GMT+0000`;
}

export function isShownDate(text: string): boolean {
  return /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} \d{2} \d{4} \d{2}:\d{2}:\d{2} GMT[+-]\d{4}$/.test(text);
}
