import { z } from 'zod';
import { errorsOf } from '@repoless/contract/endpoint.ts';
import type { Answer, Endpoint } from '@repoless/contract/endpoint.ts';
import { ERRORS, Problem } from '@repoless/contract/errors.ts';
import type { ErrorCode } from '@repoless/contract/errors.ts';
import type { ConvertedSchemas, JsonSchema } from './openapi-schemas.ts';

/** Headers that answers of many calls have, by the names under which they are referred to. */
export const SHARED_HEADERS = {
  RequestId: { description: 'names the request in the log', required: true, schema: { type: 'string', minLength: 1 } },
  Etag: { description: 'strong', required: true, schema: { type: 'string', pattern: '^"[^"]+"$' } },
  EtagOfStored: { description: 'strong; absent where nothing is stored', schema: { type: 'string', pattern: '^"[^"]+"$' } },
  Warning: { description: 'which parts a replacement of the whole removes, where it removes any', schema: { type: 'string' } },
  Error: { description: 'one clear sentence', required: true, schema: { type: 'string', minLength: 1 } },
  Proxied: { description: 'the answer is that of another program', required: true, schema: { const: 'true' } },
};

interface Response {
  readonly description: string;
  readonly headers: JsonSchema;
  readonly content?: JsonSchema;
}

/** Every answer of a call by its status: what the row promises, then what it may refuse with. */
export function responses(row: Endpoint, schemas: ConvertedSchemas): Record<string, Response> {
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

/** A row that takes a name for its version says where there is no version to name. */
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

/** The codes stand in the description for people, and in the schemas for programs. */
function refusal(status: number, codes: readonly ErrorCode[], schemas: ConvertedSchemas): Response {
  const code = { enum: codes };
  const problem = { ...schemas.of(Problem), properties: { status: { const: status }, code } };
  return {
    description: codes.map((one) => `${one}: ${ERRORS[one].title}.`).join(' '),
    headers: { ...headers('Error'), 'x-error-code': { description: 'the stable code', required: true, schema: code } },
    content: contentOf(['application/problem+json'], problem),
  };
}

/** A status with an answer of its own that is a refusal as well: the media type tells which it is. */
function either(own: Response, refused: Response): Response {
  const error = { description: 'one clear sentence, where it is a refusal', schema: { type: 'string' } };
  const code = { description: 'the stable code, where it is a refusal', schema: { type: 'string' } };
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

/** What a body is, by its media types. A schema speaks of what is parsed, so that of a text does not hold for YAML. */
export function contentOf(media: readonly string[], schema: JsonSchema, example?: unknown): JsonSchema {
  const plain = { schema, ...(example !== undefined && { example }) };
  return Object.fromEntries(media.map((one) => [one, one.endsWith('yaml') ? { schema: YAML } : plain]));
}

const YAML = { description: "YAML in the public service's form" };
