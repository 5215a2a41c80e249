import { type JsonSchema, listOf, mapEntries, mapValues } from './openapi-schemas.ts';
import type { Described } from './openapi-table.ts';

/** Every object and every map gets its own name: generators create types for both, and otherwise choose names that may collide. */
export function namedObjects({ tags, paths, components }: Described): Described {
  const known: Readonly<Record<string, JsonSchema>> = Object(components['schemas']);
  const naming = createNaming(known);
  for (const [name, schema] of Object.entries(known)) naming.component(name, schema);
  const named = mapValues(paths, (item) => mapValues(item, (operation) => withNames(operation, naming)));
  const used = { ...components, schemas: naming.schemas() };
  const tagged = new Set(Object.values(named).flatMap((item) => Object.values(item).flatMap((one) => listOf(one['tags']).map(String))));
  return { tags: tags.filter(({ name }) => tagged.has(String(name))), paths: named, components: onlyUsed(named, used) };
}

interface Naming {
  /** Names the objects inside a component. */
  component(name: string, schema: JsonSchema): void;
  /** A schema of an operation: an object becomes a reference. */
  schemaOrRef(schema: JsonSchema, name: string): JsonSchema;
  schemas(): Readonly<Record<string, JsonSchema>>;
}

function createNaming(known: Readonly<Record<string, JsonSchema>>): Naming {
  const schemas = new Map<string, JsonSchema>();
  const free = (name: string, time = 1): string => {
    const numbered = time === 1 ? name : `${name}${time}`;
    return numbered in known || schemas.has(numbered) ? free(name, time + 1) : numbered;
  };
  const nameOf = (schema: JsonSchema, preferred: string) => {
    const name = free(preferred);
    schemas.set(name, schema);
    return name;
  };
  const inside = (value: JsonSchema, name: string): JsonSchema => {
    const schema = plainSchema(value, known);
    const { properties, items, additionalProperties: values } = schema;
    return {
      ...schema,
      ...(isObject(properties) && {
        properties: mapEntries(properties, (key, one) => schemaOrRef(Object(one), `${name}${pascal(key)}`)),
      }),
      ...(isObject(items) && { items: schemaOrRef(items, `${name}Item`) }),
      ...(isObject(values) && { additionalProperties: schemaOrRef(values, `${name}Value`) }),
      ...variants(schema, (one) => schemaOrRef(one, `${name}${variantOf(one)}`)),
    };
  };
  const schemaOrRef = (value: JsonSchema, name: string): JsonSchema => {
    const schema = inside(value, name);
    return needsName(schema) ? { $ref: `#/components/schemas/${nameOf(schema, name)}` } : schema;
  };
  return {
    component(name, schema) {
      schemas.set(name, inside(schema, name));
    },
    schemaOrRef,
    schemas: () => Object.fromEntries(schemas),
  };
}

function variants(schema: JsonSchema, change: (one: JsonSchema) => JsonSchema): JsonSchema {
  const changed = (['anyOf', 'oneOf'] as const).flatMap((key): [string, JsonSchema[]][] => {
    const list = schema[key];
    return Array.isArray(list) ? [[key, list.map((one: unknown) => change(Object(one)))]] : [];
  });
  return Object.fromEntries(changed);
}

/** What distinguishes a variant from the others: its constant. */
function variantOf({ properties }: JsonSchema): string {
  const constants = Object.values(Object(properties)).map((one) => Object(one).const);
  const [constant = 'Object'] = constants.filter((one) => typeof one === 'string');
  return pascal(String(constant));
}

function needsName({ type, properties, additionalProperties }: JsonSchema): boolean {
  return type === 'object' && (isObject(properties) || (isObject(additionalProperties) && Object.keys(additionalProperties).length > 0));
}

function withNames(operation: JsonSchema, naming: Naming): JsonSchema {
  const own = pascal(String(operation['operationId']));
  const { parameters, requestBody, responses } = operation;
  return {
    ...operation,
    parameters: listOf(parameters).map((parameter) => ({
      ...parameter,
      schema: naming.schemaOrRef(Object(parameter['schema']), `${own}${pascal(String(parameter['name']))}`),
    })),
    ...(isObject(requestBody) && { requestBody: contentNamed(requestBody, `${own}Body`, naming) }),
    responses: mapEntries(Object(responses), (status, one) => contentNamed(Object(one), `${own}${status}`, naming)),
  };
}

