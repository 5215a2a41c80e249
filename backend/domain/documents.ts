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

/** The quotas of an organization; undefined ones are unlimited (settings `ORG_…`). */
export interface Quotas {
  readonly sites?: number;
  readonly repositories?: number;
  readonly versions?: number;
  /** Bytes of configuration, versions included. */
  readonly bytes?: number;
  readonly secrets?: number;
  readonly apiKeys?: number;
  readonly codeBytes?: number;
  /** Concurrent code syncs. */
  readonly syncs: number;
}

/** What an organization stores. `bytes`: of its configuration, versions included. */
export interface OrgUsage {
  readonly sites: number;
  readonly versions: number;
  readonly bytes: number;
  readonly secrets: number;
  readonly apiKeys: number;
}

type Counted = keyof OrgUsage;

/** Refuses with QUOTA_REACHED or STORAGE_QUOTA_REACHED if an organization has no quota left for what it wants. */
export function requireCapacity(quotas: Quotas, org: string, usage: OrgUsage, added: Partial<Record<Counted, number>>): void {
  for (const name of COUNTED) {
    const [more, limit] = [added[name] ?? 0, quotas[name]];
    if (limit === undefined || more === 0 || usage[name] + more <= limit) continue;
    const code = name === 'bytes' ? 'STORAGE_QUOTA_REACHED' : 'QUOTA_REACHED';
    throw new Refusal(code, quotaSentence(org, name, usage[name], limit), {
      data: { quota: name, used: `${usage[name]}`, limit: `${limit}` },
    });
  }
}

interface UsedRepositories {
  usesRepository(org: string, repository: string): Promise<boolean>;
  repositories(org: string): Promise<readonly string[]>;
}

/** Requires capacity for the repository of a site, unless the organization already uses it. */
export async function requireRepositoryCapacity(quotas: Quotas, org: string, reads: UsedRepositories, repository: string): Promise<void> {
  const { repositories: limit } = quotas;
  if (limit === undefined || (await reads.usesRepository(org, repository))) return;
  const used = await reads.repositories(org);
  if (used.length < limit) return;
  const sentence = `The sites of the organization "${org}" use ${used.length} code repositories; ${limit} are allowed. Use one of those, or ask the operator for more.`;
  throw new Refusal('QUOTA_REACHED', sentence, { data: { quota: 'repositories', used: `${used.length}`, limit: `${limit}` } });
}

/** Refuses a document that has become too large by parts each of which was small enough. Returns its approximate bytes. */
export function requireSmall(config: object, what: string): number {
  const { values, characters } = measured(config);
  const rest = 'Remove unneeded parts, or split it.';
  if (values > LIMITS.documentValues) {
    throw new Refusal(
      'STORAGE_QUOTA_REACHED',
      `${what} would have ${values} values; at most ${LIMITS.documentValues} are stored. ${rest}`,
      {
        data: { quota: 'documentValues', used: `${values}`, limit: `${LIMITS.documentValues}` },
      },
    );
  }
  const bytes = bytesAbout(config, characters);
  if (bytes <= LIMITS.documentBytes) return bytes;
  throw new Refusal('STORAGE_QUOTA_REACHED', `${what} would have ${bytes} bytes; at most ${LIMITS.documentBytes} are stored. ${rest}`, {
    data: { quota: 'documentBytes', used: `${bytes}`, limit: `${LIMITS.documentBytes}` },
  });
}

/** The approximate bytes of a document. */
export function bytesOf(document: object): number {
  return bytesAbout(document, measured(document).characters);
}

/** Printed only if it is near the limit: a character has at most three bytes, or six as an escape. */
function bytesAbout(document: object, characters: number): number {
  return characters * 6 <= LIMITS.documentBytes ? characters : Buffer.byteLength(JSON.stringify(document));
}

/** The number of values in a document, and approximately of characters when printed. */
function measured(value: unknown): { readonly values: number; readonly characters: number } {
  if (typeof value === 'string') return { values: 1, characters: value.length + 3 };
  if (typeof value !== 'object' || value === null) return { values: 1, characters: 6 };
  let [values, characters] = [1, 3];
  const isList = Array.isArray(value);
  for (const [name, item] of Object.entries(value)) {
    const below = measured(item);
    values += below.values;
    characters += below.characters + (isList ? 0 : name.length + 3);
  }
  return { values, characters };
}

function quotaSentence(org: string, name: Counted, used: number, limit: number): string {
  const has = `The organization "${org}" has ${used} ${NAMES[name]}, and ${limit} are allowed.`;
  return `${has} ${name === 'versions' || name === 'bytes' ? 'Delete versions' : 'Remove some'} that are not needed, or ask the operator for more.`;
}

const NAMES: Readonly<Record<Counted, string>> = {
  sites: 'sites',
  versions: 'versions',
  bytes: 'bytes of configuration',
  secrets: 'secrets',
  apiKeys: 'API keys',
};
const COUNTED: readonly Counted[] = ['sites', 'versions', 'bytes', 'secrets', 'apiKeys'];
