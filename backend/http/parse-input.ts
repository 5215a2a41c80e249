import type { z } from 'zod';
import type { ErrorCode } from '#contract/errors.ts';
import { Refusal } from '#backend/domain/errors.ts';
import { checkAgainst } from './field-errors.ts';

/** The names in a path: the first that is wrong is refused with its own sentence (NAME_INVALID). */
export function parseParams<S extends z.ZodObject>(schema: S, found: Readonly<Record<string, string>>): z.output<S> {
  const parsed = schema.safeParse(found);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const code: ErrorCode = 'NAME_INVALID';
  const name = String(issue?.path[0] ?? 'name');
  throw new Refusal(
    code,
    issue?.code === 'custom' || issue?.code === 'invalid_format' ? issue.message : `The ${name} in the path is not valid.`,
  );
}

/** The query of a call; a parameter that comes twice is an array, which only the relay takes. */
export function parseQuery<S extends z.ZodObject>(schema: S, url: string): z.output<S> {
  const start = url.indexOf('?');
  const query: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(start < 0 ? '' : url.slice(start + 1))) {
    const before = Object.hasOwn(query, name) ? query[name] : undefined;
    query[name] = before === undefined ? value : [before, value].flat();
  }
  return checkAgainst(schema, query, 'QUERY_INVALID', 'The query');
}
