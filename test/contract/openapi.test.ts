import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { buildManagementEndpoints } from '@repoless/contract/build-management-endpoints.ts';
import { ProdCdn } from '@repoless/contract/cdn.ts';
import { errorsOf, type Endpoint } from '@repoless/contract/endpoint.ts';
import { allEndpoints } from '@repoless/contract/endpoints.ts';
import { ERRORS } from '@repoless/contract/errors.ts';
import { BODY_EXAMPLES } from '@repoless/service/http/openapi-examples.ts';
import {
  aliasesDocument,
  buildManagementDocument,
  dryRunDocument,
  lazily,
  openApiDocument,
  completeDocuments,
  type OpenApi,
} from '@repoless/service/http/openapi.ts';
import { expandReferences } from '../support/expand-references.ts';

const buildManagementRows = Object.entries<Endpoint>(buildManagementEndpoints);

describe('the complete OpenAPI document of the service', () => {
  describeCalls(completeDocuments().service, allEndpoints());
});

describe('the complete OpenAPI document of build management', () => {
  describeCalls(completeDocuments()['build-management'], buildManagementRows);
});

describe('the OpenAPI document of the service', () => {
  describeForm(openApiDocument('https://admin.example.com', '1.2.3'));
});

describe('the OpenAPI document of the service’s aliases', () => {
  const own = openApiDocument('https://admin.example.com', '1.2.3');
  const aliases = aliasesDocument('https://admin.example.com', '1.2.3');
  describeForm(aliases);

  it('has only calls of the first document, at addresses that it lacks', () => {
    const known = new Set(operationsOf(own).map(({ operationId }) => operationId));
    const named = operationsOf(aliases).map((operation) => operation['x-alias-of'] ?? 'none');
    expect(named.filter((id) => !known.has(id))).toEqual([]);
    expect(Object.keys(aliases.paths).filter((path) => path in own.paths)).toEqual([]);
    expect(Object.keys(aliases.paths)).toContain('/{org}/sites/{site}/config.json');
    expect(operationsOf(own).filter((operation) => operation['x-alias-of'] !== undefined)).toEqual([]);
  });
});

describe('the OpenAPI document of dry runs', () => {
  describeForm(dryRunDocument('https://admin.example.com', '1.2.3'));
});

describe('the OpenAPI document of build management', () => {
  describeForm(buildManagementDocument('https://build.example.com', '1.2.3'));
});

describe('the complete document', () => {
  const { paths, components } = read(completeDocuments().service);
  const form = 'application/x-www-form-urlencoded';

  it('allows unknown fields in forms, which are ignored, but not in JSON', () => {
    const { content } = Object(paths['/auth/device']?.['post']?.requestBody);
    expect(content[form].schema).toMatchObject({ type: 'object', additionalProperties: {} });
    expect(content['application/json'].schema).toEqual({ $ref: '#/components/schemas/DeviceAuthorizationInput' });
    expect(components['schemas']?.['DeviceAuthorizationInput']).toMatchObject({ additionalProperties: false });
  });

  it('has no text schema for YAML, which is parsed before validation', () => {
    const { requestBody, responses } = Object(paths['/config/{org}/sites/{site}/content/query.yaml']?.['put']);
    expect(Object.keys(requestBody.content['text/yaml'].schema)).toEqual(['description']);
    expect(Object.keys(responses[200].content['text/yaml'].schema)).toEqual(['description']);
    expect(requestBody.content['text/plain'].schema).toMatchObject({ type: 'string' });
  });

  it('lists the values of a boolean query parameter', () => {
    const { parameters } = Object(paths['/config/{org}/sites/{site}.json']?.['put']);
    expect(parameters).toContainEqual(expect.objectContaining({ name: 'dryRun', schema: { type: 'string', enum: ['true', 'false'] } }));
  });
});

describe('requirements in the complete document', () => {
  const { paths, components } = read(completeDocuments().service);

  it('include required query parameters', () => {
    const { parameters } = Object(paths['/config/{org}/sites/{site}/code/check.json']?.['get']);
    const required = (parameters as { name: string; in: string; required: boolean }[]).filter((one) => one.in === 'query' && one.required);
    expect(required.map(({ name }) => name)).toEqual(['type', 'owner', 'repo']);
  });

  it.each([
    [{ host: 'www.example.com' }, true],
    [{ type: 'fastly', host: '', serviceId: '1', authToken: '2' }, true],
    [{ type: 'managed', host: 'www.example.com', route: ['/de'] }, true],
    [{}, false],
    [{ host: '' }, false],
    [{ type: 'fastly', host: 'www.example.com', serviceId: '1' }, false],
    [{ type: 'moon', host: 'www.example.com' }, false],
    [{ type: 'managed', host: 'www.example.com', colour: 'red' }, false],
  ])('for a CDN match what the service accepts: %j', (prod, isTaken) => {
    const validate = new Ajv2020({ strict: false }).compile({ $ref: '#/components/schemas/ProdCdn', components });
    expect([validate(prod), ProdCdn.safeParse(prod).success]).toEqual([isTaken, isTaken]);
  });

  it('for titles by language include at least one', () => {
    const { plugins } = Object(Object(components['schemas']?.['Sidekick']).properties);
    expect(plugins.items.properties.titleI18n).toMatchObject({ type: 'object', minProperties: 1 });
  });
});

