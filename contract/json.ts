import { z } from 'zod';
import { LIMITS } from './limits.ts';

/**
 * Any value of JSON. A predicate, where `z.json()` is a schema that refers to itself: what holds such a one is checked at several times
 * the cost, for it must be looked after that no value leads back to itself, and cannot be compiled.
 */
export const Json = typed(z.unknown().refine(isJson, { error: problemOf }).meta({ description: 'any JSON value' }));

/** The cast is safe: the predicate lets nothing else through. */
function typed(schema: z.ZodUnknown): z.ZodType<z.core.util.JSONType, z.core.util.JSONType> {
  return schema as unknown as z.ZodType<z.core.util.JSONType, z.core.util.JSONType>;
}

/** What is missing is called so by whoever reads: a file names the property, a call its place. */
function problemOf({ input }: { readonly input?: unknown }): string | undefined {
  return input === undefined ? undefined : 'Write a value of JSON.';
}

function isJson(value: unknown): boolean {
  return isJsonWithin(value, LIMITS.bodyDepth);
}

/** What is nested deeper than a body may be is none: an alias of YAML, for one, may stand within what it means. */
function isJsonWithin(value: unknown, depth: number): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value);
    case 'object':
      if (value === null) return true;
      return depth > 0 && (Array.isArray(value) || isPlain(value)) && Object.values(value).every((item) => isJsonWithin(item, depth - 1));
    default:
      return false;
  }
}

function isPlain(value: object): boolean {
  const made: unknown = Object.getPrototypeOf(value);
  return made === Object.prototype || made === null;
}
