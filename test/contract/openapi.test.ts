import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { allEndpoints } from '#contract/endpoints.ts';
import { ERRORS } from '#contract/errors.ts';
import { BODY_EXAMPLES } from '#backend/http/openapi-examples.ts';
import { openApiDocument } from '#backend/http/openapi.ts';

const text = JSON.stringify(openApiDocument('https://admin.example.com', '1.2.3'));
const document = JSON.parse(text) as {
  openapi: string;
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown>; security: unknown[] } | undefined>>;
  components: { schemas: Record<string, unknown> };
};

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const result = await validator.validate(JSON.parse(text));
    expect(result.errors ?? [], JSON.stringify(result.errors, null, 2)).toEqual([]);
    expect([result.valid, validator.version]).toEqual([true, '3.1']);
  });

  it('refers to nothing that it does not hold', () => {
    const used = new Set([...text.matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1]));
    const known = new Set(Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`));
    expect([...used].filter((ref) => ref === undefined || !known.has(ref))).toEqual([]);
    expect(used.size).toBeGreaterThan(5);
  });

  it.each(allEndpoints())('describes %s with its answers and refusals', (id, row) => {
    const operation = document.paths[row.path.replaceAll('*}', '}')]?.[row.method.toLowerCase()];
    expect(operation?.operationId).toBe(id);
    const statuses = [...Object.keys(row.answers), ...row.errors.map((code) => String(ERRORS[code].status))];
    expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining(statuses));
    expect(operation?.security.length === 0).toBe(row.permission === 'public');
  });

  it.each(Object.entries(BODY_EXAMPLES))('shows a valid example for %s', (id, example) => {
    const row = allEndpoints().find(([one]) => one === id)?.[1];
    expect(row?.body?.schema.safeParse(example).error).toBeUndefined();
    expect(row?.body).toBeDefined();
  });
});
