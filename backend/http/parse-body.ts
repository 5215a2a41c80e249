import type { RequestBody } from '@repoless/contract/endpoint.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { Refusal } from '../domain/errors.ts';
import { checkAgainst } from '../domain/field-errors.ts';
import { severalPerTick } from '../domain/event-loop.ts';
import { readForm } from './form-body.ts';
import { isOdd, oddText } from './parse-input.ts';
import type { RawBody } from './request-body.ts';

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

/** A call without a body refuses one: its sender expects it to count. */
export function refuseBody(raw: RawBody | undefined): void {
  if (raw === undefined) return;
  const sentence = 'This call takes no body. Omit it.';
  throw new Refusal('BODY_INVALID', sentence, { errors: [{ pointer: '', detail: sentence }] });
}

/**
 * Large bodies that arrive together are parsed one per turn of the event loop, so that others wait for one of them at most. Takes the bytes of a
 * body. Resolves when it may be parsed; small ones never wait.
 */
export function turnsOfBodies(): (bytes: number) => Promise<void> {
  const turn = severalPerTick(1);
  return async (bytes) => {
    if (bytes >= LARGE) await turn();
  };
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

/** The sentence is that of the public API, which clients know. */
function unparsable(): Refusal {
  return new Refusal('BODY_UNPARSABLE', 'error parsing request body');
}

/**
 * Refuses what no schema sees: nesting without end, values without number, names that are longer than any, texts that cannot be
 * stored, and the one name that objects would swallow.
 */
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
  // All at once: thousands of names cost more each by itself.
  if (isOdd(names.join('\n'))) throw new Refusal('BODY_INVALID', oddText('The request body'));
  for (const name of names) {
    if (name.length <= LIMITS.bodyNameLength) continue;
    const sentence = `The request body has a property whose name is longer than ${LIMITS.bodyNameLength} characters: "${name.slice(0, SHOWN)}…". Shorten it.`;
    throw new Refusal('BODY_INVALID', sentence);
  }
}

/** Bytes; what is smaller is parsed and decided in a few milliseconds. */
const LARGE = 16 * 1024;

const SHOWN = 50;
const UTF_8 = new TextDecoder('utf-8', { fatal: true });
