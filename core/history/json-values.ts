import { isReordered, sameValue } from '@repoless/contract/json.ts';

/** The value at a path of keys; undefined if there is none. */
export function at(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>((found, key) => (isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined), value);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value in readable form; undefined stays undefined. */
export function printed(value: unknown): string | undefined {
  return value === undefined || typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * JSON to read and copy, indented by two spaces. Characters that change the direction of the text after them are escaped:
 * the meaning is the same, and nothing is displayed out of place.
 */
export function printJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replaceAll(
    /[\u202A-\u202E\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16)}`,
  );
}

/** The entries of a list as strings. Anything else becomes an empty list. */
export function entriesOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map((entry) => printed(entry) ?? '') : [];
}

/** The keys of all objects, in the order of the objects. */
export function keysOf(...values: readonly unknown[]): readonly string[] {
  return [...new Set(values.flatMap((value) => (isObject(value) ? Object.keys(value) : [])))];
}

export function without(value: unknown, ...keys: readonly string[]): unknown {
  return isObject(value) ? Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key))) : value;
}

export function pointerTo(...keys: readonly string[]): string {
  return keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Applies my change of a value to someone else's change of it. If both changed the same value, mine wins: the review shows it. */
export function mergeValue(base: unknown, mine: unknown, theirs: unknown): unknown {
  if (sameValue(base, mine)) return theirs;
  if (sameValue(base, theirs)) return mine;
  if (!isObject(mine) || !isObject(theirs)) return mine;
  const keys = isReordered(base, mine) ? keysOf(mine, theirs) : keysOf(theirs, mine);
  const entries = keys.map((key) => [key, mergeValue(at(base, key), at(mine, key), at(theirs, key))] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** Whether both changed the same value differently, so that mine replaces theirs. */
export function overlaps(base: unknown, mine: unknown, theirs: unknown): boolean {
  if (sameValue(base, mine) || sameValue(base, theirs) || sameValue(mine, theirs)) return false;
  if (!isObject(mine) || !isObject(theirs)) return true;
  if (isReordered(base, mine) && isReordered(base, theirs)) return true;
  return keysOf(theirs, mine).some((key) => overlaps(at(base, key), at(mine, key), at(theirs, key)));
}
