import { z } from 'zod';
import { expandReferences } from '../support/expand-references.ts';
import type { Random, Texts } from './texts.ts';

/** A request as Node sends it. */
export interface FuzzedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

type Headers = Readonly<Record<string, string>>;

export interface RequestSources {
  readonly operations: readonly FuzzedOperation[];
  /** A value of a schema of the document. */
  value(schema: unknown): unknown;
  /** Headers of callers with and without rights, at a path. */
  credentials(path: string): readonly Headers[];
  /** The usual values of path parameters. */
  names(): Headers;
  /** Credentials that depend on the body, such as a signature. */
  signed(path: string, body: Buffer): { readonly headers: Headers; readonly query: Headers } | undefined;
  readonly texts: Texts;
  /** Hosts whose pages are requested. */
  readonly hosts: readonly string[];
}

/** Generates requests from the operations, and for pages of hosts. */
export function createRequests(sources: RequestSources, random: Random): () => FuzzedRequest {
  const { operations, value, hosts, texts } = sources;
  return () => (hosts.length > 0 && random.chance(0.15) ? visit() : call());

  function call(): FuzzedRequest {
    const operation = random.pick(operations);
    const query = new URLSearchParams(operation.parameters.filter((one) => one.in === 'query' && random.chance(0.3)).map(pair));
    while (random.chance(0.1)) query.append(random.chance(0.5) ? random.pick(QUERIES) : texts.any(), texts.any());
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => inPath(operation, name));
    const headers = {
      ...Object.fromEntries(operation.parameters.filter((one) => one.in === 'header' && random.chance(0.2)).map(pair)),
      ...odd(),
    };
    const request = withBody(operation, { ...credential(path), ...headers });
    const signed = request.body !== undefined && random.chance(0.7) ? sources.signed(path, request.body) : undefined;
    for (const [name, text] of Object.entries(signed?.query ?? {})) query.set(name, text);
    return {
      method: random.chance(0.97) ? operation.method : random.pick(METHODS),
      path: withQuery(random.chance(0.97) ? path : `${path}${encoded(texts.any())}`, query.toString()),
      headers: { ...request.headers, ...signed?.headers },
      body: request.body,
    };
  }

  function visit(): FuzzedRequest {
    const segments = Array.from({ length: random.below(5) }, () => encoded(texts.any()));
    const path = `/${segments.join('/')}${random.pick(['', '.html', '.plain.html', '.json', '.css', '/', '.xml'])}`;
    const headers = { host: random.pick(hosts), ...odd(), ...(random.chance(0.2) ? { range: `bytes=${texts.any()}` } : {}) };
    return { method: random.pick(['GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'POST']), path, headers: sendable(headers), body: undefined };
  }

  function inPath({ parameters }: FuzzedOperation, name: string): string {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name);
    const usual = sources.names()[name];
    if (usual !== undefined && random.chance(0.75)) return encoded(usual);
    if (typeof parameter?.example === 'string' && random.chance(0.5)) return encoded(parameter.example);
    return encoded(random.chance(0.5) ? texts.known() : texts.any());
  }

  function pair(parameter: Parameter): [string, string] {
    const generated = random.chance(0.7) ? value(parameter.schema) : texts.any();
    return [parameter.name, typeof generated === 'string' ? generated : JSON.stringify(generated ?? '')];
  }

  function credential(path: string): Record<string, string> {
    const kind = random.below(20);
    if (kind < 17) return { ...random.pick(sources.credentials(path)) };
    return kind === 17 ? { authorization: `Bearer ${texts.any()}` } : {};
  }

  function odd(): Record<string, string> {
    const headers: Record<string, string> = {};
    while (random.chance(0.15)) headers[random.pick(HEADERS)] = texts.any();
    return headers;
  }

  function withBody({ bodies, method }: FuzzedOperation, headers: Record<string, string>): Pick<FuzzedRequest, 'headers' | 'body'> {
    const media = Object.keys(bodies);
    if (media.length === 0 && !(method !== 'GET' && random.chance(0.05))) return { headers: sendable(headers), body: undefined };
    const type = media.length > 0 && random.chance(0.95) ? random.pick(media) : random.pick(MEDIA);
    const generated = value(bodies[type] ?? {});
    const body = mutated(bodyText(type, generated));
    return { headers: { 'content-type': type, ...sendable(headers) }, body };
  }

  function bodyText(type: string, generated: unknown): string {
    if (type.includes('json')) return JSON.stringify(generated ?? null);
    if (!type.includes('form')) return typeof generated === 'string' ? generated : JSON.stringify(generated ?? '');
    const fields = Object.entries(Object(generated)).map(([name, one]): [string, string] => [
      name,
      typeof one === 'string' ? one : JSON.stringify(one),
    ]);
    return new URLSearchParams(fields).toString();
  }

  /** Cut, doubled, or with bytes of another kind. */
  function mutated(text: string): Buffer {
    const bytes = Buffer.from(text);
    if (random.chance(0.92) || bytes.length === 0) return bytes;
    switch (random.below(3)) {
      case 0:
        return bytes.subarray(0, random.below(bytes.length));
      case 1:
        return Buffer.concat([bytes, bytes]);
      default:
        bytes[random.below(bytes.length)] = random.below(256);
        return bytes;
    }
  }

  function encoded(text: string): string {
    return random.chance(0.9) ? encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '?')) : text.replaceAll(/[^\x21-\x7e]/g, '');
  }
}

function withQuery(path: string, query: string): string {
  return (query === '' ? path : `${path}?${query}`).slice(0, 12_000);
}

/** Only characters that Node can send; `raw-requests.ts` covers others. */
function sendable(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 4000)]));
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND'];
const QUERIES = ['dryRun', 'migrate', 'replace', 'restoreVersion', 'versionName', 'confirm', 'unchecked', 'limit', 'after', 'details'];
const HEADERS = [
  'accept',
  'content-encoding',
  'content-type',
  'cookie',
  'expect',
  'forwarded',
  'if-match',
  'if-none-match',
  'if-range',
  'origin',
  'x-content-source-authorization',
  'x-dry-run',
  'x-forwarded-for',
  'x-github-event',
  'x-hub-signature-256',
  'x-request-id',
];
const MEDIA = ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/octet-stream'];

const Parameter = z.looseObject({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  schema: z.unknown(),
  example: z.unknown().optional(),
});
const Operation = z.looseObject({
  operationId: z.string(),
  parameters: z.array(Parameter).default([]),
  requestBody: z.looseObject({ content: z.record(z.string(), z.looseObject({ schema: z.unknown() })) }).optional(),
});
const Document = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), Operation)) });

type Parameter = z.infer<typeof Parameter>;
interface FuzzedOperation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Schemas by media type. */
  readonly bodies: Readonly<Record<string, unknown>>;
}

/** The operations of an OpenAPI document. */
export function operationsOf(document: unknown): FuzzedOperation[] {
  const { paths } = Document.parse(expandReferences(document));
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { parameters, requestBody }]) => {
      const bodies = Object.fromEntries(Object.entries(requestBody?.content ?? {}).map(([media, { schema }]) => [media, schema]));
      return { method: method.toUpperCase(), path, parameters, bodies };
    }),
  );
}
