import type { z } from 'zod';

type Field = string | string[] | number | boolean;

/**
 * A form as a call that takes JSON understands it (clients of the public API send either). In: the text of the form, and the
 * schema of the body. Out: its fields by name, as far as the schema asks made lists, numbers and yes/no; whether they are
 * valid is checked like every body. A name that comes twice, or ends in `[]`, is a list.
 */
export function readForm(text: string, schema: z.ZodType): Record<string, Field> {
  const fields: Record<string, Field> = {};
  for (const [key, value] of new URLSearchParams(text)) {
    const name = key.replace(/\[\]$/, '');
    const before = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (before === undefined) define(fields, name, key === name ? value : [value]);
    else define(fields, name, [before, value].flat().map(String));
  }
  for (const issue of schema.safeParse(fields).error?.issues ?? []) {
    const [name, ...below] = issue.path;
    if (issue.code !== 'invalid_type' || typeof name !== 'string' || below.length > 0) continue;
    const value = fields[name];
    if (typeof value === 'string') define(fields, name, fitted(value, issue.expected));
  }
  return fields;
}

// A field may be named like what every object has.
function define(fields: Record<string, Field>, name: string, value: Field): void {
  Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true });
}

function fitted(value: string, expected: string): Field {
  if (expected === 'array') return [value];
  if (expected === 'number' && value.trim() !== '' && Number.isFinite(Number(value))) return Number(value);
  if (expected === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}
