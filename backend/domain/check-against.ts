import type { ErrorCode } from '@repoless/contract/errors.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { problemOf, valueSentence } from '@repoless/contract/value-problems.ts';
import { z } from 'zod';
import { oncePerDocument } from './documents.ts';

/** The value as parsed by the schema, or a Refusal with a pointer and a message for each invalid field. */
export function checkAgainst<S extends z.ZodType>(schema: S, value: unknown, code: ErrorCode, what: string): z.output<S> {
  const parsed = compiled(schema).safeParse(value, { error: valueSentence });
  if (parsed.success) return parsed.data;
  const { sentence, errors } = problemOf(parsed.error.issues, what);
  throw new Refusal(code, sentence, { errors });
}

const made = oncePerDocument((schema: z.ZodType) => z.compile(schema));

/**
 * The same schema as one compiled function, created at its first use, at a third of the cost. Values that it rejects are checked by the
 * schema itself, which explains the errors. The cast is safe: zod derives a schema of the same type.
 */
export function compiled<S extends z.ZodType>(schema: S): S {
  return made(schema) as S;
}
