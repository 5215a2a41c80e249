import type { ErrorCode } from '@repoless/contract/errors.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { problemOf, valueSentence } from '@repoless/contract/value-problems.ts';
import { z } from 'zod';
import { oncePerDocument } from './documents.ts';

/** The value as the schema reads it, or a Refusal with a pointer and a sentence for each invalid field. */
export function checkAgainst<S extends z.ZodType>(schema: S, value: unknown, code: ErrorCode, what: string): z.output<S> {
  const parsed = compiled(schema).safeParse(value, { error: valueSentence });
  if (parsed.success) return parsed.data;
  const { sentence, errors } = problemOf(parsed.error.issues, what);
  throw new Refusal(code, sentence, { errors });
}

const made = oncePerDocument((schema: z.ZodType) => z.compile(schema));

/**
 * The same schema as one function, made at its first use, for a third of the cost. What that does not take is checked by the schema
 * itself, which says what is wrong. The cast is safe: zod makes of a schema one of its own type.
 */
export function compiled<S extends z.ZodType>(schema: S): S {
  return made(schema) as S;
}
