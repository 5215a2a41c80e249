import { z } from 'zod';
import type { Endpoint } from '@repoless/contract/endpoint.ts';
import { Problem } from '@repoless/contract/errors.ts';
import { schemaNames } from './schema-names.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

export interface ConvertedSchemas {
  readonly components: Readonly<Record<string, JsonSchema>>;
  /** The JSON schema of a schema that was given to `convertSchemas`. */
  of(schema: z.ZodType): JsonSchema;
  /** The same, itself where `of` refers to it by its name. */
  resolved(schema: z.ZodType): JsonSchema;
}

/** Converts all schemas of the rows at once, so that what they share has one name. */
export function convertSchemas(rows: readonly Endpoint[]): ConvertedSchemas {
  const others = new Set(rows.flatMap(schemasOf));
  others.delete(Problem);
  const schemas: [z.ZodType, ...z.ZodType[]] = [Problem, ...others];
  const names = z.registry<{ id: string }>();
  for (const [id, schema] of schemaNames()) names.add(schema, { id });
  const converted = z.toJSONSchema(z.tuple(schemas), {
    io: 'input',
    unrepresentable: 'any',
    metadata: names,
    override({ zodSchema, jsonSchema }) {
      Object.assign(jsonSchema, z.globalRegistry.get(zodSchema));
      // No format of JSON schema; its pattern says the same.
      if (jsonSchema.format === 'starts_with') delete jsonSchema.format;
    },
  });
  const { $defs, prefixItems } = Converted.parse(JSON.parse(inComponents(JSON.stringify(converted))));
  const places = new Map(schemas.map((schema, index) => [schema, prefixItems[index] ?? {}]));
  const components = withoutIds($defs);
  const of = (schema: z.ZodType) => places.get(schema) ?? {};
  const resolved = (schema: z.ZodType) => components[String(of(schema)['$ref']).replace('#/components/schemas/', '')] ?? of(schema);
  return { components, of, resolved };
}

const AnySchema = z.record(z.string(), z.unknown());
const Converted = z.object({ $defs: z.record(z.string(), AnySchema), prefixItems: z.array(AnySchema) });

function schemasOf(row: Endpoint): z.ZodType[] {
  const answers = Object.values(row.answers).flatMap(({ schema }) => (schema === undefined ? [] : [schema]));
  const parameters = [...Object.values(row.params.shape), ...Object.values(row.query.shape)];
  return [...answers, ...(row.body === undefined ? [] : [row.body.schema]), ...parameters.filter((one) => one instanceof z.ZodType)];
}

function inComponents(json: string): string {
  return json.replaceAll('#/$defs/', '#/components/schemas/');
}

function withoutIds(definitions: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  const withoutId = (schema: JsonSchema) => Object.fromEntries(Object.entries(schema).filter(([key]) => key !== 'id'));
  return Object.fromEntries(Object.entries(definitions).map(([name, schema]) => [name, withoutId(schema)]));
}
