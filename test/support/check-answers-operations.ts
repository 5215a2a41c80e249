import { z } from 'zod';

const Parameter = z.object({ name: z.string(), in: z.string(), 'x-rest': z.literal(true).optional() });
const Header = z.object({ $ref: z.string().optional(), required: z.boolean().optional(), schema: z.unknown().optional() });
const Response = z.object({
  headers: z.record(z.string(), Header).default({}),
  content: z.record(z.string(), z.object({ schema: z.unknown().optional() })).optional(),
});
const Operation = z.object({
  operationId: z.string(),
  /** The same call at another address, with other parameters. */
  'x-alias-of': z.string().optional(),
  parameters: z.array(Parameter).default([]),
  responses: z.record(z.string(), Response),
});
type Methods = Readonly<Record<string, z.infer<typeof Operation>>>;
export const OpenApiDocument = z.object({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({ headers: z.record(z.string(), Header) }),
});
export type OpenApiDocument = z.infer<typeof OpenApiDocument>;
export type DescribedHeader = z.infer<typeof Header>;
export type DescribedResponse = z.infer<typeof Response>;

/** One operation of a document, with where in the document its responses stand (a JSON pointer). */
export interface DescribedOperation {
  readonly id: string;
  readonly responses: Readonly<Record<string, DescribedResponse>>;
  readonly pointer: string;
}

/** The operation that a request asks for: the first path that fits, as the programs themselves choose it. `HEAD` is a `GET`. */
export function operationFinder({ paths }: OpenApiDocument): (method: string, url: string) => DescribedOperation | undefined {
  const routes = Object.entries(paths).map(([path, methods]) => ({ form: pathForm(path, methods), path, methods }));
  return (method, url) => {
    const [asked = ''] = url.split('?', 1);
    const route = routes.find(({ form }) => form.test(asked));
    const key = method === 'HEAD' ? 'get' : method.toLowerCase();
    const operation = route?.methods[key];
    if (route === undefined || operation === undefined) return undefined;
    const { operationId, 'x-alias-of': id = operationId, responses } = operation;
    return { id, responses, pointer: ['#', 'paths', route.path, key, 'responses'].map(inPointer).join('/') };
  };
}

/** A name in a JSON pointer that is part of an address. */
export function inPointer(name: string): string {
  return name === '#' ? name : encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}

/** The reverse. */
export function outOfPointer(part: string): string {
  return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
}

function pathForm(path: string, methods: Methods): RegExp {
  const rests = new Set(
    Object.values(methods).flatMap(({ parameters }) => parameters.filter((one) => one['x-rest'] === true).map(({ name }) => name)),
  );
  const parts = path.split(/\{(\w+)\}/).map((part, index) => {
    if (index % 2 === 0) return part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
    return rests.has(part) ? '.+' : '[^/]+?';
  });
  return new RegExp(`^${parts.join('')}$`);
}
