import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { acceptedMedia, isWrite } from '@repoless/contract/endpoint.ts';
import { allEndpoints } from '@repoless/contract/endpoints.ts';
import { aliasesDocument, buildManagementDocument, dryRunDocument, openApiDocument } from '@repoless/service/http/openapi.ts';
import { expandReferences } from '../support/expand-references.ts';

type Schema = Readonly<Record<string, unknown>>;
interface Operation {
  readonly operationId: string;
  readonly 'x-dry-run-of'?: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean; readonly schema: Schema }[];
  readonly requestBody?: { readonly description?: string; readonly content: Readonly<Record<string, { readonly schema?: Schema }>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }>>;
  readonly security?: readonly unknown[];
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const at = ['https://admin.example.com', '1.2.3'] as const;
const documents = {
  'the service': readDocument(openApiDocument(...at)),
  'its other addresses': readDocument(aliasesDocument(...at)),
  'its dry runs': readDocument(dryRunDocument(...at)),
  'build management': readDocument(buildManagementDocument(...at)),
};
const service = byId(documents['the service']);
const writes = allEndpoints().filter(([, row]) => isWrite(row));
const withDryRunCalls = allEndpoints().filter(([, row]) => 'dryRun' in row.query.shape);

describe.each(Object.entries(documents))('for generators, the document of %s', (_, document) => {
  const operations = operationsOf(document);

  it('has each body and answer in one media type, besides problems', () => {
    const forms = (content: object = {}) => Object.keys(content).filter((media) => media !== 'application/problem+json');
    const several = operations.filter(({ requestBody, responses }) =>
      [requestBody, ...Object.values(responses)].some((part) => forms(part?.content).length > 1),
    );
    expect(several.map(({ operationId }) => operationId)).toEqual([]);
  });

  it('does not declare a call as public that answers 401', () => {
    const contradicting = operations.filter(({ security, responses }) => security?.length === 0 && '401' in responses);
    expect(contradicting.map(({ operationId }) => operationId)).toEqual([]);
  });

  it('declares every path parameter, and no name twice', () => {
    for (const [path, item] of Object.entries(document.paths)) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const { operationId, parameters } of Object.values(item)) {
        const names = parameters.map(({ name }) => name);
        expect([operationId, parameters.filter((one) => one.in === 'path').map(({ name }) => name)]).toEqual([
          operationId,
          expect.arrayContaining(inPath),
        ]);
        expect([operationId, names.length]).toEqual([operationId, new Set(names).size]);
      }
    }
  });

  it('names every object and map', () => {
    const nameless = schemasOf(document).filter(({ schema, isComponent }) => !isComponent && isObjectOrMap(schema));
    expect(nameless.map(({ location }) => location)).toEqual([]);
  });

  it('has nothing next to a reference, and no boolean constants', () => {
    const wrong = schemasOf(document).filter(
      ({ schema }) => ('$ref' in schema && Object.keys(schema).length > 1) || typeof schema['const'] === 'boolean',
    );
    expect(wrong.map(({ location }) => location)).toEqual([]);
  });

  it('has no choice between a map and another type, for which Java has no name', () => {
    const isMap = (schema: Schema) =>
      schema['additionalProperties'] !== undefined && !('properties' in schema) && schema['type'] === 'object';
    const mixed = schemasOf(document).filter(({ schema }) => variants(schema).some((one) => isMap(resolved(document, one))));
    expect(mixed.map(({ location }) => location)).toEqual([]);
  });

  it('declares numbers that may be large as int64', () => {
    const small = schemasOf(document).filter(
      ({ schema }) =>
        schema['type'] === 'integer' &&
        !('enum' in schema) &&
        schema['format'] !== 'int64' &&
        !(Number(schema['maximum'] ?? schema['const']) < 2 ** 31),
    );
    expect(small.map(({ location }) => location)).toEqual([]);
  });
});

