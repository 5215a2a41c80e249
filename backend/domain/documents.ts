import { canonical } from '@repoless/contract/json.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { LRUCache } from 'lru-cache';
import { hash } from 'node:crypto';

/** Strong etag of a value, quotes included: SHA-256 of its canonical JSON. That of a document that is kept is made once. */
export function etagOf(value: unknown): string {
  if (typeof value === 'object' && value !== null && Object.isFrozen(value)) return etagOfKept(value);
  const ordered = canonical(value);
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
const etagOfKept = oncePerDocument((document: object) => quotedHash(JSON.stringify(canonical(document))));

/** The same document, frozen with all that it holds: it is shared from now on. What is frozen already is taken for frozen below. */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const item of Object.values(value)) frozen(item);
  return Object.freeze(value);
}
