import type { z } from 'zod';
import type { ErrorCode } from '#contract/errors.ts';
import { compiled } from '#backend/domain/compiled.ts';
import { Refusal } from '#backend/domain/errors.ts';
import { checkAgainst } from '#backend/domain/field-errors.ts';
import { refuseOddText } from './odd-text.ts';

/** The names in a path: the first that is wrong is refused with its own sentence (NAME_INVALID). */
export function parseParams<S extends z.ZodObject>(schema: S, found: Readonly<Record<string, string>>): z.output<S> {
  const parsed = compiled(schema).safeParse(found);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const code: ErrorCode = 'NAME_INVALID';
  const name = String(issue?.path[0] ?? 'name');
  throw new Refusal(
    code,
    issue?.code === 'custom' || issue?.code === 'invalid_format' ? issue.message : `The ${name} in the path is not valid.`,
  );
}

/** The query of a call; a parameter that comes twice is an array, which only the authoring proxy takes. */
export function parseQuery<S extends z.ZodObject>(schema: S, url: string): z.output<S> {
  const start = url.indexOf('?');
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(start < 0 ? '' : url.slice(start + 1))) {
    const before = values.get(name);
    if (before === undefined) values.set(name, [value]);
    else before.push(value);
  }
  const query = Object.fromEntries([...values].map(([name, all]) => [name, all.length === 1 ? all[0] : all]));
  refuseOddText(query, 'QUERY_INVALID', 'The query');
  return checkAgainst(schema, query, 'QUERY_INVALID', 'The query');
}
