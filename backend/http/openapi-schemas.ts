import * as access from '@repoless/contract/access.ts';
import * as assistant from '@repoless/contract/assistant.ts';
import * as audit from '@repoless/contract/audit.ts';
import * as buildManagement from '@repoless/contract/build-management.ts';
import * as codeCheck from '@repoless/contract/code-check.ts';
import * as codeSource from '@repoless/contract/code-source.ts';
import * as credentials from '@repoless/contract/credentials.ts';
import * as endpointParts from '@repoless/contract/endpoint-parts.ts';
import type { Endpoint } from '@repoless/contract/endpoint.ts';
import { Problem } from '@repoless/contract/errors.ts';
import * as errors from '@repoless/contract/errors.ts';
import * as event from '@repoless/contract/event.ts';
import * as history from '@repoless/contract/history.ts';
import * as job from '@repoless/contract/job.ts';
import * as json from '@repoless/contract/json.ts';
import * as mappings from '@repoless/contract/mappings.ts';
import * as operator from '@repoless/contract/operator.ts';
import * as org from '@repoless/contract/org.ts';
import * as rollout from '@repoless/contract/rollout.ts';
import * as secret from '@repoless/contract/secret.ts';
import * as service from '@repoless/contract/service.ts';
import * as session from '@repoless/contract/session.ts';
import * as siteCheck from '@repoless/contract/site-check.ts';
import * as siteParts from '@repoless/contract/site-parts.ts';
import * as site from '@repoless/contract/site.ts';
import * as status from '@repoless/contract/status.ts';
import { z } from 'zod';

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

const { Profile: SignedInUser, ...ofSessions } = session;

/**
 * The names of schemas in the documents for other programs: what the contract exports them as. Objects, lists, records
 * and any value of JSON have one; texts and numbers are written out where they stand.
 */
function schemaNames(): [name: string, schema: z.ZodType][] {
  const sites = [access, siteParts, siteCheck, codeSource, endpointParts, history, json, mappings, rollout, site];
  const people = [credentials, audit, event, org, secret, ofSessions, { SignedInUser }];
  const programs = [assistant, buildManagement, codeCheck, errors, job, service, operator, status];
  const exports = [sites, people, programs].flat().flatMap((module) => Object.entries<unknown>(module));
  return exports.filter((entry): entry is [string, z.ZodType] => isNamed(entry[1]));
}

function isNamed(value: unknown): boolean {
  return [z.ZodObject, z.ZodArray, z.ZodRecord, z.ZodUnion, z.ZodUnknown].some((kind) => value instanceof kind);
}
