import { z } from 'zod';
import { buildManagementEndpoints } from '#contract/build-management-endpoints.ts';
import { acceptedMedia, FORM } from '#contract/endpoint.ts';
import type { Endpoint, RequestBody } from '#contract/endpoint.ts';
import { hostedGitEndpoints } from '#contract/hosted-git-endpoints.ts';
import { allEndpoints } from '#contract/endpoints.ts';
import { permissionText } from '#contract/permissions.ts';
import { aliasPaths } from './openapi-aliases.ts';
import { contentOf, responses, SHARED_HEADERS } from './openapi-answers.ts';
import { BODY_EXAMPLES, PARAMETER_EXAMPLES } from './openapi-examples.ts';
import { convertSchemas } from './openapi-schemas.ts';
import type { ConvertedSchemas, JsonSchema } from './openapi-schemas.ts';
import { shareParts } from './openapi-shared.ts';

/** What holds for every call, for those who have this document alone. */
const EVERY_ANSWER =
  'Every answer has an `x-request-id`. A refusal has a stable code in `x-error-code`, a sentence in `x-error`, and a problem document (RFC 9457) as its body; it changes nothing.';

/** The OpenAPI 3.1 document of the service, made from the table. In: where the service is, and its version. */
export function openApiDocument(address: string, version: string): OpenApi {
  return {
    ...documentOf(serviceTable().own, serviceAt(address, version)),
    externalDocs: { url: `${address}/openapi-aliases.json`, description: 'The same calls at their other addresses.' },
  };
}

/**
 * That of the other addresses of the same calls, apart so that a client made from the first has each call once. Its operations
 * are those of the first with `Alias` behind their identifiers; `x-alias-of` names them. Its components are those of the first.
 */
export function aliasesDocument(address: string, version: string): OpenApi {
  const { title, ...about } = serviceAt(address, version);
  return {
    ...documentOf(serviceTable().aliases, { title: `${title}: other addresses`, ...about }),
    externalDocs: { url: `${address}/openapi.json`, description: 'The calls at their own addresses.' },
  };
}

function serviceAt(address: string, version: string): About {
  return {
    title: 'Site configuration service',
    description: `Registers sites, each bound to a code source and a content source, so that many sites run from one code base. ${EVERY_ANSWER} A write takes \`?dryRun=true\`: it is checked in full, and nothing is stored.`,
    address,
    version,
  };
}

/** That of build management, a program of its own; the token is the service's. */
export function buildManagementDocument(address: string, version: string): OpenApi {
  return documentOf(buildManagementTable(), {
    title: 'Build management',
    description: `Onboards external git repositories or hosts them, hears of their pushes, and hands their code to the site configuration service. ${EVERY_ANSWER}`,
    address,
    version,
  });
}

/** `paths` hold path items: the operations by their methods. */
export type OpenApi = JsonSchema & { readonly openapi: string; readonly paths: Readonly<Record<string, JsonSchema>> };

interface About {
  readonly title: string;
  readonly description: string;
  readonly address: string;
  readonly version: string;
}

/** What a document says of its calls, wherever they are. */
interface Described {
  readonly tags: readonly JsonSchema[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
  readonly components: JsonSchema;
}

/**
 * To describe the calls takes a fifth of a program's start: it is done when somebody asks for a document, and once. What is kept is
 * frozen, and therefore written out once, too, however often it is asked for.
 */
export function lazily<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= Object.freeze(make()));
}

function documentOf({ tags, paths, components }: Described, { title, description, address, version }: About): OpenApi {
  return {
    openapi: '3.1.0',
    info: { title, version, description, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: address }],
    tags,
    paths,
    components,
  };
}

function describeTable(rows: readonly [id: string, row: Endpoint][], securitySchemes: Readonly<Record<string, JsonSchema>>): Described {
  const schemas = convertSchemas(rows.map(([, row]) => row));
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const [id, row] of rows) {
    const path = row.path.replaceAll('*}', '}');
    paths[path] = { ...paths[path], [row.method.toLowerCase()]: operation(id, row, schemas, Object.keys(securitySchemes)) };
  }
  return {
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

/** The calls at their own addresses and at the others: what they share is named once for both. */
const serviceTable = lazily(() => {
  const described = describeTable(allEndpoints(), { ...SECURITY_SCHEMES, cookie: COOKIE });
  const aliases = aliasPaths(described.paths);
  const shared = withSharedParts({ ...described, paths: { ...described.paths, ...aliases } });
  return { own: at(described.paths, shared), aliases: at(aliases, shared) };
});
const buildManagementTable = lazily(() =>
  withSharedParts(
    describeTable(
      [...Object.entries<Endpoint>(buildManagementEndpoints), ...Object.entries<Endpoint>(hostedGitEndpoints)],
      SECURITY_SCHEMES,
    ),
  ),
);

function withSharedParts({ tags, paths, components }: Described): Described {
  const { paths: referring, ...parts } = shareParts(paths);
  return { tags, paths: referring, components: { ...components, ...parts } };
}

function at(addresses: Described['paths'], { paths, ...rest }: Described): Described {
  return { ...rest, paths: Object.fromEntries(Object.entries(paths).filter(([path]) => path in addresses)) };
}

function operation(id: string, row: Endpoint, schemas: ConvertedSchemas, schemes: readonly string[]): JsonSchema {
  const usable = schemes.filter((scheme) => scheme !== 'cookie' || row.method === 'GET');
  return {
    operationId: id,
    tags: [row.tag],
    summary: row.summary,
    description: `Permission: ${permissionText(row.permission)}`,
    security: row.permission === 'public' ? [] : usable.map((scheme) => ({ [scheme]: [] })),
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
