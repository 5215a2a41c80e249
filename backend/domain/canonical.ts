import { hash } from 'node:crypto';

/** The same value with the keys of every object in order, so that equal values have equal bytes. */
export function canonical<T>(value: T): T {
  return sorted(value) as T;
}

/** Strong etag of a value, quotes included: SHA-256 of its canonical JSON. */
export function etagOf(value: unknown): string {
  return `"${hash('sha256', JSON.stringify(sorted(value)), 'base64url')}"`;
}

/** Whether two values of JSON say the same: the order of keys is no difference, nor is a key without a value. */
export function sameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = presentKeys(one);
  return keys.length === presentKeys(other).length && keys.every((key) => sameValue(Reflect.get(one, key), Reflect.get(other, key)));
}

function presentKeys(value: object): string[] {
  return Object.keys(value).filter((key) => Reflect.get(value, key) !== undefined);
}

/**
 * `canonical` may promise its argument's type: only the order of keys changes, and absent values are left out. What is in
 * order already, as everything stored is, is given back as it is: every write asks several times.
 */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items: unknown[] = value.map(sorted);
    return items.every((item, index) => Object.is(item, value[index])) ? value : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  let inOrder = true;
  let before = '';
  for (const entry of entries) {
    const [key, item] = entry;
    entry[1] = sorted(item);
    if (item === undefined || key < before || !Object.is(entry[1], item)) inOrder = false;
    before = key;
  }
  if (inOrder) return value;
  return Object.fromEntries(entries.filter(([, item]) => item !== undefined).sort(([a], [b]) => (a < b ? -1 : 1)));
}
