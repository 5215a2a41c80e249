import type { Patch } from './endpoint-parts.ts';
import { keepsOrder, sameValue, timeless } from './json.ts';
import { createPatch, type Operation, type Pointer } from 'rfc6902';

/**
 * The JSON patch (RFC 6902) that turns one document into the other. Times set by the service are ignored. Takes documents,
 * or null (or undefined) if there is none.
 */
export function difference(before: unknown, after: unknown): Patch {
  const [one, other] = [timeless(before ?? null), timeless(after ?? null)];
  if (pointersOf(one) + pointersOf(other) > LONGEST_POINTERS)
    return sameValue(one, other) ? [] : [{ op: 'replace', path: '', value: other }];
  const patch: Patch = [];
  collect(one, other, '', limitedLists(), patch);
  return patch;
}

/** Compares objects faster than the library, in the same order; lists are compared by the library. */
function collect(before: unknown, after: unknown, at: string, lists: ListDifference, patch: Patch): void {
  if (before === after) return;
  if (isObject(before) && isObject(after)) {
    const pointer = (name: string) => `${at}/${/[~/]/.test(name) ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name}`;
    const [names, next] = [definedKeys(before), definedKeys(after)];
    const added = next.filter((name) => !has(before, name));
    const common = names.filter((name) => has(after, name));
    // A patch adds keys at the end: a different order requires replacing the object.
    if (keepsOrder(after) && [...common, ...added].some((name, index) => name !== next[index]))
      return void patch.push({ op: 'replace', path: at, value: after });
    const removed = common.length === names.length ? [] : names.filter((name) => !has(after, name));
    for (const name of removed) patch.push({ op: 'remove', path: pointer(name) });
    for (const name of added) patch.push({ op: 'add', path: pointer(name), value: after[name] });
    for (const name of common) if (before[name] !== after[name]) collect(before[name], after[name], pointer(name), lists, patch);
    return;
  }
  if (!Array.isArray(before) || !Array.isArray(after)) return void patch.push({ op: 'replace', path: at, value: after });
  if (sameValue(before, after)) return;
  for (const operation of createPatch(before, after, lists)) patch.push({ ...operation, path: `${at}${operation.path}` });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function has(value: Readonly<Record<string, unknown>>, name: string): boolean {
  return Object.hasOwn(value, name) && value[name] !== undefined;
}

function definedKeys(value: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(value).filter((name) => value[name] !== undefined);
}

/**
 * The shortest difference of two lists takes time and memory proportional to the product of their lengths, times the size of
 * their values: long lists are replaced entirely, and so is every list once enough was compared.
 */
function limitedLists(): ListDifference {
  let left = COMPARED_VALUES;
  return (before, after, pointer) => {
    if (!Array.isArray(before) || !Array.isArray(after)) return undefined;
    if (before.length * after.length <= COMPARED_PAIRS) {
      left -= Math.min(after.length * valuesIn(before), before.length * valuesIn(after));
      if (left > 0) return undefined;
    }
    return sameValue(before, after) ? [] : [{ op: 'replace', path: pointer.toString(), value: after }];
  };
}

function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, item) => sum + valuesIn(item), 1);
}

/** Characters of the pointers to everything in a document: each operation of a patch has one. */
function pointersOf(value: unknown, above = 0): number {
  if (typeof value !== 'object' || value === null) return above;
  let sum = 0;
  for (const name of Object.keys(value)) sum += pointersOf(Reflect.get(value, name), above + name.length + 1);
  return sum;
}

type ListDifference = (before: unknown, after: unknown, pointer: Pointer) => Operation[] | undefined;

const COMPARED_PAIRS = 2500;
const COMPARED_VALUES = 5000;
const LONGEST_POINTERS = 4_000_000;
