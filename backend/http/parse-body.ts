import type { RequestBody } from '#contract/endpoint.ts';
import { Refusal } from '#backend/domain/errors.ts';
import { checkAgainst } from './field-errors.ts';
import { readForm } from './form-body.ts';
import type { RawBody } from './request-body.ts';

/** Deeper bodies are no configuration; they would exhaust the stack of whoever walks them. */
const DEEPEST = 64;

/** The body of a call, parsed and checked against its row. Refuses with BODY_UNPARSABLE, BODY_MISSING or BODY_INVALID. */
export function parseBody(raw: RawBody | undefined, expected: RequestBody): unknown {
  if (raw === undefined) {
    if (expected.optional === true) return undefined;
    throw unparsable();
  }
  if (expected.raw === true) return raw.bytes;
  const value = readValue(raw, expected);
  refuseTraps(value);
  return checkAgainst(expected.schema, value, 'BODY_INVALID', 'The request body');
}

function readValue({ media, bytes }: RawBody, expected: RequestBody): unknown {
  switch (media) {
    case 'application/json':
      return parseJson(text(bytes));
    case 'application/x-www-form-urlencoded':
      return readForm(text(bytes), expected.schema);
    case 'text/plain':
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
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw unparsable();
  }
}

/** The sentence is that of the public API, which clients know. */
function unparsable(): Refusal {
  return new Refusal('BODY_UNPARSABLE', 'error parsing request body');
}

/** Refuses what no schema sees: nesting without end, and the one name that objects would swallow. */
function refuseTraps(value: unknown, depth = 0): void {
  if (depth > DEEPEST) throw new Refusal('BODY_INVALID', `The request body is nested deeper than ${DEEPEST} levels.`);
  if (typeof value !== 'object' || value === null) return;
  if (Object.hasOwn(value, '__proto__')) throw new Refusal('BODY_INVALID', 'The request body has a property "__proto__". Remove it.');
  for (const item of Object.values(value)) refuseTraps(item, depth + 1);
}
