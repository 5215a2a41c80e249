import { isReordered, sameValue } from '@repoless/contract/json.ts';
import { at, isObject, keysOf } from '../history/json-place.ts';

/** Applies my change of a value to someone else's change of it. If both changed one place, mine wins: the review shows it. */
export function mergeValue(base: unknown, mine: unknown, theirs: unknown): unknown {
  if (sameValue(base, mine)) return theirs;
  if (sameValue(base, theirs)) return mine;
  if (!isObject(mine) || !isObject(theirs)) return mine;
  const keys = isReordered(base, mine) ? keysOf(mine, theirs) : keysOf(theirs, mine);
  const entries = keys.map((key) => [key, mergeValue(at(base, key), at(mine, key), at(theirs, key))] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** Whether both changed the same place differently, so that mine replaces theirs. */
export function overlaps(base: unknown, mine: unknown, theirs: unknown): boolean {
  if (sameValue(base, mine) || sameValue(base, theirs) || sameValue(mine, theirs)) return false;
  if (!isObject(mine) || !isObject(theirs)) return true;
  if (isReordered(base, mine) && isReordered(base, theirs)) return true;
  return keysOf(theirs, mine).some((key) => overlaps(at(base, key), at(mine, key), at(theirs, key)));
}
