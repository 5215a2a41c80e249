import { isReordered, sameValue } from '@repoless/contract/json.ts';
import type { StoredDocument } from './history-port.ts';
import { isObject, keysOf, pointerTo } from './json-values.ts';

export type UndoneChange =
  /** The current document without that change; later changes are preserved. */
  | { readonly state: 'clean'; readonly document: StoredDocument }
  /** Nothing of the change is left to undo. */
  | { readonly state: 'undone' }
  /** Later changes touched the same values (JSON pointers): the change cannot be undone separately. */
  | { readonly state: 'overlaps'; readonly pointers: readonly string[] };

/** Set by the service at each write; not part of any change. */
const SET_BY_SERVICE = ['created', 'lastModified'];

/**
 * Removes one change from the current document: reverses the difference between `before` and `after`. Never guesses: a value that was
 * changed again since is reported as an overlap.
 */
export function undoChange(before: StoredDocument, after: StoredDocument, current: StoredDocument): UndoneChange {
  const overlaps: string[] = [];
  const document = undoObject({ before, after, current, path: [] }, overlaps);
  if (overlaps.length > 0) return { state: 'overlaps', pointers: overlaps };
  return sameValue(document, current) ? { state: 'undone' } : { state: 'clean', document };
}

/** What the versions before and after the change, and the current document, have at a location. */
interface Values {
  readonly before: unknown;
  readonly after: unknown;
  readonly current: unknown;
  readonly path: readonly string[];
}

function undoValue(at: Values, overlaps: string[]): unknown {
  const { before, after, current, path } = at;
  if (sameValue(before, after) || sameValue(current, before)) return current;
  if (sameValue(current, after)) return before;
  const isOrder = isReordered(before, after);
  if (!isOrder && isObject(current) && (isObject(before) || isObject(after))) return undoObject(at, overlaps);
  if (isTextList(current) && (before === undefined || isTextList(before)) && (after === undefined || isTextList(after))) {
    const list = undoList(before ?? [], after ?? [], current);
    if (list !== undefined) return list;
  }
  overlaps.push(pointerTo(...path));
  return current;
}

function undoObject({ before, after, current, path }: Values, overlaps: string[]): Record<string, unknown> {
  const own = (value: unknown, key: string): unknown => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined);
  const entries = keysAsBefore(current, before, after).map((key) => {
    const now = own(current, key);
    if (path.length === 0 && SET_BY_SERVICE.includes(key)) return [key, now] as const;
    return [key, undoValue({ before: own(before, key), after: own(after, key), current: now, path: [...path, key] }, overlaps)] as const;
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** The keys of the current object; a restored key follows the key that it followed before. */
function keysAsBefore(current: unknown, before: unknown, after: unknown): readonly string[] {
  const keys = [...keysOf(current)];
  keysOf(before).forEach((key, index, all) => {
    if (!keys.includes(key)) keys.splice(index === 0 ? 0 : keys.indexOf(all[index - 1] ?? '') + 1, 0, key);
  });
  return [...new Set([...keys, ...keysOf(after)])];
}

/**
 * Lists of strings are reverted entry by entry: added entries are removed, removed ones return to their position.
 * Undefined if later changes touched the same entries, or if the order was changed.
 */
function undoList(before: readonly string[], after: readonly string[], current: readonly string[]): readonly string[] | undefined {
  const [old, next, now] = [new Set(before), new Set(after), new Set(current)];
  const added = new Set(after.filter((entry) => !old.has(entry)));
  const removed = before.filter((entry) => !next.has(entry));
  if (added.size === 0 && removed.length === 0) return undefined;
  if (![...added].every((entry) => now.has(entry)) || removed.some((entry) => now.has(entry))) return undefined;
  const remaining = current.filter((entry) => !added.has(entry));
  return removed.reduce<readonly string[]>(
    (list, entry) => list.toSpliced(Math.min(before.indexOf(entry), list.length), 0, entry),
    remaining,
  );
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}
