import { createPatch } from 'rfc6902';
import type { Operation, Pointer } from 'rfc6902';
import type { Patch } from '#contract/history.ts';
import { sameValue } from './canonical.ts';

/**
 * What makes the one document of the other, as a JSON patch (RFC 6902). The times that the service sets are no difference.
 * In: documents, or null (or undefined) where there is none.
 */
export function difference(before: unknown, after: unknown): Patch {
  return createPatch(timeless(before ?? null), timeless(after ?? null), wholeLists).map((operation) => ({ ...operation }));
}

/** The document without the times that the service sets. */
export function timeless(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { created: _created, lastModified: _lastModified, ...rest } = value as Record<string, unknown>;
  return rest;
}

// The shortest difference of two lists costs time and room by the product of their lengths: long ones are replaced whole.
function wholeLists(before: unknown, after: unknown, pointer: Pointer): Operation[] | undefined {
  if (!Array.isArray(before) || !Array.isArray(after) || before.length * after.length <= COMPARED_PAIRS) return undefined;
  return sameValue(before, after) ? [] : [{ op: 'replace', path: pointer.toString(), value: after }];
}

const COMPARED_PAIRS = 2500;
