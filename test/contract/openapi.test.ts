import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { buildManagementEndpoints } from '#contract/build-management-endpoints.ts';
import { errorsOf } from '#contract/endpoint.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { allEndpoints } from '#contract/endpoints.ts';
import { ERRORS } from '#contract/errors.ts';
import { BODY_EXAMPLES } from '#backend/http/openapi-examples.ts';
import { buildManagementDocument, openApiDocument } from '#backend/http/openapi.ts';
import type { OpenApi } from '#backend/http/openapi.ts';

const buildManagementRows = Object.entries<Endpoint>(buildManagementEndpoints);

describe('the OpenAPI document of the service', () => {
  describeDocument(openApiDocument('https://admin.example.com', '1.2.3'), allEndpoints());
});

describe('the OpenAPI document of build management', () => {
  describeDocument(buildManagementDocument('https://build.example.com', '1.2.3'), buildManagementRows);
});

describe('the OpenAPI documents', () => {
  it.each(Object.entries(BODY_EXAMPLES))('show a valid example for %s', (id, example) => {
    const row = [...allEndpoints(), ...buildManagementRows].find(([one]) => one === id)?.[1];
    expect(row?.body?.schema.safeParse(example).error).toBeUndefined();
    expect(row?.body).toBeDefined();
  });
});

interface Read {
  readonly paths: Record<
    string,
    Record<string, { operationId: string; responses: Record<string, unknown>; security: unknown[] } | undefined>
  >;
  readonly components: Record<string, Record<string, unknown>>;
}

function describeDocument(document: OpenApi, rows: readonly [id: string, row: Endpoint][]): void {
  const text = JSON.stringify(document);
  const { paths, components } = JSON.parse(text) as Read;

  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const result = await validator.validate(JSON.parse(text));
    expect(result.errors ?? [], JSON.stringify(result.errors, null, 2)).toEqual([]);
    expect([result.valid, validator.version]).toEqual([true, '3.1']);
  });

  it('refers to nothing that it does not hold', () => {
    const used = new Set([...text.matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1] ?? ''));
    const known = new Set(
      Object.entries(components).flatMap(([kind, held]) => Object.keys(held).map((name) => `#/components/${kind}/${name}`)),
    );
    for (const path of Object.keys(paths)) known.add(`#/paths/${encodeURIComponent(path.replaceAll('/', '~1'))}`);
    expect([...used].filter((ref) => !known.has(ref))).toEqual([]);
    expect(used.size).toBeGreaterThan(3);
  });

  it.each(rows)('describes %s with its answers and refusals', (id, row) => {
    const operation = paths[row.path.replaceAll('*}', '}')]?.[row.method.toLowerCase()];
    expect(operation?.operationId).toBe(id);
    const statuses = [...Object.keys(row.answers), ...errorsOf(row).map((code) => String(ERRORS[code].status))];
    expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining(statuses));
    expect(operation?.security.length === 0).toBe(row.permission === 'public');
  });
}
