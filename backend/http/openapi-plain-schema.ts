import type { JsonSchema } from './openapi-schemas.ts';

/**
 * One schema, without those inside of it, in the part of JSON Schema that generators of clients read: a reference alone, variants of
 * one object as an object with the fields of all, whole numbers by their size. What it lets through may be more, and never less.
 */
export function plainSchema(given: JsonSchema, known: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const schema = merged(given, known);
  const { $ref } = schema;
  if (typeof $ref === 'string') return isAnything(referred($ref, known)) ? referred($ref, known) : { $ref };
  return withoutPatternOfFormat(wholeNumber(withoutConstant(schema)));
}

/** No generator makes a type of it that is of use, and some may not call it by its name. */
function isAnything(schema: JsonSchema): boolean {
  return Object.keys(schema).every((key) => key === 'description');
}

function referred($ref: string, known: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return known[$ref.replace('#/components/schemas/', '')] ?? {};
}

/** An object that is one of several, each with fields of its own, as one: what all require is required. */
function merged(schema: JsonSchema, known: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const { anyOf, $ref, ...own } = schema;
  const variants = Array.isArray(anyOf) ? anyOf.map((one: unknown): JsonSchema => Object(one)) : [];
  if (variants.length === 0 || (own['type'] !== 'object' && $ref === undefined)) return schema;
  const base = typeof $ref === 'string' ? { ...referred($ref, known), ...own } : own;
  const required = variants.map((one) => new Set(Array.isArray(one['required']) ? one['required'] : []));
  const [first = new Set()] = required;
  const fields: Record<string, JsonSchema> = { ...Object(base['properties']) };
  for (const { properties } of variants)
    for (const [name, field] of Object.entries<JsonSchema>(Object(properties))) fields[name] = either(fields[name], field);
  return {
    ...base,
    properties: fields,
    required: [...first].filter((name) => required.every((names) => names.has(name))),
    ...(variants.every((one) => one['additionalProperties'] === false) && { additionalProperties: false }),
  };
}

/** One constant or another; else what is known, for a variant only narrows it. */
function either(known: JsonSchema | undefined, field: JsonSchema): JsonSchema {
  if (known === undefined) return field;
  const constants = [known, field].flatMap((one) => (Array.isArray(one['enum']) ? one['enum'] : 'const' in one ? [one['const']] : []));
  return 'const' in field ? { type: field['type'], enum: [...new Set<unknown>(constants)] } : known;
}

/** A generator may take a constant for a text, or make a class of its own of it, whatever its type. */
function withoutConstant(schema: JsonSchema): JsonSchema {
  const { const: only, ...rest } = schema;
  if (only === undefined || typeof only === 'string') return schema;
  return {
    ...rest,
    description: `always ${JSON.stringify(only)}`,
    ...(Number.isInteger(only) && { type: 'integer', minimum: only, maximum: only }),
  };
}

/** Zod writes out how large a number of JavaScript may be; a generator takes an integer without a size for one of 32 bits. */
function wholeNumber({ minimum, maximum, ...schema }: JsonSchema): JsonSchema {
  const bounds = {
    ...(typeof minimum === 'number' && minimum > Number.MIN_SAFE_INTEGER && { minimum }),
    ...(typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER && { maximum }),
  };
  const isLarge = schema['type'] === 'integer' && schema['enum'] === undefined && !(Number(bounds.maximum) < 2 ** 31);
  return { ...schema, ...bounds, ...(isLarge && { format: 'int64' }) };
}

/** A format says the same, and a date that was read is no text any more that could be compared with a pattern. */
function withoutPatternOfFormat({ pattern, ...schema }: JsonSchema): JsonSchema {
  return { ...schema, ...(pattern !== undefined && schema['format'] === undefined && { pattern }) };
}
