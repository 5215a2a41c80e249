import { z } from 'zod';

const Reference = z.object({ $ref: z.string() });
const Parameter = z.object({ name: z.string(), in: z.string(), 'x-rest': z.literal(true).optional() });
const Header = z.object({ $ref: z.string().optional(), required: z.boolean().optional(), schema: z.unknown().optional() });
const Response = z.object({
  headers: z.record(z.string(), Header).default({}),
  content: z.record(z.string(), z.object({ schema: z.unknown().optional() })).optional(),
});
const Operation = z.object({
  operationId: z.string(),
  /** Set if this is the same call at another address, with other parameters. */
  'x-alias-of': z.string().optional(),
  parameters: z.array(z.union([Reference, Parameter])).default([]),
  responses: z.record(z.string(), z.union([Reference, Response])),
});
type Methods = Readonly<Record<string, z.infer<typeof Operation>>>;
export const OpenApiDocument = z.object({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({
    headers: z.record(z.string(), Header),
    parameters: z.record(z.string(), Parameter),
    responses: z.record(z.string(), Response),
  }),
});
export type OpenApiDocument = z.infer<typeof OpenApiDocument>;
export type DescribedHeader = z.infer<typeof Header>;
export type DescribedResponse = z.infer<typeof Response>;

/** One operation of a document. */
export interface DescribedOperation {
  readonly id: string;
  /** The response for a status, and the JSON pointer of its description. */
  response(status: string): { readonly response: DescribedResponse; readonly pointer: string } | undefined;
}

/** Finds the operation of a request: the first path that matches, as the programs themselves choose it. `HEAD` counts as `GET`. */
export function operationFinder(document: OpenApiDocument): (method: string, url: string) => DescribedOperation | undefined {
  const routes = Object.entries(document.paths).map(([path, methods]) => ({ form: pathForm(path, methods, document), path, methods }));
  return (method, url) => {
    const [path = ''] = url.split('?', 1);
    const route = routes.find(({ form }) => form.test(path));
    const key = method === 'HEAD' ? 'get' : method.toLowerCase();
    const operation = route?.methods[key];
    if (route === undefined || operation === undefined) return undefined;
    const { operationId, 'x-alias-of': id = operationId, responses } = operation;
    return {
      id,
      response(status) {
        const given = responses[status];
        if (given === undefined) return undefined;
        if (!('$ref' in given))
          return { response: given, pointer: ['#', 'paths', route.path, key, 'responses', status].map(inPointer).join('/') };
        return { response: referred(document.components.responses, given.$ref), pointer: given.$ref };
      },
    };
  };
}

/** Encodes a name for a JSON pointer in an address. */
export function inPointer(name: string): string {
  return name === '#' ? name : encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}

/** The reverse. */
export function outOfPointer(part: string): string {
  return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
}

function referred<T>(parts: Readonly<Record<string, T>>, $ref: string): T {
  const part = parts[$ref.split('/').at(-1) ?? ''];
  if (part === undefined) throw new Error(`The document has no ${$ref}.`);
  return part;
}

function pathForm(path: string, methods: Methods, { components }: OpenApiDocument): RegExp {
  const parametersOf = ({ parameters }: Methods[string]) =>
    parameters.map((one) => ('$ref' in one ? referred(components.parameters, one.$ref) : one));
  const rests = new Set(
    Object.values(methods).flatMap((operation) =>
      parametersOf(operation)
        .filter((one) => one['x-rest'] === true)
        .map(({ name }) => name),
    ),
  );
  const parts = path.split(/\{(\w+)\}/).map((part, index) => {
    if (index % 2 === 0) return part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
    return rests.has(part) ? '.+' : '[^/]+?';
  });
  return new RegExp(`^${parts.join('')}$`);
}
