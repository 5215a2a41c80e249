type Schema = Readonly<Record<string, unknown>>;

/**
 * Closes every object of an OpenAPI document (plain JSON) that is not declared open, so that answers may contain only properties
 * that the document names.
 */
export function closeAnswers(document: unknown): unknown {
  if (Array.isArray(document)) return document.map(closeAnswers);
  if (!isObject(document)) return document;
  return Object.fromEntries(
    Object.entries(document).map(([key, value]) => {
      if (key === 'schemas') return [key, mapValues(value, closeSchema)];
      return [key, key === 'schema' ? closeSchema(value) : closeAnswers(value)];
    }),
  );
}

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const ONE = ['items', 'additionalProperties', 'propertyNames', 'not'];
const LIST = ['anyOf', 'oneOf', 'prefixItems'];
const NAMED = ['properties', '$defs'];

function closeSchema(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (ONE.includes(key)) return [key, closeSchema(value)];
      if (LIST.includes(key) && Array.isArray(value)) return [key, value.map(closeSchema)];
      return [key, NAMED.includes(key) ? mapValues(value, closeSchema) : value];
    }),
  );
  const closes = schema['type'] === 'object' && 'properties' in schema && !('additionalProperties' in schema);
  return closes ? { ...inner, additionalProperties: false } : inner;
}

function mapValues(value: unknown, change: (value: unknown) => unknown): unknown {
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, change(one)])) : value;
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
