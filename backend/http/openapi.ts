import { z } from 'zod';
import { buildManagementEndpoints } from '#contract/build-management-endpoints.ts';
import { acceptedMedia } from '#contract/endpoint.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { allEndpoints } from '#contract/endpoints.ts';
import { aliasPaths } from './openapi-aliases.ts';
import { contentOf, responses, SHARED_HEADERS } from './openapi-answers.ts';
import { BODY_EXAMPLES, PARAMETER_EXAMPLES } from './openapi-examples.ts';
import { convertSchemas } from './openapi-schemas.ts';
import type { ConvertedSchemas, JsonSchema } from './openapi-schemas.ts';

/** The OpenAPI 3.1 document of the service, made from the table. In: where the service is, and its version. */
export function openApiDocument(address: string, version: string): OpenApi {
  const document = describeTable(allEndpoints(), {
    title: 'Site configuration service',
    description: 'Registers sites, each bound to a code source and a content source, so that many sites run from one code base.',
    address,
    version,
    securitySchemes: { ...SECURITY_SCHEMES, cookie: COOKIE },
  });
  return { ...document, paths: { ...document.paths, ...aliasPaths(document.paths) } };
}

/** That of build management, a program of its own; the token is the service's. */
export function buildManagementDocument(address: string, version: string): OpenApi {
  return describeTable(Object.entries(buildManagementEndpoints), {
    title: 'Build management',
    description: 'Onboards external git repositories, hears of their pushes, and hands their code to the site configuration service.',
    address,
    version,
    securitySchemes: SECURITY_SCHEMES,
  });
}

/** `paths` hold path items: the operations by their methods, or a reference. */
export type OpenApi = JsonSchema & { readonly openapi: string; readonly paths: Readonly<Record<string, JsonSchema>> };

interface Described extends OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
}

interface About {
  readonly title: string;
  readonly description: string;
  readonly address: string;
  readonly version: string;
  readonly securitySchemes: Readonly<Record<string, JsonSchema>>;
}

function describeTable(rows: readonly [id: string, row: Endpoint][], about: About): Described {
  const { title, description, address, version, securitySchemes } = about;
  const schemas = convertSchemas(rows.map(([, row]) => row));
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const [id, row] of rows) {
    const path = row.path.replaceAll('*}', '}');
    paths[path] = { ...paths[path], [row.method.toLowerCase()]: operation(id, row, schemas, Object.keys(securitySchemes)) };
  }
  return {
    openapi: '3.1.0',
    info: { title, version, description, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: address }],
    tags: [...new Set(rows.map(([, row]) => row.tag))].map((name) => ({ name })),
    paths,
    components: { schemas: schemas.components, headers: SHARED_HEADERS, securitySchemes },
  };
}

const SECURITY_SCHEMES = {
  token: { type: 'apiKey', in: 'header', name: 'x-auth-token', description: 'The token of /profile, or of /auth/exchange.' },
  bearer: { type: 'http', scheme: 'bearer', description: 'The same token.' },
};
const COOKIE = { type: 'apiKey', in: 'cookie', name: 'auth_token', description: 'Set by signing in; good for reads of the same origin.' };

function operation(id: string, row: Endpoint, schemas: ConvertedSchemas, schemes: readonly string[]): JsonSchema {
  const example = BODY_EXAMPLES[id];
  const usable = schemes.filter((scheme) => scheme !== 'cookie' || row.method === 'GET');
  return {
    operationId: id,
    tags: [row.tag],
    summary: row.summary,
    description: `Permission: ${row.permission}.${row.rule === undefined ? '' : ` This is ${row.rule} of the design.`}`,
    security: row.permission === 'public' ? [] : usable.map((scheme) => ({ [scheme]: [] })),
    parameters: [
      ...parameters('path', row, schemas),
      ...parameters('query', row, schemas),
      ...(row.preconditions === true ? PRECONDITIONS : []),
    ],
    ...(row.body !== undefined && {
      requestBody: {
        required: row.body.optional !== true,
        content: contentOf(acceptedMedia(row.body), schemas.of(row.body.schema), example),
      },
    }),
    responses: responses(row, schemas),
  };
}

const PRECONDITIONS = ['if-match', 'if-none-match'].map((name) => ({ name, in: 'header', required: false, schema: { type: 'string' } }));

/** A parameter that stands for the rest of a path takes the slashes too, which OpenAPI has no word for. */
const REST = { description: 'the rest of the path, with its slashes', 'x-rest': true };

function parameters(place: 'path' | 'query', row: Endpoint, schemas: ConvertedSchemas): JsonSchema[] {
  const { shape } = place === 'path' ? row.params : row.query;
  return Object.entries(shape).map(([name, schema]) => {
    const example = place === 'path' ? PARAMETER_EXAMPLES[name] : undefined;
    return {
      name,
      in: place,
      required: place === 'path',
      ...(place === 'path' && row.path.includes(`{${name}*}`) && REST),
      schema: schema instanceof z.ZodType ? schemas.of(schema) : {},
      ...(example !== undefined && { example }),
    };
  });
}
