import { z } from 'zod';
import { COMMON_ERRORS } from '#contract/endpoint.ts';
import type { Answer, Endpoint } from '#contract/endpoint.ts';
import { allEndpoints } from '#contract/endpoints.ts';
import { ERRORS, Problem } from '#contract/errors.ts';
import { BODY_EXAMPLES, PARAMETER_EXAMPLES } from './openapi-examples.ts';
import { convertSchemas } from './openapi-schemas.ts';
import type { ConvertedSchemas, JsonSchema } from './openapi-schemas.ts';

/** The OpenAPI 3.1 document of the service, made from the table. In: where the service is, and its version. */
export function openApiDocument(address: string, version: string): JsonSchema & { openapi: string } {
  const rows = allEndpoints();
  const schemas = convertSchemas(rows.map(([, row]) => row));
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const [id, row] of rows) {
    const path = row.path.replaceAll('*}', '}');
    paths[path] = { ...paths[path], [row.method.toLowerCase()]: operation(id, row, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Site configuration service',
      version,
      description: 'Registers sites, each bound to a code source and a content source, so that many sites run from one code base.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: address }],
    tags: [...new Set(rows.map(([, row]) => row.tag))].map((name) => ({ name })),
    paths,
    components: { schemas: schemas.components, securitySchemes: SECURITY_SCHEMES },
  };
}

const SECURITY_SCHEMES = {
  token: { type: 'apiKey', in: 'header', name: 'x-auth-token', description: 'The token of /profile, or of /auth/exchange.' },
  bearer: { type: 'http', scheme: 'bearer', description: 'The same token.' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'auth_token', description: 'Set by signing in; good for reads of the same origin.' },
};

function operation(id: string, row: Endpoint, schemas: ConvertedSchemas): JsonSchema {
  const example = BODY_EXAMPLES[id];
  return {
    operationId: id,
    tags: [row.tag],
    summary: row.summary,
    description: `Permission: ${row.permission}.${row.rule === undefined ? '' : ` This is ${row.rule} of the design.`}`,
    security: row.permission === 'public' ? [] : [{ token: [] }, { bearer: [] }, ...(row.method === 'GET' ? [{ cookie: [] }] : [])],
    parameters: [
      ...parameters('path', row.params, schemas),
      ...parameters('query', row.query, schemas),
      ...(row.preconditions === true ? PRECONDITIONS : []),
    ],
    ...(row.body !== undefined && {
      requestBody: {
        required: row.body.optional !== true,
        content: contentOf(row.body.media, schemas.of(row.body.schema), example),
      },
    }),
    responses: { ...successes(row, schemas), ...refusals(row, schemas) },
  };
}

const PRECONDITIONS = ['if-match', 'if-none-match'].map((name) => ({ name, in: 'header', required: false, schema: { type: 'string' } }));

function parameters(place: 'path' | 'query', shape: z.ZodObject, schemas: ConvertedSchemas): JsonSchema[] {
  return Object.entries(shape.shape).map(([name, schema]) => {
    const example = place === 'path' ? PARAMETER_EXAMPLES[name] : undefined;
    return {
      name,
      in: place,
      required: place === 'path',
      schema: schema instanceof z.ZodType ? schemas.of(schema) : {},
      ...(example !== undefined && { example }),
    };
  });
}

function successes(row: Endpoint, schemas: ConvertedSchemas): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(row.answers).map(([status, answer]) => [status, success(row, answer, schemas)]));
}

function success(row: Endpoint, { description, media, schema }: Answer, schemas: ConvertedSchemas): JsonSchema {
  const etag = { etag: { description: 'strong', schema: { type: 'string' } } };
  return {
    description,
    ...(row.preconditions === true && { headers: etag }),
    ...(media !== undefined && { content: contentOf(media, schema === undefined ? {} : schemas.of(schema)) }),
  };
}

/** One answer for each status, whose description lists the codes. A status that has an answer of its own keeps it. */
function refusals(row: Endpoint, schemas: ConvertedSchemas): Record<string, JsonSchema> {
  const own = new Set(Object.keys(row.answers));
  const byStatus = new Map<string, string[]>();
  for (const code of new Set([...row.errors, ...COMMON_ERRORS])) {
    const status = String(ERRORS[code].status);
    if (!own.has(status)) byStatus.set(status, [...(byStatus.get(status) ?? []), `${code}: ${ERRORS[code].title}.`]);
  }
  return Object.fromEntries([...byStatus].map(([status, lines]) => [status, refusal(lines, schemas)]));
}

function refusal(lines: readonly string[], schemas: ConvertedSchemas): JsonSchema {
  return {
    description: lines.join(' '),
    headers: {
      'x-error': { description: 'one clear sentence', schema: { type: 'string' } },
      'x-error-code': { description: 'the stable code', schema: { type: 'string' } },
    },
    content: contentOf(['application/problem+json'], schemas.of(Problem)),
  };
}

function contentOf(media: readonly string[], schema: JsonSchema, example?: unknown): JsonSchema {
  return Object.fromEntries(media.map((one) => [one, { schema, ...(example !== undefined && { example }) }]));
}
