import { keepsOrder } from '@repoless/contract/json.ts';
import { hash } from 'node:crypto';

/**
 * The same value with the keys of every object in alphabetical order, so that equal values have equal bytes; where the order of keys
 * counts (`keepsOrder`), in the one that was written.
 */
export function canonical<T>(value: T): T {
  return sorted(value) as T;
}

/** Strong etag of a value, quotes included: SHA-256 of its canonical JSON. That of a document that is kept is made once. */
export function etagOf(value: unknown): string {
  if (typeof value === 'object' && value !== null && Object.isFrozen(value)) return etagOfKept(value);
  const ordered = sorted(value);
  return typeof ordered === 'object' && ordered !== null ? etagOfCanonical(ordered) : quotedHash(JSON.stringify(ordered));
}

/** The same of what `canonical` made. */
export function etagOfCanonical(document: object): string {
  return quotedHash(printed(document));
}

function quotedHash(json: string): string {
  return `"${hash('sha256', json, 'base64url')}"`;
}

/** The JSON of a document, made once: it is hashed, stored and kept as a version. */
export const printed: (document: object) => string = oncePerDocument((document) => JSON.stringify(document));

/** A function of a document that is called once for each: documents do not change. What it answered goes with the document. */
export function oncePerDocument<D extends object, T>(make: (document: D) => T): (document: D) => T {
  const made = new WeakMap<D, { readonly value: T }>();
  return (document) => {
    const known = made.get(document);
    if (known !== undefined) return known.value;
    const value = make(document);
    made.set(document, { value });
    return value;
  };
}

// Its JSON is not kept: it is as large as the document, and nobody asks for it again.
const etagOfKept = oncePerDocument((document: object) => quotedHash(JSON.stringify(sorted(document))));

/** The same document, frozen with all that it holds: it is shared from now on. What is frozen already is taken for frozen below. */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const item of Object.values(value)) frozen(item);
  return Object.freeze(value);
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
  const isKept = keepsOrder(value);
  let inOrder = true;
  let before = '';
  for (const entry of entries) {
    const [key, item] = entry;
    entry[1] = sorted(item);
    if (item === undefined || (!isKept && key < before) || !Object.is(entry[1], item)) inOrder = false;
    before = key;
  }
  if (inOrder) return value;
  const present = entries.filter(([, item]) => item !== undefined);
  return Object.fromEntries(isKept ? present : present.sort(([a], [b]) => (a < b ? -1 : 1)));
}
