import { z } from 'zod';
import type { ReadableTree } from '@repoless/sandbox/authoring-system/content-store.ts';
import type { Resource, Value } from '@repoless/sandbox/authoring-system/resource.ts';
import { nameOf, parentOf } from '@repoless/sandbox/authoring-system/resource.ts';
import type { slingCaller } from './sling-caller.ts';

type Caller = Pick<ReturnType<typeof slingCaller>, 'get'>;

/** What the delivery of a page reads, taken out of Sling: the configurations, the page, and the properties of the pages above it. */
export async function treeForDelivery(sling: Caller, page: string): Promise<ReadableTree> {
  const resources = new Map<string, Resource>();
  await gather(sling, '/conf', resources);
  await gather(sling, `${page}/jcr:content`, resources);
  for (let at = page; at !== '/'; at = parentOf(at)) {
    for (const path of [at, `${at}/jcr:content`]) await gather(sling, path, resources, '');
  }
  const all = [...resources.values()];
  return {
    read: (path) => resources.get(path),
    children: (path) => all.filter((one) => parentOf(one.path) === path && one.path !== '/'),
    named: (below, name) => all.filter(({ path }) => path.startsWith(`${below}/`) && nameOf(path) === name),
  };
}

/** Reads a resource, with all below it in one answer where there is one, and else level by level. */
async function gather(sling: Caller, path: string, into: Map<string, Resource>, depth = '.infinity'): Promise<void> {
  const address = path.split('/').map(encodeURIComponent).join('/');
  const { status, text } = await sling.get(`${address}${depth}.json`);
  if (status === 200) add(path, Json.parse(JSON.parse(text)), into);
  if (status !== 300) return;
  await gather(sling, path, into, '');
  const level = Json.parse(JSON.parse((await sling.get(`${address}.1.json`)).text));
  for (const [name, value] of Object.entries(level)) if (isNode(value)) await gather(sling, `${path}/${name}`, into);
}

function add(path: string, node: Node, into: Map<string, Resource>): void {
  const properties = Object.entries(node).flatMap(([name, value]) => (isNode(value) ? [] : [[name, value] as const]));
  into.set(path, { path, properties: Object.fromEntries(properties) });
  for (const [name, value] of Object.entries(node)) if (isNode(value)) add(`${path}/${name}`, value, into);
}

interface Node {
  readonly [name: string]: Value | Node;
}

function isNode(value: Value | Node): value is Node {
  return typeof value === 'object' && !Array.isArray(value);
}

const One = z.union([z.string(), z.number(), z.boolean()]);
const Json: z.ZodType<Node> = z.lazy(() => z.record(z.string(), z.union([One, z.array(One), Json])));
