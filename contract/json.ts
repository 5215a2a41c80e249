import { z } from 'zod';
import { LIMITS } from './limits.ts';

/** Any JSON value. A predicate, because `z.json()` is recursive: schemas with it are several times slower and cannot be compiled. */
export const Json = typed(z.unknown().refine(isJson, { error: problemOf }).meta({ description: 'any JSON value' }));

/** The cast is safe: the predicate lets nothing else through. */
function typed(schema: z.ZodUnknown): z.ZodType<z.core.util.JSONType, z.core.util.JSONType> {
  return schema as unknown as z.ZodType<z.core.util.JSONType, z.core.util.JSONType>;
}

/** A missing value has no message here: the parser of the document names the property. */
function problemOf({ input }: { readonly input?: unknown }): string | undefined {
  return input === undefined ? undefined : 'Write a value of JSON.';
}

function isJson(value: unknown): boolean {
  return isJsonWithin(value, LIMITS.bodyDepth);
}

/** Values nested deeper than a body may be are rejected: a YAML alias may contain itself. */
function isJsonWithin(value: unknown, depth: number): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value);
    case 'object':
      if (value === null) return true;
      return depth > 0 && (Array.isArray(value) || isPlain(value)) && Object.values(value).every((item) => isJsonWithin(item, depth - 1));
    default:
      return false;
  }
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The object without properties whose value is undefined, for types and documents in which a property is present or absent. */
export function defined<T extends object>(value: T): Defined<T> {
  // Safe: only properties that may be undefined are left out.
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Defined<T>;
}
type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The value at a path of keys, and of indices of lists; undefined if there is none. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined),
    value,
  );
}

/** Whether two JSON values are equal. The order of keys is ignored except where it matters; so are keys whose value is undefined. */
export function sameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [keys, others] = [definedKeys(one), definedKeys(other)];
  if (keys.length !== others.length || (keepsOrder(one) && keys.some((key, index) => key !== others[index]))) return false;
  return keys.every((key) => sameValue(Reflect.get(one, key), Reflect.get(other, key)));
}

/**
 * Whether the order of an object's keys matters. In `headers`, a later path pattern wins. Recognized by shape, so that parts, values of
 * edits and complete documents are treated alike.
 */
export function keepsOrder(value: object): boolean {
  const lists: unknown[] = Object.values(value);
  return lists.length > 1 && lists.every((list) => Array.isArray(list) && list.every(hasKey));
}

function hasKey(item: unknown): boolean {
  return typeof Reflect.get(Object(item), 'key') === 'string';
}

function definedKeys(value: object): string[] {
  return Object.keys(value).filter((key) => Reflect.get(value, key) !== undefined);
}

/** Whether the keys that two objects share are in a different order, for objects whose order matters. */
export function isReordered(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other) || !(keepsOrder(one) || keepsOrder(other))) return false;
  const shared = Object.keys(other).filter((key) => Object.hasOwn(one, key));
  return Object.keys(one)
    .filter((key) => Object.hasOwn(other, key))
    .some((key, index) => key !== shared[index]);
}

/** The value with all keys in alphabetical order, even where their order matters. */
export function inAnyOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inAnyOrder);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [key, inAnyOrder(item)]);
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/**
 * The same value with the keys of every object in alphabetical order, so that equal values have equal bytes; where the order of keys
 * matters (`keepsOrder`), it is preserved.
 */
export function canonical<T>(value: T): T {
  return sorted(value) as T;
}

/**
 * Safe to promise the argument's type: only the order of keys changes, and undefined values are dropped. A value that is
 * already in order, like everything stored, is returned as is, because every write calls this several times.
 */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items: unknown[] = value.map(sorted);
    return items.every((item, index) => Object.is(item, value[index])) ? value : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const isOrdered = keepsOrder(value);
  let inOrder = true;
  let before = '';
  for (const entry of entries) {
    const [key, item] = entry;
    entry[1] = sorted(item);
    if (item === undefined || (!isOrdered && key < before) || !Object.is(entry[1], item)) inOrder = false;
    before = key;
  }
  if (inOrder) return value;
  const defined = entries.filter(([, item]) => item !== undefined);
  return Object.fromEntries(isOrdered ? defined : defined.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The document without the times that the service sets. */
export function timeless(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { created: _created, lastModified: _lastModified, ...rest } = value as Record<string, unknown>;
  return rest;
}
