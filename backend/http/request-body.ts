import { acceptedMedia, type RequestBody } from '@repoless/contract/endpoint.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { Refusal } from '@repoless/contract/refusal.ts';
import { checkAgainst, memoizePerDocument } from '../domain/documents.ts';

export interface RawBody {
  readonly media: string;
  readonly bytes: Uint8Array;
}

/** Reads the announced body; `reserve` is called with the number of bytes before they are buffered, and refuses by throwing. */
export type ReadBody = (reserve?: (bytes: number) => void) => Promise<RawBody | undefined>;

/**
 * Checks what a request announces of its body against its call: content type first (except for signed calls, see `mediaType`), then size.
 * Returns how to read it, once its sender is authorized; until then no byte is held. A body that is too large is read no further than the
 * limit. Refuses with CONTENT_TYPE_UNSUPPORTED, CONTENT_ENCODING_UNSUPPORTED or BODY_TOO_LARGE. Rule: docs/contract.md 2.5.
 */
export function announcedBody(request: IncomingMessage, expected: RequestBody, limit: number): ReadBody {
  const announced = Number(request.headers['content-length'] ?? 0);
  const chunked = request.headers['transfer-encoding'] !== undefined;
  if (announced === 0 && !chunked) return async () => undefined;
  const media = expected.raw === true ? '' : mediaType(request.headers['content-type'], expected);
  refuseEncoded(request.headers['content-encoding']);
  if (announced > limit) throw tooLarge(limit);
  return async (reserve = () => undefined) => {
    const bytes = await collect(request, limit, reserve);
    return bytes.length === 0 ? undefined : { media, bytes };
  };
}

/** The memory of a node that the bodies of all unauthenticated callers may use together. */
export interface ByteBudget {
  /** Counts bytes until a request is answered. Refuses with OVERLOADED if they do not fit. */
  reserve(response: ServerResponse, bytes: number): void;
}

/** `most`: bytes. */
export function createByteBudget(limit: number): ByteBudget {
  const buffered = new Map<ServerResponse, number>();
  let inAll = 0;
  return {
    reserve(response, bytes) {
      if (inAll + bytes > limit)
        throw new Refusal('OVERLOADED', 'Too many request bodies are being received right now. Try again in a moment.', { retryAfter: 1 });
      if (!buffered.has(response)) {
        response.once('close', () => {
          inAll -= buffered.get(response) ?? 0;
          buffered.delete(response);
        });
      }
      buffered.set(response, (buffered.get(response) ?? 0) + bytes);
      inAll += bytes;
    },
  };
}

/** A compressed body would be misread, and its expanded size is unknown in advance. */
function refuseEncoded(header: string | undefined): void {
  const coding = (header ?? '').trim().toLowerCase();
  if (coding === '' || coding === 'identity') return;
  throw new Refusal('CONTENT_ENCODING_UNSUPPORTED', `Send the body as it is, without content-encoding "${coding.slice(0, 100)}".`);
}

/** The media type of a body, if its call accepts it. Refuses with CONTENT_TYPE_UNSUPPORTED. */
export function mediaType(header: string | undefined, expected: RequestBody): string {
  const [type = '', ...parameters] = (header ?? '').toLowerCase().split(';');
  const media = type.trim();
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('charset='));
  if (!accepted(expected).has(media)) {
    const found = media === '' ? 'no content type' : `"${media}"`;
    throw new Refusal('CONTENT_TYPE_UNSUPPORTED', `Send the body as ${expected.media.join(' or ')}; the request has ${found}.`);
  }
  if (charset !== undefined && !/^charset="?(utf-8|us-ascii)"?$/.test(charset))
    throw new Refusal('CONTENT_TYPE_UNSUPPORTED', 'Send the body in UTF-8.');
  return media;
}

const accepted = memoizePerDocument((body: RequestBody): ReadonlySet<string> => new Set(acceptedMedia(body)));

/** A listener instead of an iterator: an iterator would destroy the connection that still has to carry the refusal. */
function collect(request: IncomingMessage, limit: number, reserve: (bytes: number) => void): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    if (request.destroyed) return reject(gone());
    const chunks: Uint8Array[] = [];
    let size = 0;
    request.on('data', (chunk: Uint8Array) => {
      size += chunk.length;
      try {
        if (size > limit) throw tooLarge(limit);
        reserve(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        request.removeAllListeners('data');
        request.resume();
        reject(error);
      }
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', reject);
  });
}

export function gone(): Error {
  return new Error('The request ended before its body was read.');
}

function tooLarge(limit: number): Refusal {
  return new Refusal('BODY_TOO_LARGE', `The request body is larger than ${limit} bytes, which is the limit here. Send less at once.`, {
    data: { limit: `${limit}` },
  });
}

/** The body of a call, parsed and checked against its row. Refuses with BODY_UNPARSABLE, BODY_MISSING or BODY_INVALID. */
export function parseBody(raw: RawBody | undefined, expected: RequestBody): unknown {
  if (raw === undefined) {
    if (expected.optional === true) return undefined;
    throw unparsable();
  }
  if (expected.raw === true) return raw.bytes;
  const value = readValue(raw, expected);
  if (!(value instanceof Uint8Array)) refuseTraps(value);
  return checkAgainst(expected.schema, value, 'BODY_INVALID', 'The request body');
}