function contentNamed(part: JsonSchema, name: string, naming: Naming): JsonSchema {
  if (!isObject(part['content'])) return part;
  const content = mapValues(part['content'], (body) => {
    const { schema, ...rest } = Object(body);
    return isObject(schema) ? { schema: naming.schemaOrRef(schema, name), ...rest } : rest;
  });
  return { ...part, content };
}

/** The components that the paths, directly or indirectly, refer to. */
function onlyUsed(paths: Described['paths'], components: JsonSchema): JsonSchema {
  const used = new Set<string>();
  const follow = (value: unknown): void => {
    for (const [, reference = ''] of JSON.stringify(value).matchAll(/"\$ref":"#\/components\/([^"]+)"/g)) {
      if (used.has(reference)) continue;
      used.add(reference);
      const [kind = '', name = ''] = reference.split('/');
      follow(Object(components[kind])[name]);
    }
  };
  follow(paths);
  const security = new Set([...JSON.stringify(paths).matchAll(/\{"(\w+)":\[\]\}/g)].map(([, scheme = '']) => `securitySchemes/${scheme}`));
  return mapEntries(components, (kind, parts) =>
    Object.fromEntries(Object.entries(Object(parts)).filter(([name]) => used.has(`${kind}/${name}`) || security.has(`${kind}/${name}`))),
  );
}

function pascal(name: string): string {
  const words = name.split(/[^a-zA-Z0-9]+/).filter((word) => word !== '');
  return words.map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`).join('');
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * One schema, without those inside it, in the part of JSON Schema that client generators support: a reference without siblings, variants of
 * one object as an object with the fields of all, integers by size. It may accept more, but never less.
 */
function plainSchema(value: JsonSchema, known: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const schema = merged(value, known);
  const { $ref } = schema;
  if (typeof $ref === 'string') return isAnything(referred($ref, known)) ? referred($ref, known) : { $ref };
  return withoutPatternOfFormat(wholeNumber(withoutConstant(schema)));
}

/** No generator creates a useful type for it, and some may not refer to it by name. */
function isAnything(schema: JsonSchema): boolean {
  return Object.keys(schema).every((key) => key === 'description');
}

function referred($ref: string, known: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return known[$ref.replace('#/components/schemas/', '')] ?? {};
}

/** An object that is one of several, each with its own fields, as one: a field is required if all require it. */
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

/** Either of the constants; otherwise the known schema, which a variant only narrows. */
function either(known: JsonSchema | undefined, field: JsonSchema): JsonSchema {
  if (known === undefined) return field;
  const constants = [known, field].flatMap((one) => (Array.isArray(one['enum']) ? one['enum'] : 'const' in one ? [one['const']] : []));
  return 'const' in field ? { type: field['type'], enum: [...new Set<unknown>(constants)] } : known;
}

/** A generator may take a constant for a text, or create a separate class for it, whatever its type. */
function withoutConstant(schema: JsonSchema): JsonSchema {
  const { const: only, ...rest } = schema;
  if (only === undefined || typeof only === 'string') return schema;
  return {
    ...rest,
    description: `always ${JSON.stringify(only)}`,
    ...(Number.isInteger(only) && { type: 'integer', minimum: only, maximum: only }),
  };
}

/** Zod includes JavaScript's range of numbers; a generator takes an integer without a size for one of 32 bits. */
function wholeNumber({ minimum, maximum, ...schema }: JsonSchema): JsonSchema {
  const bounds = {
    ...(typeof minimum === 'number' && minimum > Number.MIN_SAFE_INTEGER && { minimum }),
    ...(typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER && { maximum }),
  };
  const isLarge = schema['type'] === 'integer' && schema['enum'] === undefined && !(Number(bounds.maximum) < 2 ** 31);
  return { ...schema, ...bounds, ...(isLarge && { format: 'int64' }) };
}

/** A format says the same, and a parsed date is no longer a text that a pattern could match. */
function withoutPatternOfFormat({ pattern, ...schema }: JsonSchema): JsonSchema {
  return { ...schema, ...(pattern !== undefined && schema['format'] === undefined && { pattern }) };
}
