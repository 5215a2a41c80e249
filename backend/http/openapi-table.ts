import { permissionText } from '@repoless/contract/access.ts';
import { acceptedMedia, type Answer, type Endpoint, errorsOf, FORM, type RequestBody } from '@repoless/contract/endpoint.ts';
import { type ErrorCode, ERRORS, Problem } from '@repoless/contract/errors.ts';
import { z } from 'zod';
import { BODY_EXAMPLES, PARAMETER_EXAMPLES } from './openapi-examples.ts';
import { type ConvertedSchemas, convertSchemas, type JsonSchema } from './openapi-schemas.ts';

/** The path items of a document: operations by method. */
export type Paths = Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;

export interface Described {
  readonly tags: readonly JsonSchema[];
  readonly paths: Paths;
  readonly components: JsonSchema;
}

/** Describes everything that the calls of a table accept and answer. Takes its rows, and the security schemes for people. */
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

/** If a form may have unknown fields, the schema of the form is open, while that of JSON stays closed. */
function bodyContent(body: RequestBody, schemas: ConvertedSchemas, example: unknown): JsonSchema {
  const content = contentOf(acceptedMedia(body), schemas.of(body.schema), example);
  if (body.ignoresOtherFields !== true) return content;
  return { ...content, ...contentOf([FORM], { ...schemas.resolved(body.schema), additionalProperties: {} }, example) };
}

const PRECONDITIONS = [
  { name: 'if-match', description: 'The `etag` that was read: 412 if it has changed. On a read, that of the expected state.' },
  {
    name: 'if-none-match',
    description: '`*`: 412 if it already exists. On a read, the known `etag`: 304 if it is unchanged.',
  },
].map((header) => ({ ...header, in: 'header', required: false, schema: { type: 'string' } }));

/** A parameter for the rest of a path includes slashes, which OpenAPI cannot express. */
const REST = { description: 'the rest of the path, with its slashes', 'x-rest': true };

function parameters(location: 'path' | 'query', row: Endpoint, schemas: ConvertedSchemas): JsonSchema[] {
  const { shape } = location === 'path' ? row.params : row.query;
  return Object.entries(shape).map(([name, schema]) => {
    const example = location === 'path' ? PARAMETER_EXAMPLES[name] : undefined;
    return {
      name,
      in: location,
      required: location === 'path' || (schema instanceof z.ZodType && !schema.safeParse(undefined).success),
      ...(location === 'path' && row.path.includes(`{${name}*}`) && REST),
      schema: schema instanceof z.ZodType ? schemas.of(schema) : {},
      ...(example !== undefined && { example }),
    };
  });
}

/** Headers that answers of many calls have, by the names of their references. */
const SHARED_HEADERS = {
  RequestId: { description: 'names the request in the log', required: true, schema: { type: 'string', minLength: 1 } },
  Etag: { description: 'strong', required: true, schema: { type: 'string', pattern: '^"[^"]+"$' } },
  EtagOfStored: { description: 'strong; absent if nothing is stored', schema: { type: 'string', pattern: '^"[^"]+"$' } },
  Warning: { description: 'the parts that a complete replacement removes, if any', schema: { type: 'string' } },
  Error: { description: 'one clear sentence', required: true, schema: { type: 'string', minLength: 1 } },
  Proxied: { description: 'the answer is that of another program', required: true, schema: { const: 'true' } },
};

interface Response {
  readonly description: string;
  readonly headers: JsonSchema;
  readonly content?: JsonSchema;
}

/** Every answer of a call by status: what the row promises, then its refusals. */
function responses(row: Endpoint, schemas: ConvertedSchemas): Record<string, Response> {
  const byStatus: Record<string, Response> = {};
  for (const [status, answer] of Object.entries(row.answers)) byStatus[status] = success(row, Number(status), answer, schemas);
  if (row.preconditions === true && row.method === 'GET')
    byStatus['304'] = { description: 'unchanged: `if-none-match` names its etag', headers: headers('Etag') };
  for (const [status, codes] of refusals(row)) {
    const refused = refusal(Number(status), codes, schemas);
    const own = byStatus[status];
    byStatus[status] = own === undefined ? refused : either(own, refused);
  }
  if (row.proxies === true)
    byStatus['default'] = { description: 'any answer of the other program', headers: headers('Proxied'), content: { '*/*': {} } };
  return byStatus;
}

function success(row: Endpoint, status: number, { description, media, schema }: Answer, schemas: ConvertedSchemas): Response {
  const etag =
    row.preconditions !== true || status === 204 || status === 202
      ? []
      : [row.method === 'GET' ? ('Etag' as const) : ('EtagOfStored' as const)];
  return {
    description,
    headers: headers(...etag, ...(mayWarn(row) ? (['Warning'] as const) : [])),
    ...(media !== undefined && { content: contentOf(media, schema === undefined ? {} : schemas.of(schema)) }),
  };
}

