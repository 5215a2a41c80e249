import { z } from 'zod';
import { oncePerDocument } from './once-per-document.ts';

const made = oncePerDocument((schema: z.ZodType) => z.compile(schema));

/**
 * The same schema as one function, made at its first use, for a third of the cost. What that does not take is checked by the schema
 * itself, which says what is wrong. The cast is safe: zod makes of a schema one of its own type.
 */
export function compiled<S extends z.ZodType>(schema: S): S {
  return made(schema) as S;
}
