import type { JsonSchema } from '#backend/http/openapi-schemas.ts';

/** A field of a body, or a parameter: its name with those above it, and its rule in words. */
export interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly rule: string;
}

/** The fields of an object, those of inner objects with the names above them. What has a name of its own is linked, not entered. */
export function fieldsOf(schema: JsonSchema, above = ''): Field[] {
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(record(schema['properties'])).flatMap(([name, value]) => {
    const inner = record(value);
    const path = `${above}${name}`;
    const deeper = hasFields(inner)
      ? fieldsOf(inner, `${path}.`)
      : hasFields(record(inner['items']))
        ? fieldsOf(record(inner['items']), `${path}[].`)
        : [];
    return [
      { name: path, required: required.includes(name), rule: deeper.length > 0 ? ruleOf({ type: inner['type'] }) : ruleOf(inner) },
      ...deeper,
    ];
  });
}

/** What a value may be, in a few words. */
export function ruleOf(schema: JsonSchema): string {
  const { $ref: ref, description, pattern, format, minLength, maxLength, minimum, maximum, maxItems } = schema;
  if (typeof ref === 'string') return linkOf(ref);
  const { const: only, enum: choices, anyOf, oneOf } = schema;
  if (only !== undefined) return code(only);
  if (Array.isArray(choices)) return choices.map((one: unknown) => code(one)).join(', ');
  const unions = [anyOf, oneOf].find((one) => Array.isArray(one));
  if (Array.isArray(unions)) return [...new Set(unions.map((one) => ruleOf(record(one))))].filter((one) => one !== '').join(', or ');
  const said = typeof description === 'string' ? description : '';
  const form = said === '' && typeof pattern === 'string' && typeof format !== 'string' ? `pattern ${code(pattern, false)}` : '';
  const limits = [
    typeof format === 'string' ? (FORMATS[format] ?? '') : form,
    ...(Number(minLength) > 1 ? [`at least ${String(minLength)} characters`] : []),
    ...(typeof maxLength === 'number' ? [`at most ${maxLength} characters`] : []),
    ...(typeof minimum === 'number' && Math.abs(minimum) < Number.MAX_SAFE_INTEGER ? [`from ${minimum}`] : []),
    ...(typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER ? [`to ${maximum}`] : []),
    ...(typeof maxItems === 'number' ? [`at most ${maxItems}`] : []),
  ];
  return [said === '' ? typeOf(schema) : said, ...limits.filter((one) => one !== '')].join('; ');
}

const FORMATS: Readonly<Record<string, string>> = { 'date-time': 'a time (ISO 8601)', uri: 'an address', uuid: 'a UUID' };

function typeOf(schema: JsonSchema): string {
  switch (schema['type']) {
    case 'string':
      return 'text';
    case 'integer':
      return 'whole number';
    case 'number':
      return 'number';
    case 'boolean':
      return '`true` or `false`';
    case 'null':
      return '`null`';
    case 'array':
      return schema['items'] === undefined ? 'list' : `list of ${ruleOf(record(schema['items']))}`;
    case 'object':
      return objectType(schema);
    default:
      return 'any JSON';
  }
}

function objectType(schema: JsonSchema): string {
  const values = schema['additionalProperties'];
  if (hasFields(schema))
    return `object with ${Object.keys(record(schema['properties']))
      .map((name) => code(name, false))
      .join(', ')}`;
  if (typeof values !== 'object') return 'object';
  const inner = ruleOf(record(values));
  return `object of any names${inner === '' || inner === 'any JSON' ? '' : `, each ${inner}`}`;
}

function hasFields(schema: JsonSchema): boolean {
  return Object.keys(record(schema['properties'])).length > 0;
}

/** Schemas with a name stand on the page of fields. */
function linkOf(ref: string): string {
  const name = ref.split('/').at(-1) ?? ref;
  return name === 'Json' ? 'any JSON' : `[${name}](fields.md#${name.toLowerCase()})`;
}

function code(value: unknown, asJson = true): string {
  const text = asJson ? JSON.stringify(value) : String(value);
  return `\`${text.replaceAll('|', String.raw`\|`)}\``;
}

function record(value: unknown): JsonSchema {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