/** A row that takes a name for its version warns if there is no version to name. */
function mayWarn({ warns, query }: Endpoint): boolean {
  return warns === true || (query instanceof z.ZodObject && 'versionName' in query.shape);
}

function refusals(row: Endpoint): Map<string, ErrorCode[]> {
  const byStatus = new Map<string, ErrorCode[]>();
  for (const code of errorsOf(row)) {
    const status = String(ERRORS[code].status);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}

/** The codes are in the description for people, and in the schemas for programs. */
function refusal(status: number, codes: readonly ErrorCode[], schemas: ConvertedSchemas): Response {
  const code = { enum: codes };
  const problem = { ...schemas.of(Problem), properties: { status: { const: status }, code } };
  return {
    description: codes.map((one) => `${one}: ${ERRORS[one].title}.`).join(' '),
    headers: { ...headers('Error'), 'x-error-code': { description: 'the stable code', required: true, schema: code } },
    content: contentOf(['application/problem+json'], problem),
  };
}

/** A status with its own answer that is also a refusal: the media type tells which it is. */
function either(own: Response, refused: Response): Response {
  const error = { description: 'one clear sentence, for a refusal', schema: { type: 'string' } };
  const code = { description: 'the stable code, for a refusal', schema: { type: 'string' } };
  return {
    description: `${own.description}. Or ${refused.description}`,
    headers: { ...own.headers, 'x-error': error, 'x-error-code': code },
    content: { ...refused.content, ...own.content },
  };
}

/** The request id, and these of the shared headers. */
function headers(...names: readonly Exclude<keyof typeof SHARED_HEADERS, 'RequestId'>[]): JsonSchema {
  const shared = (['RequestId', ...names] as const).map((name) => [HEADER_NAMES[name], { $ref: `#/components/headers/${name}` }]);
  return Object.fromEntries(shared);
}

const HEADER_NAMES: Record<keyof typeof SHARED_HEADERS, string> = {
  RequestId: 'x-request-id',
  Etag: 'etag',
  EtagOfStored: 'etag',
  Warning: 'x-warning',
  Error: 'x-error',
  Proxied: 'x-relayed',
};

/** A body by its media types. A schema describes parsed values, so that of a text does not apply to YAML. */
function contentOf(media: readonly string[], schema: JsonSchema, example?: unknown): JsonSchema {
  const plain = { schema, ...(example !== undefined && { example }) };
  return Object.fromEntries(media.map((one) => [one, one.endsWith('yaml') ? { schema: YAML } : plain]));
}

const YAML = { description: "YAML in the public service's form" };

/** How callers authenticate, by the names that calls refer to. */
const SECURITY_SCHEMES = {
  token: { type: 'apiKey', in: 'header', name: 'x-auth-token', description: 'The token of /profile, or of /auth/exchange.' },
  bearer: { type: 'http', scheme: 'bearer', description: 'The same token.' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'auth_token', description: 'Set by signing in; valid for reads from the same origin.' },
  program: { type: 'http', scheme: 'bearer', description: 'The key that the service and build management share.' },
  repository: { type: 'apiKey', in: 'header', name: 'authorization', description: '`token` and the current secret of the repository.' },
  webhook: { type: 'apiKey', in: 'query', name: 'api_key', description: 'The key in the address of the webhook.' },
} as const;
type Scheme = keyof typeof SECURITY_SCHEMES;

const OF_PEOPLE: readonly Scheme[] = ['token', 'bearer', 'cookie'];

/**
 * A call that is open to anyone has an empty list, which generators take as "send no credentials": not if the call may refuse missing ones.
 * If the credential is in the body or the query itself, no scheme can be named, and it is omitted.
 */
function securityOf(row: Endpoint, people: readonly string[]): { readonly security?: readonly JsonSchema[] } {
  const either = (schemes: readonly string[]) => ({ security: schemes.map((scheme) => ({ [scheme]: [] })) });
  const { credentials } = row;
  if (credentials === 'session') return either(OF_PEOPLE);
  if (credentials !== undefined) return either([credentials]);
  if (row.permission !== 'public') return either(people.filter((scheme) => scheme !== 'cookie' || row.method === 'GET'));
  return maySayUnknown(row) ? {} : { security: [] };
}

function maySayUnknown(row: Endpoint): boolean {
  return '401' in row.answers || errorsOf(row).some((code) => ERRORS[code].status === 401);
}
