import { canonical } from '@repoless/contract/json.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { LRUCache } from 'lru-cache';
import { hash } from 'node:crypto';
import type { ErrorCode } from '@repoless/contract/errors.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { problemOf, valueSentence } from '@repoless/contract/value-problems.ts';
import { z } from 'zod';

/** Strong etag of a value, quotes included: SHA-256 of its canonical JSON. Computed once for a stored document. */
export function etagOf(value: unknown): string {
  if (typeof value === 'object' && value !== null && Object.isFrozen(value)) return etagOfStored(value);
  const ordered = canonical(value);
  return typeof ordered === 'object' && ordered !== null ? etagOfCanonical(ordered) : quotedHash(JSON.stringify(ordered));
}

/** The etag of a result of `canonical`. */
export function etagOfCanonical(document: object): string {
  return quotedHash(printed(document));
}

function quotedHash(json: string): string {
  return `"${hash('sha256', json, 'base64url')}"`;
}

/** The JSON of a document, printed once: it is hashed, stored, and recorded as a version. */
export const printed: (document: object) => string = memoizePerDocument((document) => JSON.stringify(document));

/**
 * The frozen document of stored JSON. The same JSON returns the same document, so that what is computed once per document
 * (`memoizePerDocument`) is computed once for all requests. The caller knows its type: only what passed its schema is stored.
 */
export function storedDocument<T extends object>(json: string): T {
  let document = DOCUMENTS.get(json);
  if (document === undefined) DOCUMENTS.set(json, (document = frozen(JSON.parse(json) as object)));
  return document as T;
}

/** By JSON. Displacing the documents of others costs them time only: they are parsed again. */
const DOCUMENTS = new LRUCache<string, object>({ maxSize: LIMITS.parsedDocuments, sizeCalculation: (_, json) => Math.max(1, json.length) });

/** Calls a function once for each document, which does not change. Results are released with their documents. */
export function memoizePerDocument<D extends object, T>(make: (document: D) => T): (document: D) => T {
  const results = new WeakMap<D, { readonly value: T }>();
  return (document) => {
    const known = results.get(document);
    if (known !== undefined) return known.value;
    const value = make(document);
    results.set(document, { value });
    return value;
  };
}

// Its JSON is not cached: it is as large as the document, and not needed again.
const etagOfStored = memoizePerDocument((document: object) => quotedHash(JSON.stringify(canonical(document))));

/** The same document, deeply frozen, because it is shared from now on. A frozen object is assumed to be frozen below. */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const item of Object.values(value)) frozen(item);
  return Object.freeze(value);
}

/** The value as parsed by the schema, or a Refusal with a pointer and a message for each invalid field. */
export function checkAgainst<S extends z.ZodType>(schema: S, value: unknown, code: ErrorCode, what: string): z.output<S> {
  const parsed = compiled(schema).safeParse(value, { error: valueSentence });
  if (parsed.success) return parsed.data;
  const { sentence, errors } = problemOf(parsed.error.issues, what);
  throw new Refusal(code, sentence, { errors });
}

const compile = memoizePerDocument((schema: z.ZodType) => z.compile(schema));

/**
 * The same schema as one compiled function, created at its first use, at a third of the cost. Values that it rejects are checked by the
 * schema itself, which explains the errors. The cast is safe: zod derives a schema of the same type.
 */
export function compiled<S extends z.ZodType>(schema: S): S {
  return compile(schema) as S;
}

/** The JSON of a body whose sender has already been authenticated. Refuses with BODY_UNPARSABLE. */
export function requireJson(raw: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw));
  } catch (cause) {
    throw new Refusal('BODY_UNPARSABLE', 'error parsing request body', { cause });
  }
}

/** The JSON of another system's response; undefined if it is invalid. */
export function readJson(text: Uint8Array | string): unknown {
  try {
    return JSON.parse(typeof text === 'string' ? text : new TextDecoder().decode(text));
  } catch {
    return undefined;
  }
}
