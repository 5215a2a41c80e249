import { z } from 'zod';
import { LIMITS } from '@repoless/contract/limits.ts';
import { Refusal } from '../domain/errors.ts';
import type { RequestBody } from '@repoless/contract/endpoint.ts';

type Field = string | string[] | number | boolean;

/**
 * A form as a call that takes JSON understands it (clients of the public API send either). In: the text of the form, and
 * what the call takes. Out: its fields by name, as far as the schema asks made lists, numbers and yes/no; whether they are
 * valid is checked like every body. A name that comes twice, or ends in `[]`, is a list.
 */
export function readForm(text: string, { schema, ignoresOtherFields }: RequestBody): Record<string, Field> {
  refuseManyFields(text);
  const fields: Record<string, Field> = {};
  for (const [key, value] of new URLSearchParams(text)) {
    const name = key.replace(/\[\]$/, '');
    if (ignoresOtherFields === true && schema instanceof z.ZodObject && !(name in schema.shape)) continue;
    const before = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (before === undefined) define(fields, name, key === name ? value : [value]);
    else if (Array.isArray(before)) before.push(value);
    else define(fields, name, [String(before), value]);
  }
  for (const issue of objectOf(schema).safeParse(fields).error?.issues ?? []) {
    const [name, ...below] = issue.path;
    if (issue.code !== 'invalid_type' || typeof name !== 'string' || below.length > 0) continue;
    const value = fields[name];
    if (typeof value === 'string') define(fields, name, fitted(value, issue.expected));
  }
  return fields;
}

/** What a form can be, of what a call takes: an object, and not one of its other forms. */
function objectOf(schema: RequestBody['schema']): RequestBody['schema'] {
  if (!(schema instanceof z.ZodUnion)) return schema;
  return schema.options.find((option) => option instanceof z.ZodObject) ?? schema;
}

/** Before they are read: a form of a megabyte can have as many as it has characters. */
export function refuseManyFields(text: string): void {
  let count = 1;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) count += 1;
  if (count <= LIMITS.formFields) return;
  const sentence = `The form has ${count} fields; the limit is ${LIMITS.formFields}.`;
  throw new Refusal('BODY_INVALID', sentence, { errors: [{ pointer: '', detail: sentence }] });
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
