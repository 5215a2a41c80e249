import { createHash } from 'node:crypto';

/** The same value with the keys of every object in order, so that equal values have equal bytes. */
export function canonical<T>(value: T): T {
  return sorted(value) as T;
}

/** Strong etag of a value, quotes included: SHA-256 of its canonical JSON. */
export function etagOf(value: unknown): string {
  return `"${createHash('sha256')
    .update(JSON.stringify(sorted(value)))
    .digest('base64url')}"`;
}

export function sameValue(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

// `canonical` may promise its argument's type: only the order of keys changes, and absent values are left out.
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => [key, sorted(item)]));
}
