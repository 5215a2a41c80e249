import { z } from 'zod';
import { acceptedMedia, FORM } from '@repoless/contract/endpoint.ts';
import type { Endpoint, RequestBody } from '@repoless/contract/endpoint.ts';
import { permissionText } from '@repoless/contract/permissions.ts';
import { contentOf, responses, SHARED_HEADERS } from './openapi-answers.ts';
import { BODY_EXAMPLES, PARAMETER_EXAMPLES } from './openapi-examples.ts';
import { convertSchemas } from './openapi-schemas.ts';
import type { ConvertedSchemas, JsonSchema } from './openapi-schemas.ts';
import { SECURITY_SCHEMES, securityOf } from './openapi-security.ts';

/** The path items of a document: the operations by their methods. */
export type Paths = Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;

/** What a document says of its calls, wherever they are. */
export interface Described {
  readonly tags: readonly JsonSchema[];
  readonly paths: Paths;
  readonly components: JsonSchema;
}

/** Describes everything that the calls of a table take and answer. In: its rows, and the schemes by which it knows people. */
export function describeTable(rows: readonly [id: string, row: Endpoint][], people: readonly string[]): Described {
  const schemas = convertSchemas(rows.map(([, row]) => row));
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const [id, row] of rows) {
    const path = row.path.replaceAll('*}', '}');
    paths[path] = { ...paths[path], [row.method.toLowerCase()]: operation(id, row, schemas, people) };
  }
  return {
    tags: [...new Set(rows.map(([, row]) => row.tag))].map((name) => ({ name })),
    paths,
    components: { schemas: schemas.components, headers: SHARED_HEADERS, securitySchemes: SECURITY_SCHEMES },
  };
}

function operation(id: string, row: Endpoint, schemas: ConvertedSchemas, people: readonly string[]): JsonSchema {
  return {
    operationId: id,
    tags: [row.tag],
    summary: row.summary,
    description: `Permission: ${permissionText(row.permission)}`,
    ...securityOf(row, people),
    parameters: [
      ...parameters('path', row, schemas),
      ...parameters('query', row, schemas),
      ...(row.preconditions === true ? PRECONDITIONS : []),
    ],
    ...(row.body !== undefined && {
      requestBody: {
        required: row.body.optional !== true,
        content: bodyContent(row.body, schemas, BODY_EXAMPLES[id]),
      },
    }),
    responses: responses(row, schemas),
  };
}

/** Where a form may have fields that nobody knows, the schema of the form is open, while that of JSON stays closed. */
function bodyContent(body: RequestBody, schemas: ConvertedSchemas, example: unknown): JsonSchema {
  const content = contentOf(acceptedMedia(body), schemas.of(body.schema), example);
  if (body.ignoresOtherFields !== true) return content;
  return { ...content, ...contentOf([FORM], { ...schemas.resolved(body.schema), additionalProperties: {} }, example) };
}

const PRECONDITIONS = [
  { name: 'if-match', description: 'The `etag` that was read: 412 where it is another by now. On a read, of what is wanted.' },
  {
    name: 'if-none-match',
    description: '`*`: 412 where it exists already. On a read, the `etag` that is known: 304 where it is still the same.',
  },
].map((header) => ({ ...header, in: 'header', required: false, schema: { type: 'string' } }));

/** A parameter that stands for the rest of a path takes the slashes too, which OpenAPI has no word for. */
const REST = { description: 'the rest of the path, with its slashes', 'x-rest': true };

function parameters(place: 'path' | 'query', row: Endpoint, schemas: ConvertedSchemas): JsonSchema[] {
  const { shape } = place === 'path' ? row.params : row.query;
  return Object.entries(shape).map(([name, schema]) => {
    const example = place === 'path' ? PARAMETER_EXAMPLES[name] : undefined;
    return {
      name,
      in: place,
      required: place === 'path' || (schema instanceof z.ZodType && !schema.safeParse(undefined).success),
      ...(place === 'path' && row.path.includes(`{${name}*}`) && REST),
      schema: schema instanceof z.ZodType ? schemas.of(schema) : {},
      ...(example !== undefined && { example }),
    };
  });
}