describe('the document of the service', () => {
  it.each(allEndpoints())('describes %s, with its body as JSON if that is accepted', (id, row) => {
    const operation = service.get(id);
    expect(operation?.operationId).toBe(id);
    if (row.body === undefined) return;
    // Its body is always empty.
    if (row.body.optional === true && row.body.schema instanceof z.ZodObject && Object.keys(row.body.schema.shape).length === 0) {
      expect(operation?.requestBody).toBeUndefined();
      return;
    }
    const [media, ...others] = Object.keys(operation?.requestBody?.content ?? {});
    const taken = acceptedMedia(row.body);
    expect(others).toEqual([]);
    expect(media).toBe(['application/json', 'text/plain'].find((one) => taken.some((form) => form === one)) ?? taken[0]);
    for (const other of taken.filter((one) => one !== media)) expect(operation?.requestBody?.description).toContain(`\`${other}\``);
  });

  it.each([
    ['login', '200', 'LoginLinks'],
    ['profile', '200', 'ProfileAnswer'],
    ['profile', '401', 'ProfileRefused'],
    ['getOrg', '200', 'Org'],
    ['putSite', '200', 'Site'],
    ['putSite', '201', 'Site'],
    ['setSiteHeaders', '200', 'Headers'],
    ['putSite', '404', 'Problem'],
  ])('declares that %s answers %s as %s', (id, status, name) => {
    const schemas = Object.values(service.get(id)?.responses[status]?.content ?? {}).map(({ schema }) => schema);
    expect(schemas).toEqual([{ $ref: `#/components/schemas/${name}` }]);
  });

  it('declares the answers of actual writes, and refers to the document of dry runs', () => {
    for (const [id] of writes) {
      const { parameters = [], responses = {}, ...operation } = service.get(id) ?? {};
      expect([id, parameters.some(({ name }) => name === 'dryRun')]).toEqual([id, false]);
      expect([id, JSON.stringify(responses).includes('DryRun')]).toEqual([id, false]);
      expect([id, Object.keys(responses).some((status) => status.startsWith('2'))]).toEqual([id, true]);
      expect(operation).toMatchObject({ description: expect.stringContaining('/openapi-dry-run.json') });
    }
  });
});

describe('the document of dry runs', () => {
  it('has a dry run of every write, with its answer, and nothing else', () => {
    const operations = operationsOf(documents['its dry runs']);
    expect(operations.map((one) => String(one['x-dry-run-of'])).toSorted()).toEqual(withDryRunCalls.map(([id]) => id).toSorted());
    for (const { operationId, parameters, responses } of operations) {
      expect(operationId).toMatch(/DryRun$/);
      expect(parameters).toContainEqual({ name: 'dryRun', in: 'query', required: true, schema: { type: 'string', enum: ['true'] } });
      expect(Object.keys(responses).filter((status) => Number(status) < 400)).toEqual(['200']);
      expect(responses['200']?.content).toEqual({ 'application/json': { schema: { $ref: '#/components/schemas/DryRun' } } });
    }
  });
});

/** The cast is safe: only properties that the generator writes are read. */
function readDocument(document: unknown): Document {
  return expandReferences(document) as Document;
}

function operationsOf(document: Document): Operation[] {
  return Object.values(document.paths).flatMap((item) => Object.values(item));
}

function byId(document: Document): ReadonlyMap<string, Operation> {
  return new Map(operationsOf(document).map((operation) => [operation.operationId, operation]));
}

interface Found {
  readonly location: string;
  readonly schema: Schema;
  readonly isComponent: boolean;
}

/** Every schema of a document, at any depth. */
function schemasOf(document: Document): Found[] {
  const components = Object.entries(document.components.schemas).map(([location, schema]) => ({ location, schema, isComponent: true }));
  const ofCalls = operationsOf(document).flatMap(({ operationId, parameters, requestBody, responses }) => {
    const bodies = [requestBody, ...Object.values(responses)].flatMap((part) => Object.values(part?.content ?? {}));
    const schemas = [...parameters, ...bodies].map(({ schema }) => schema ?? {});
    return schemas.map((schema) => ({ location: operationId, schema, isComponent: false }));
  });
  return [...components, ...ofCalls].flatMap((one) => [one, ...inside(one)]);
}

function inside({ location, schema }: Found): Found[] {
  const { properties, items, additionalProperties } = schema;
  const named = Object.entries<Schema>(Object(properties)).map(([name, one]) => ({ location: `${location}.${name}`, schema: one }));
  const others = [items, additionalProperties, ...variants(schema)].filter((one) => typeof one === 'object' && one !== null);
  const all = [...named, ...others.map((one) => ({ location: `${location}[]`, schema: Object(one) as Schema }))];
  return all.flatMap((one) => [{ ...one, isComponent: false }, ...inside({ ...one, isComponent: false })]);
}

function variants(schema: Schema): Schema[] {
  return [schema['anyOf'], schema['oneOf']].flatMap((list) => (Array.isArray(list) ? list.map((one: unknown): Schema => Object(one)) : []));
}

function isObjectOrMap({ type, properties, additionalProperties }: Schema): boolean {
  return type === 'object' && (properties !== undefined || Object.keys(Object(additionalProperties)).length > 0);
}

function resolved({ components }: Document, schema: Schema): Schema {
  return components.schemas[String(schema['$ref']).replace('#/components/schemas/', '')] ?? schema;
}
