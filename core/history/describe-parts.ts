import { sameValue } from '@repoless/contract/json.ts';
import type { Area, Change, FieldName, ListName } from './change.ts';
import { at, entriesOf, isObject, keysOf, pointerTo, printed, without } from './json-place.ts';

/** Two states of one value; undefined where it is not there. */
export interface Pair {
  readonly before: unknown;
  readonly after: unknown;
}

export function below({ before, after }: Pair, ...keys: readonly string[]): Pair {
  return { before: at(before, ...keys), after: at(after, ...keys) };
}

/** Both states without some keys; an object that has no others counts as nothing. */
export function besides({ before, after }: Pair, ...keys: readonly string[]): Pair {
  const left = (value: unknown) => {
    const rest = without(value, ...keys);
    return isObject(rest) && Object.keys(rest).length === 0 ? undefined : rest;
  };
  return { before: left(before), after: left(after) };
}

interface ListPlace {
  readonly area: Area;
  readonly pointer: string;
  readonly list: ListName;
  readonly of?: string;
}

/** What came into a list and what went, or that its order is another one. */
export function listChanges(place: ListPlace, before: readonly string[], after: readonly string[]): Change[] {
  const old = new Set(before);
  const next = new Set(after);
  const added = [...next].filter((entry) => !old.has(entry));
  const removed = [...old].filter((entry) => !next.has(entry));
  if (added.length > 0 || removed.length > 0) return [{ kind: 'list', ...place, added, removed, left: next.size }];
  const reordered = before.length === after.length && before.some((entry, index) => entry !== after[index]);
  return reordered ? [{ kind: 'order', ...place }] : [];
}

interface FieldPlace {
  readonly area: Area;
  readonly pointer: string;
  readonly field: FieldName;
  readonly of?: string;
}

export function fieldChanges(place: FieldPlace, { before, after }: Pair): Change[] {
  return sameValue(before, after) ? [] : [{ kind: 'field', ...place, ...fromTo({ before, after }) }];
}

/** Every difference that is left, by its pointer: lists of texts entry by entry, everything else as it is. */
export function otherChanges(area: Area, keys: readonly string[], pair: Pair): Change[] {
  const { before, after } = pair;
  if (sameValue(before, after)) return [];
  const names = keysOf(before, after);
  if (names.length > 0 && [before, after].every((value) => value === undefined || isObject(value)))
    return names.flatMap((name) => otherChanges(area, [...keys, name], below(pair, name)));
  const pointer = pointerTo(...keys);
  if (isTexts(before) && isTexts(after))
    return listChanges({ area, pointer, list: 'entries', of: pointer }, entriesOf(before), entriesOf(after));
  return [{ kind: 'other', area, pointer, ...fromTo(pair) }];
}

function isTexts(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every((entry) => typeof entry === 'string'));
}

function fromTo({ before, after }: Pair): { from?: string; to?: string } {
  const from = printed(before);
  const to = printed(after);
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}
