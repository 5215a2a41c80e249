import * as access from '@repoless/contract/access.ts';
import * as assistant from '@repoless/contract/assistant.ts';
import * as audit from '@repoless/contract/audit.ts';
import * as buildManagement from '@repoless/contract/build-management.ts';
import * as cdn from '@repoless/contract/cdn.ts';
import * as codeCheck from '@repoless/contract/code-check.ts';
import * as codeSource from '@repoless/contract/code-source.ts';
import * as consequence from '@repoless/contract/consequence.ts';
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
import * as servedCode from '@repoless/contract/served-code.ts';
import * as service from '@repoless/contract/service.ts';
import * as session from '@repoless/contract/session.ts';
import * as siteCheck from '@repoless/contract/site-check.ts';
import * as siteParts from '@repoless/contract/site-parts.ts';
import * as site from '@repoless/contract/site.ts';
import * as status from '@repoless/contract/status.ts';
import { STATUS_CODES } from 'node:http';
import { z } from 'zod';

export type JsonSchema = Readonly<Record<string, unknown>>;

export interface ConvertedSchemas {
  readonly components: Readonly<Record<string, JsonSchema>>;
  of(schema: z.ZodType): JsonSchema;
  /** The result of `of`, with a reference resolved. */
  resolved(schema: z.ZodType): JsonSchema;
}

/** Converts all schemas of the rows at once, so that shared ones have one name. */
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
      // Not a format of JSON schema; its pattern says the same.
      if (jsonSchema.format === 'starts_with') delete jsonSchema.format;
    },
  });
  const { $defs, prefixItems } = Converted.parse(JSON.parse(inComponents(JSON.stringify(converted))));
  const positions = new Map(schemas.map((schema, index) => [schema, prefixItems[index] ?? {}]));
  const components = withoutIds($defs);
  const of = (schema: z.ZodType) => positions.get(schema) ?? {};
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

/** Their export names in the contract. Objects, lists, records and any value of JSON have one; texts and numbers are inlined. */
function schemaNames(): [name: string, schema: z.ZodType][] {
  const sites = [access, cdn, siteParts, siteCheck, codeSource, endpointParts, history, json, mappings, rollout, site];
  const people = [consequence, credentials, audit, event, org, secret, ofSessions, { SignedInUser }];
  const programs = [assistant, buildManagement, codeCheck, errors, job, servedCode, service, operator, status];
  const exports = [sites, people, programs].flat().flatMap((module) => Object.entries<unknown>(module));
  return exports.filter((entry): entry is [string, z.ZodType] => isNamed(entry[1]));
}

function isNamed(value: unknown): boolean {
  return [z.ZodObject, z.ZodArray, z.ZodRecord, z.ZodUnion, z.ZodUnknown].some((kind) => value instanceof kind);
}

type Item = Readonly<Record<string, JsonSchema>>;

/** What calls of a document have in common, by the names of the references. */
interface SharedParts {
  readonly paths: Readonly<Record<string, Item>>;
  readonly responses: Readonly<Record<string, JsonSchema>>;
  readonly parameters: Readonly<Record<string, JsonSchema>>;
}

/** Refusals and parameters occur once, with references: inlined at each call they are nine tenths of a document. */
export function shareParts(paths: Readonly<Record<string, Item>>): SharedParts {
  const responses = sharedOf('responses', responseName);
  const parameters = sharedOf('parameters', parameterName);
  const each = (change: (operation: JsonSchema) => JsonSchema) =>
    mapValues(paths, (item) => mapValues(item, (operation) => change(operation)));
  each((operation) => {
    for (const [status, response] of Object.entries(responsesOf(operation))) responses.meet(response, status);
    for (const parameter of listOf(operation['parameters'])) parameters.meet(parameter, String(parameter['in']));
    return operation;
  });
  const shared = each((operation) => ({
    ...operation,
    parameters: listOf(operation['parameters']).map((parameter) => parameters.inPlaceOf(parameter)),
    responses: mapValues(responsesOf(operation), (response) => responses.inPlaceOf(response)),
  }));
  return { paths: shared, responses: responses.named(), parameters: parameters.named() };
}

interface Shared {
  /** Registers a part of a call, and where it occurs: at a status, or in a path. All are registered before the first is replaced. */
  meet(part: JsonSchema, location: string): void;
  /** A reference, if several calls have this part and it has a name. */
  inPlaceOf(part: JsonSchema): JsonSchema;
  named(): Record<string, JsonSchema>;
}

/** Parts of one kind. If two different parts would have the same name, one gets a number. */
function sharedOf(kind: 'responses' | 'parameters', nameOf: (part: JsonSchema, location: string) => string | undefined): Shared {
  const met = new Map<string, { readonly part: JsonSchema; readonly location: string; count: number }>();
  let names: ReadonlyMap<string, string> | undefined;
  const nameAll = () => {
    const taken = new Map<string, number>();
    const named = new Map<string, string>();
    for (const [text, { part, location, count }] of met) {
      const name = count > 1 ? nameOf(part, location) : undefined;
      if (name === undefined) continue;
      const times = (taken.get(name) ?? 0) + 1;
      taken.set(name, times);
      named.set(text, times === 1 ? name : `${name}${times}`);
    }
    return named;
  };
  const namesByText = () => (names ??= nameAll());
  return {
    meet(part, location) {
      const text = JSON.stringify(part);
      const known = met.get(text) ?? { part, location, count: 0 };
      known.count += 1;
      met.set(text, known);
    },
    inPlaceOf(part) {
      const name = namesByText().get(JSON.stringify(part));
      return name === undefined ? part : { $ref: `#/components/${kind}/${name}` };
    },
    named: () => Object.fromEntries([...namesByText()].map(([text, name]) => [name, met.get(text)?.part ?? {}])),
  };
}

/** A refusal is named by its code or, if there are several, by its status; so is 304. Any other answer belongs to its call. */
function responseName({ content, headers }: JsonSchema, status: string): string | undefined {
  if (status === '304') return nameOfStatus(status);
  const { [PROBLEM]: problem, ...others } = Object(content);
  const codes: unknown = Object(Object(Object(headers)['x-error-code']).schema).enum;
  if (problem === undefined || !Array.isArray(codes) || Object.keys(others).length > 0) return undefined;
  return codes.length === 1 ? pascal(String(codes[0])) : nameOfStatus(status);
}

const PROBLEM = 'application/problem+json';

function nameOfStatus(status: string): string {
  return (STATUS_CODES[status] ?? '').replaceAll(/[^a-zA-Z]/g, '');
}

/** Queries differ from call to call. */
function parameterName(parameter: JsonSchema, location: string): string | undefined {
  return location === 'query' ? undefined : pascal(String(parameter['name']));
}

/** `NAME_INVALID`, `if-match` and `dryRun` as `NameInvalid`, `IfMatch` and `DryRun`. */
function pascal(name: string): string {
  const words = /[a-z]/.test(name) ? name.split('-') : name.toLowerCase().split('_');
  return words.map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`).join('');
}

function responsesOf(operation: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return Object(operation['responses']);
}

export function listOf(value: unknown): readonly JsonSchema[] {
  return Array.isArray(value) ? value.map((one: unknown) => Object(one)) : [];
}

export function mapValues<T, R>(values: Readonly<Record<string, T>>, change: (value: T) => R): Record<string, R> {
  return mapEntries(values, (_, value) => change(value));
}

export function mapEntries<T, R>(values: Readonly<Record<string, T>>, change: (key: string, value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(key, value)]));
}