describe('the OpenAPI documents', () => {
  it('are created on first use, and frozen', () => {
    let calls = 0;
    const document = lazily(() => ({ calls: (calls += 1) }));
    expect(calls).toBe(0);
    expect([document(), Object.isFrozen(document()), calls]).toEqual([{ calls: 1 }, true, 1]);
  });

  it.each(Object.entries(BODY_EXAMPLES))('have a valid example for %s', (id, example) => {
    const row = [...allEndpoints(), ...buildManagementRows].find(([one]) => one === id)?.[1];
    expect(row?.body?.schema.safeParse(example).error).toBeUndefined();
    expect(row?.body).toBeDefined();
  });
});

interface Operation {
  readonly operationId: string;
  readonly 'x-alias-of'?: string;
  readonly requestBody?: unknown;
  readonly responses: Record<string, { content?: Record<string, { schema: unknown }> }>;
  readonly security?: unknown[];
}

interface Read {
  readonly paths: Record<string, Record<string, Operation | undefined>>;
  readonly components: Record<string, Record<string, unknown>>;
}

function read(document: OpenApi): Read {
  return expandReferences(document) as Read;
}

function operationsOf(document: OpenApi): Operation[] {
  return Object.values(read(document).paths).flatMap((item) => Object.values(item).filter((operation) => operation !== undefined));
}

/** Whether a schema has an inline object where a reference to a named schema belongs. References may be narrowed. */
function writesOut(schema: unknown): boolean {
  const { $ref, properties, additionalProperties, anyOf = [], items } = Object(schema);
  if ($ref !== undefined) return false;
  return (
    properties !== undefined || additionalProperties !== undefined || anyOf.some(writesOut) || (items !== undefined && writesOut(items))
  );
}

function describeCalls(document: OpenApi, rows: readonly [id: string, row: Endpoint][]): void {
  const { paths } = read(document);

  it.each(rows)('describes %s with its answers and refusals', (id, row) => {
    const operation = paths[row.path.replaceAll('*}', '}')]?.[row.method.toLowerCase()];
    expect(operation?.operationId).toBe(id);
    const statuses = [...Object.keys(row.answers), ...errorsOf(row).map((code) => String(ERRORS[code].status))];
    expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining(statuses));
    const isPublic = row.permission === 'public' && row.credentials === undefined;
    expect((operation?.security ?? []).length === 0).toBe(isPublic);
  });
}

/** What a generator needs of any of the documents. */
function describeForm(document: OpenApi): void {
  const text = JSON.stringify(document);
  const { components } = read(document);
  const operations = operationsOf(document);

  it('names each operation once, with letters and digits only', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(ids.filter((id) => !/^[a-z][a-zA-Z0-9]*$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('names every object in an answer', () => {
    const nameless = operations.flatMap(({ operationId, responses }) =>
      Object.values(responses).flatMap(({ content = {} }) =>
        Object.entries(content).flatMap(([media, { schema }]) => (writesOut(schema) ? [`${operationId} ${media}`] : [])),
      ),
    );
    expect(nameless).toEqual([]);
  });

  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const result = await validator.validate(JSON.parse(text));
    expect(result.errors ?? [], JSON.stringify(result.errors, null, 2)).toEqual([]);
    expect([result.valid, validator.version]).toEqual([true, '3.1']);
  });

  it('is readable without the project’s other documents', () => {
    const texts = [...text.matchAll(/"(?:summary|description|title)":"((?:[^"\\\\]|\\\\.)*)"/g)].map(([, sentence = '']) => sentence);
    expect(texts.length).toBeGreaterThan(operations.length);
    expect(
      texts.filter((sentence) => /\bdesign\b|\bdecision\b|contract|docs\/|\.(?:ts|md)\b|section \d|\bcall \d|§/i.test(sentence)),
    ).toEqual([]);
  });

  it('states once what many calls have in common', () => {
    expect(text.length / operations.length).toBeLessThan(4000);
    const refused = Object.values(components['responses'] ?? {}).map((response) => JSON.stringify(response));
    expect(new Set(refused).size).toBe(refused.length);
    expect(refused.filter((one) => text.split(one).length > 2)).toEqual([]);
  });

  it('refers only to components that it has', () => {
    const used = new Set([...text.matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1] ?? ''));
    const known = new Set(
      Object.entries(components).flatMap(([kind, named]) => Object.keys(named).map((name) => `#/components/${kind}/${name}`)),
    );
    expect([...used].filter((ref) => !known.has(ref))).toEqual([]);
    expect(used.size).toBeGreaterThan(3);
  });
}