function readValue({ media, bytes }: RawBody, expected: RequestBody): unknown {
  switch (media) {
    case 'application/json':
      return parseJson(text(bytes));
    case 'application/x-www-form-urlencoded':
      return readForm(text(bytes), expected);
    case 'text/plain':
    case 'text/yaml':
    case 'text/x-yaml':
    case 'application/yaml':
    case 'application/x-yaml':
      return text(bytes);
    default:
      return bytes;
  }
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw unparsable();
  }
}

function text(bytes: Uint8Array): string {
  try {
    return UTF_8.decode(bytes);
  } catch {
    throw unparsable();
  }
}

/** The message is that of the public API, which clients know. */
function unparsable(): Refusal {
  return new Refusal('BODY_UNPARSABLE', 'error parsing request body');
}

/** Refuses what no schema checks: nesting, too many values, overlong names, texts that cannot be stored, and `__proto__`. */
function refuseTraps(value: unknown, depth = 0, seen = { values: 0 }): void {
  seen.values += 1;
  if (depth > LIMITS.bodyDepth) throw new Refusal('BODY_INVALID', `The request body is nested deeper than ${LIMITS.bodyDepth} levels.`);
  if (seen.values > LIMITS.bodyValues) throw new Refusal('BODY_INVALID', `The request body has more than ${LIMITS.bodyValues} values.`);
  if (typeof value === 'string' && isOdd(value)) throw new Refusal('BODY_INVALID', oddText('The request body'));
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) refuseNames(Object.keys(value));
  if (Object.hasOwn(value, '__proto__')) throw new Refusal('BODY_INVALID', 'The request body has a property "__proto__". Remove it.');
  for (const item of Object.values(value)) refuseTraps(item, depth + 1, seen);
}

function refuseNames(names: readonly string[]): void {
  // All at once: thousands of separate tests of names would cost more.
  if (isOdd(names.join('\n'))) throw new Refusal('BODY_INVALID', oddText('The request body'));
  for (const name of names) {
    if (name.length <= LIMITS.bodyNameLength) continue;
    const sentence = `The request body has a property whose name is longer than ${LIMITS.bodyNameLength} characters: "${name.slice(0, SHOWN_NAME)}…". Shorten it.`;
    throw new Refusal('BODY_INVALID', sentence);
  }
}

const SHOWN_NAME = 50;
const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** U+0000, which PostgreSQL does not accept, or a lone surrogate, which UTF-8 and addresses cannot represent. */
export function isOdd(text: string): boolean {
  return ODD.test(text);
}

export function oddText(what: string): string {
  return `${what} has the character U+0000, or half of a character. Remove it.`;
}

/** With the flag `u`, surrogates of complete pairs do not match. */
const ODD = /[\0\p{Surrogate}]/u;

type Field = string | string[] | number | boolean;

/**
 * A form, as understood by a call that takes JSON (clients of the public API send either). Takes the text of the form, and what the call
 * accepts. Returns its fields by name, converted to lists, numbers and booleans where the schema requires; they are validated like every
 * body. A name that is repeated, or ends in `[]`, is a list.
 */
function readForm(text: string, { schema, ignoresOtherFields }: RequestBody): Record<string, Field> {
  refuseManyFields(text);
  const fields: Record<string, Field> = {};
  for (const [key, value] of new URLSearchParams(text)) {
    const name = key.replace(/\[\]$/, '');
    if (ignoresOtherFields === true && schema instanceof z.ZodObject && !(name in schema.shape)) continue;
    const before = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (before === undefined) define(fields, name, key === name ? value : [value]);
    else if (Array.isArray(before)) before.push(value);
    else define(fields, name, [String(before), value]);
  }
  for (const issue of objectOf(schema).safeParse(fields).error?.issues ?? []) {
    const [name, ...below] = issue.path;
    if (issue.code !== 'invalid_type' || typeof name !== 'string' || below.length > 0) continue;
    const value = fields[name];
    if (typeof value === 'string') define(fields, name, coerced(value, issue.expected));
  }
  return fields;
}

function objectOf(schema: RequestBody['schema']): RequestBody['schema'] {
  if (!(schema instanceof z.ZodUnion)) return schema;
  return schema.options.find((option) => option instanceof z.ZodObject) ?? schema;
}

/** Checked before parsing: a form of a megabyte can have as many fields as characters. */
export function refuseManyFields(text: string): void {
  let count = 1;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) count += 1;
  if (count <= LIMITS.formFields) return;
  const sentence = `The form has ${count} fields; the limit is ${LIMITS.formFields}.`;
  throw new Refusal('BODY_INVALID', sentence, { errors: [{ pointer: '', detail: sentence }] });
}

// A field may have the name of a member that every object has.
function define(fields: Record<string, Field>, name: string, value: Field): void {
  Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true });
}

function coerced(value: string, expected: string): Field {
  if (expected === 'array') return [value];
  if (expected === 'number' && value.trim() !== '' && Number.isFinite(Number(value))) return Number(value);
  if (expected === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}
