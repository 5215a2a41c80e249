import { canonical } from '@repoless/contract/json.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { LRUCache } from 'lru-cache';
import { hash } from 'node:crypto';

/** Strong etag of a value, quotes included: SHA-256 of its canonical JSON. Computed once for a stored document. */
export function etagOf(value: unknown): string {
  if (typeof value === 'object' && value !== null && Object.isFrozen(value)) return etagOfKept(value);
  const ordered = canonical(value);
  return typeof ordered === 'object' && ordered !== null ? etagOfCanonical(ordered) : quotedHash(JSON.stringify(ordered));
}

/** The same for a result of `canonical`. */
export function etagOfCanonical(document: object): string {
  return quotedHash(printed(document));
}

function quotedHash(json: string): string {
  return `"${hash('sha256', json, 'base64url')}"`;
}

/** The JSON of a document, printed once: it is hashed, stored and kept as a version. */
export const printed: (document: object) => string = oncePerDocument((document) => JSON.stringify(document));

/**
 * The frozen document of stored JSON. The same JSON returns the same document, so that what is computed once per document
 * (`oncePerDocument`) is computed once for all requests. The caller knows its type: only what passed its schema is stored.
 */
export function storedDocument<T extends object>(json: string): T {
  let document = DOCUMENTS.get(json);
  if (document === undefined) DOCUMENTS.set(json, (document = frozen(JSON.parse(json) as object)));
  return document as T;
}

/** By JSON. Displacing the documents of others costs them time only: they are parsed again. */
const DOCUMENTS = new LRUCache<string, object>({ maxSize: LIMITS.parsedDocuments, sizeCalculation: (_, json) => Math.max(1, json.length) });

/** Calls a function once for each document, which does not change. Results are released with their documents. */
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

// Its JSON is not cached: it is as large as the document, and not needed again.
const etagOfKept = oncePerDocument((document: object) => quotedHash(JSON.stringify(canonical(document))));

/** The same document, deeply frozen, because it is shared from now on. A frozen object is assumed to be frozen below. */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const item of Object.values(value)) frozen(item);
  return Object.freeze(value);
}
