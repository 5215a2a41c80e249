import { sameValue } from '@repoless/contract/same-value.ts';
import type { Area, Change } from './change.ts';
import { below } from './describe-parts.ts';
import type { Pair } from './describe-parts.ts';
import { isObject, keysOf, pointerTo, printed } from './json-place.ts';

/** Where an object that is empty or not there, or a list, says something: all of an author's own settings that others depend on. */
const LOOKED_AT: ReadonlyMap<string, Area> = new Map([
  ['access', 'access'],
  ['groups', 'access'],
  ['public', 'mappings'],
  ['headers', 'other'],
  ['folders', 'other'],
  ['robots', 'other'],
  ['cdn', 'other'],
  ['sidekick', 'other'],
  ['metadata', 'other'],
  ['extends', 'other'],
]);

/**
 * Differences that no other change describes, e.g. a list that didn't exist and is empty now: a role with an empty list has no members; without a
 * list, those of the profile apply. Takes both states, and the changes already described.
 */
export function undescribedChanges(pair: Pair, told: readonly Change[]): Change[] {
  const pointers = told.map(({ pointer }) => `${pointer}/`);
  const isTold = (pointer: string) => pointers.some((one) => one.startsWith(`${pointer}/`) || `${pointer}/`.startsWith(one));
  return [...LOOKED_AT].flatMap(([part, area]) => leaves([part], below(pair, part), isTold).map((change) => ({ ...change, area })));
}

function leaves(keys: readonly string[], pair: Pair, isTold: (pointer: string) => boolean): Extract<Change, { kind: 'other' }>[] {
  const { before, after } = pair;
  if (sameValue(before, after)) return [];
  const pointer = pointerTo(...keys);
  const names = keysOf(before, after);
  const areObjects = [before, after].every((value) => value === undefined || isObject(value));
  if (areObjects && names.length > 0) return names.flatMap((name) => leaves([...keys, name], below(pair, name), isTold));
  if (isTold(pointer)) return [];
  const [from, to] = [printed(before), printed(after)];
  return [{ kind: 'other', area: 'other', pointer, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }];
}
