import { buildManagementEndpoints } from '@repoless/contract/build-management-endpoints.ts';
import type { Endpoint } from '@repoless/contract/endpoint.ts';
import { allEndpoints } from '@repoless/contract/endpoints.ts';
import { aliasesOf } from '@repoless/contract/public-api.ts';
import { namedObjects } from './openapi-named-objects.ts';
import { dryRuns, published } from './openapi-published.ts';
import { type JsonSchema, listOf, mapEntries, shareParts } from './openapi-schemas.ts';
import { type Described, describeTable } from './openapi-table.ts';

/** What applies to every call, for readers of this document only. */
const EVERY_ANSWER =
  'Every answer has an `x-request-id`. A refusal has a stable code in `x-error-code`, a sentence in `x-error`, and a problem document (RFC 9457) as its body; it changes nothing.';
const FORMS = 'Where a body is JSON, a form (`application/x-www-form-urlencoded`) with the same fields is taken too.';

/** The rows of a service, described once for its three documents. */
export function describedCalls(rows: () => readonly [id: string, row: Endpoint][]): () => Calls {
  return lazily(() => {
    const described = describedService(rows());
    const own = published(described);
    const at = (paths: Described['paths']) => sharing(namedObjects({ ...own, paths }));
    return { own: at(own.paths), aliases: at(aliasPaths(own.paths)), dryRuns: sharing(namedObjects(dryRuns(described))) };
  });
}

interface Calls {
  readonly own: Described;
  readonly aliases: Described;
  readonly dryRuns: Described;
}

const allCalls = describedCalls(allEndpoints);

/** The OpenAPI 3.1 document of the service. `calls`: those that it offers. */
export function openApiDocument(address: string, version: string, calls = allCalls): OpenApi {
  return {
    ...documentOf(calls().own, serviceAt(address, version)),
    externalDocs: { url: `${address}/openapi-aliases.json`, description: 'The same calls at their other addresses.' },
  };
}

/**
 * The document of the other addresses of the same calls, separate so that a client generated from the first has each call once. Its
 * operations are those of the first with the suffix `Alias`; `x-alias-of` names them.
 */
export function aliasesDocument(address: string, version: string, calls = allCalls): OpenApi {
  return furtherDocument(calls().aliases, serviceAt(address, version), 'other addresses', 'The calls at their own addresses.');
}

/**
 * The document of dry runs, separate because they are answered differently. Its operations are those of the first with the suffix `DryRun`;
 * `x-dry-run-of` names them.
 */
export function dryRunDocument(address: string, version: string, calls = allCalls): OpenApi {
  return furtherDocument(calls().dryRuns, serviceAt(address, version), 'dry runs', 'All calls, with writes that take effect.');
}

function furtherDocument(described: Described, about: About, title: string, description: string): OpenApi {
  return {
    ...documentOf(described, { ...about, title: `${about.title}: ${title}` }),
    externalDocs: { url: `${about.address}/openapi.json`, description },
  };
}

function serviceAt(address: string, version: string): About {
  return {
    title: 'Site configuration service',
    description: `Registers sites, each bound to a code source and a content source, so that many sites run from one code base. ${EVERY_ANSWER} ${FORMS} A write takes \`?dryRun=true\`: it is checked in full, nothing is stored, and the answer says what would be (\`/openapi-dry-run.json\`).`,
    address,
    version,
  };
}

/** The document of build management, a separate program; the token is the service's. */
export function buildManagementDocument(address: string, version: string): OpenApi {
  return documentOf(buildManagementCalls(), {
    title: 'Build management',
    description: `Onboards external git repositories, receives their pushes, and hands their code to the site configuration service. ${EVERY_ANSWER} ${FORMS}`,
    address,
    version,
  });
}

/** Everything that the programs accept and answer, of which the documents above show a part: the programs are tested against this. */
export function completeDocuments(): Readonly<Record<'service' | 'build-management', OpenApi>> {
  const about = { title: 'Everything', description: EVERY_ANSWER, address: 'http://localhost', version: '0.0.0' };
  const service = describedService(allEndpoints());
  return {
    service: documentOf(sharing({ ...service, paths: { ...service.paths, ...aliasPaths(service.paths) } }), about),
    'build-management': documentOf(sharing(describedBuildManagement()), about),
  };
}

export type OpenApi = JsonSchema & { readonly openapi: string; readonly paths: Readonly<Record<string, JsonSchema>> };

interface About {
  readonly title: string;
  readonly description: string;
  readonly address: string;
  readonly version: string;
}

/** Describing the calls takes a fifth of a program's start. The documents are frozen, and therefore serialized once as well. */
export function lazily<T extends object>(make: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= Object.freeze(make()));
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

function describedService(rows: readonly [id: string, row: Endpoint][]): Described {
  return describeTable(rows, ['token', 'bearer', 'cookie']);
}

function describedBuildManagement(): Described {
  const rows = Object.entries<Endpoint>(buildManagementEndpoints);
  return describeTable(rows, ['token', 'bearer']);
}

const buildManagementCalls = lazily(() => sharing(namedObjects(published(describedBuildManagement()))));

function sharing({ tags, paths, components }: Described): Described {
  const { paths: referring, ...parts } = shareParts(paths);
  return { tags, paths: referring, components: { ...components, ...parts } };
}

type Item = Readonly<Record<string, JsonSchema>>;

/** The newer addresses, with separate operations. If an address lacks a parameter of the path, its query has it. */
function aliasPaths(paths: Readonly<Record<string, Item>>): Record<string, Item> {
  const aliases: Record<string, Item> = {};
  for (const [path, item] of Object.entries(paths)) {
    for (const [index, alias] of aliasesOf(path).entries()) {
      if (alias.path in paths) continue;
      const suffix = index === 0 ? 'Alias' : `Alias${index + 1}`;
      aliases[alias.path] = moved(item, namesIn(alias.path), alias.defaults ?? {}, suffix);
    }
  }
  return aliases;
}

/** `suffix`: of the identifiers of operations. */
function moved(item: Item, inPath: ReadonlySet<string>, defaults: Readonly<Record<string, string>>, suffix: string): Item {
  return mapEntries(item, (_, operation) => {
    const known = listOf(operation['parameters']).filter((one) => one['in'] !== 'query' || !inPath.has(String(one['name'])));
    const own = known.map((parameter) => {
      const name = String(parameter['name']);
      if (parameter['in'] !== 'path' || inPath.has(name)) return parameter;
      const description = defaults[name] === undefined ? {} : { description: `else ${defaults[name]}` };
      return { ...parameter, in: 'query', required: false, ...description };
    });
    const more = [...inPath]
      .filter((name) => !known.some((parameter) => parameter['name'] === name))
      .map((name) => ({ name, in: 'path', required: true, description: 'not looked at', schema: { type: 'string' } }));
    const id = String(operation['operationId']);
    return { ...operation, operationId: `${id}${suffix}`, 'x-alias-of': id, parameters: [...own, ...more] };
  });
}

function namesIn(path: string): Set<string> {
  return new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name));
}
