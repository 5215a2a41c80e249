import { sameValue } from '#contract/same-value.ts';
import { at, isObject, keysOf } from '../history/json-place.ts';

/** My change of a value, made on what somebody else made of it meanwhile. Where both changed one place, mine is kept: the review shows it. */
export function mergeValue(base: unknown, mine: unknown, theirs: unknown): unknown {
  if (sameValue(base, mine)) return theirs;
  if (sameValue(base, theirs)) return mine;
  if (!isObject(mine) || !isObject(theirs)) return mine;
  const entries = keysOf(theirs, mine).map((key) => [key, mergeValue(at(base, key), at(mine, key), at(theirs, key))] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
