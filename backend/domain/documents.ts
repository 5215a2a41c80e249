import type { Patch } from '@repoless/contract/endpoint-parts.ts';
import { keepsOrder, sameValue } from '@repoless/contract/json.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { LRUCache } from 'lru-cache';
import { hash } from 'node:crypto';
import { createPatch, type Operation, type Pointer } from 'rfc6902';

/**
 * What makes the one document of the other, as a JSON patch (RFC 6902). The times that the service sets are no difference.
 * In: documents, or null (or undefined) where there is none.
 */
export function difference(before: unknown, after: unknown): Patch {
  const [one, other] = [timeless(before ?? null), timeless(after ?? null)];
  if (pointersOf(one) + pointersOf(other) > LONGEST_POINTERS)
    return sameValue(one, other) ? [] : [{ op: 'replace', path: '', value: other }];
  const patch: Patch = [];
  collect(one, other, '', boundedLists(), patch);
  return patch;
}

/** Objects are compared here, for less than the library takes, in its order; lists by it. */
function collect(before: unknown, after: unknown, at: string, lists: ListDifference, patch: Patch): void {
  if (before === after) return;
  if (isObject(before) && isObject(after)) {
    const pointer = (name: string) => `${at}/${/[~/]/.test(name) ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name}`;
    const [names, next] = [presentKeys(before), presentKeys(after)];
    const added = next.filter((name) => !has(before, name));
    const kept = names.filter((name) => has(after, name));
    // A patch adds at the end: another order is another object.
    if (keepsOrder(after) && [...kept, ...added].some((name, index) => name !== next[index]))
      return void patch.push({ op: 'replace', path: at, value: after });
    const gone = kept.length === names.length ? [] : names.filter((name) => !has(after, name));
    for (const name of gone) patch.push({ op: 'remove', path: pointer(name) });
    for (const name of added) patch.push({ op: 'add', path: pointer(name), value: after[name] });
    for (const name of kept) if (before[name] !== after[name]) collect(before[name], after[name], pointer(name), lists, patch);
    return;
  }
  if (!Array.isArray(before) || !Array.isArray(after)) return void patch.push({ op: 'replace', path: at, value: after });
  for (const operation of createPatch(before, after, lists)) patch.push({ ...operation, path: `${at}${operation.path}` });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function has(value: Readonly<Record<string, unknown>>, name: string): boolean {
  return Object.hasOwn(value, name) && value[name] !== undefined;
}

function presentKeys(value: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(value).filter((name) => value[name] !== undefined);
}

/** The document without the times that the service sets. */
export function timeless(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { created: _created, lastModified: _lastModified, ...rest } = value as Record<string, unknown>;
  return rest;
}

/**
 * The shortest difference of two lists costs time and room by the product of their lengths, times what is in them: long ones are
 * replaced whole, and so is every list once much was compared.
 */
function boundedLists(): ListDifference {
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

/**
 * The document of stored JSON, frozen. The same JSON gives the same document, so that what is made of a document once (`oncePerDocument`) is made
 * once for all requests. The caller knows its type: only what passed its schema is stored.
 */
export function storedDocument<T extends object>(json: string): T {
  let document = DOCUMENTS.get(json);
  if (document === undefined) DOCUMENTS.set(json, (document = frozen(JSON.parse(json) as object)));
  return document as T;
}

/** By their JSON. Who displaces the documents of others costs them time and nothing else: they are parsed again. */
const DOCUMENTS = new LRUCache<string, object>({ maxSize: LIMITS.parsedDocuments, sizeCalculation: (_, json) => Math.max(1, json.length) });

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
