import { defined } from '@repoless/contract/json.ts';
import { EDGE_CONFIGURATION, EdgeConfiguration, PageContent, PageTitle } from '@repoless/contract/authoring.ts';
import { z } from 'zod';
import type { AuthoringProxy, Proxied } from '../api/authoring-proxy.ts';
import { parseJson, refusal, wait } from '../api/exchange.ts';
import { mapConcurrently, isTransient, pause } from '../run/retry.ts';
import type { Failure, Known } from '../situation/call.ts';
import type { AuthoringPort, ContentPage, NodeLock } from '../situation/ports.ts';
import { readSettings } from './read-settings.ts';
import type * as ReadWritten from './read-written.ts';
import { createFormSender, failureOf, readSling } from './sling.ts';

/** The authoring system as setup needs it, through the authoring proxy. */
export function createAuthoringPort(proxy: AuthoringProxy): AuthoringPort {
  const form = createFormSender(proxy);
  return {
    settings: (page, info, isRoot) => readSettings(proxy, page, info, isRoot),
    page: async (path) => {
      const content = await readSling(proxy, `${path}/jcr:content.json`, PageContent);
      if (content.state !== 'known') return content;
      const resourceType = content.value['sling:resourceType'];
      return { state: 'known', value: { path, ...(resourceType === undefined ? {} : { resourceType }) } };
    },
    createdPage: (path) => lazily(({ readCreatedPage }) => readCreatedPage(proxy, path)),
    children: (path, limit) => readChildren(proxy, path, limit),
    content: (path) => readContentPage(proxy, { path, kind: 'page', hasChildren: true }),
    edgeConfiguration: (conf) => readSling(proxy, `${conf}/${EDGE_CONFIGURATION}/jcr:content.json`, EdgeConfiguration),
    lock: (path) => readLock(proxy, path),
    mayWrite: (path) => readPermission(proxy, path),
    readyToWrite: form.ready,
    send: form.send,
    holds: (call) => lazily(({ readWritten }) => readWritten(proxy, call)),
  };
}

/** Loaded with the first write: the first view doesn't need it. If loading fails, the read counts as a temporary failure. */
async function lazily<T>(read: (module: typeof ReadWritten) => Promise<Known<T>>): Promise<Known<T>> {
  try {
    return await read(await import('./read-written.ts'));
  } catch {
    return { state: 'failed', failure: { kind: 'unreachable', system: 'authoring' } };
  }
}

const Locked = z.looseObject({ 'jcr:lockOwner': z.string().optional(), 'jcr:lockIsDeep': z.boolean().optional() });
const Permission = z.looseObject({ hasPermission: z.boolean() });

/** A node with its lock, which is among its properties. */
async function readLock(proxy: AuthoringProxy, path: string): Promise<Known<NodeLock>> {
  const node = await readSling(proxy, `${path}.json`, Locked);
  if (node.state !== 'known') return node;
  const { 'jcr:lockOwner': owner, 'jcr:lockIsDeep': isDeep = false } = node.value;
  return { state: 'known', value: { ...(owner === undefined ? {} : { owner }), isDeep } };
}

/**
 * The caller's own permission, as the authoring system reports it. Plain Sling doesn't report it: it answers 400 to an unknown selector.
 */
async function readPermission(proxy: AuthoringProxy, path: string): Promise<Known<boolean>> {
  const answer = await readSling(proxy, `${path}/.permissions.json`, Permission, { privileges: 'rep:write' });
  if (answer.state === 'known') return { state: 'known', value: answer.value.hasPermission };
  if (answer.state === 'failed' && (answer.failure.kind === 'unexpected' || answer.failure.status === 400)) return { state: 'missing' };
  return answer;
}

/** Pages whose properties are read concurrently if a level is too large for one answer. */
const AT_ONCE = 8;
/** Three levels contain a child's properties, the pages below it and the master of a live copy. */
const DEEPEST = 3;

/**
 * Reads the pages and folders directly below a path: in one answer if possible; if the authoring system answers 300 (more than 200
 * resources, docs/design-facts.md 2.1), at the deepest level that it offers, and the rest page by page, a few at a time, up to `most`.
 */
async function readChildren(once: AuthoringProxy, path: string, limit = Number.POSITIVE_INFINITY): Promise<Known<readonly ContentPage[]>> {
  const proxy = retryingProxy(once);
  const read = await readAsDeepAsPossible(proxy, path);
  if (read.state !== 'known') return read;
  const { node, depth } = read.value;
  const children = pagesBelow(node)
    .slice(0, limit)
    .map(([name, child, kind]) => ({ path: `${path}/${name}`, child, kind }));
  const pages = await mapConcurrently(children, AT_ONCE, (child) => readChild(proxy, child, depth));
  const failed = pages.find((answer) => answer.state === 'failed');
  if (failed !== undefined) return failed;
  return { state: 'known', value: pages.flatMap((answer) => (answer.state === 'known' ? [answer.value] : [])) };
}

async function readAsDeepAsPossible(proxy: AuthoringProxy, path: string): Promise<Known<{ readonly node: Node; readonly depth: number }>> {
  let depth = DEEPEST;
  for (;;) {
    const answer = await proxy.read(`${path}.${depth}.json`);
    if (!answer.ok) return { state: 'failed', failure: answer.failure };
    const { status, text } = answer.received;
    if (status === 404) return { state: 'missing' };
    if (status === 300 && depth > 1) {
      depth = Math.max(1, Math.min(depth - 1, offered(text)));
      continue;
    }
    if (status !== 200) return { state: 'failed', failure: failureOf(answer.received) };
    const node = Node.safeParse(parseJson(text));
    if (node.success) return { state: 'known', value: { node: node.data, depth } };
    return { state: 'failed', failure: { ...refusal(answer.received), kind: 'unexpected' } };
  }
}

const Alternatives = z.array(z.string());

/** The deepest level among the addresses that a 300 offers; one level if none can be parsed. */
function offered(text: string): number {
  const alternatives = Alternatives.safeParse(parseJson(text));
  const depths = (alternatives.success ? alternatives.data : []).map((address) => Number(/\.(\d+)\.json$/.exec(address)?.[1] ?? 1));
  return Math.max(1, ...depths);
}

/** A child from the answer, or read separately if the answer was too shallow. */
async function readChild(
  proxy: AuthoringProxy,
  { path, child, kind }: { readonly path: string; readonly child: Node; readonly kind: NodeKind },
  depth: number,
): Promise<Known<ContentPage>> {
  const node = { path, kind, title: child['jcr:title'], hasChildren: depth < 2 || pagesBelow(child).length > 0 };
  if (kind === 'folder') return { state: 'known', value: toContentPage(node, undefined) };
  const content = depth < 2 ? undefined : Content.safeParse(child['jcr:content']);
  const isComplete = content?.success === true && (depth > 2 || !isLiveCopyRoot(content.data));
  if (content?.success === true && isComplete) return { state: 'known', value: toContentPage(node, content.data) };
  const read = await readContentPage(proxy, node);
  return read.state === 'missing' ? { state: 'known', value: toContentPage(node, undefined) } : read;
}

/** One page with its properties. `hasChildren` is already known. */
async function readContentPage(
  proxy: AuthoringProxy,
  node: { readonly path: string; readonly kind: NodeKind; readonly hasChildren: boolean; readonly title?: string | undefined },
): Promise<Known<ContentPage>> {
  const content = await readSling(proxy, `${node.path}/jcr:content.1.json`, Content);
  if (content.state !== 'known') return content;
  return { state: 'known', value: toContentPage(node, content.value) };
}

const PAGE = 'cq:Page';
const FOLDERS: readonly string[] = ['sling:Folder', 'sling:OrderedFolder', 'nt:folder'];

/** A Sling node, with its child nodes by name. */
const Node = z.looseObject({ 'jcr:primaryType': z.string().optional(), 'jcr:title': PageTitle.optional() });
type Node = z.infer<typeof Node>;

/** The properties of a page with the node that makes it a live copy (docs/design-facts.md 2.6). */
const Content = PageContent.extend({
  'jcr:mixinTypes': z.array(z.string()).optional(),
  'cq:LiveSyncConfig': z.looseObject({ 'cq:master': z.string().optional() }).optional(),
});
type Content = z.infer<typeof Content>;

type NodeKind = ContentPage['kind'];

function kindOf(node: Node): NodeKind | undefined {
  const type = node['jcr:primaryType'];
  if (type === PAGE) return 'page';
  return type !== undefined && FOLDERS.includes(type) ? 'folder' : undefined;
}

function pagesBelow(node: Node): [name: string, child: Node, kind: NodeKind][] {
  return Object.entries(node).flatMap(([name, value]) => {
    const child = Node.safeParse(value);
    const kind = child.success ? kindOf(child.data) : undefined;
    return child.success && kind !== undefined ? [[name, child.data, kind] satisfies [string, Node, NodeKind]] : [];
  });
}

/** A page from its properties. `content` is undefined for folders. */
function toContentPage(
  node: { readonly path: string; readonly kind: NodeKind; readonly title?: string | undefined; readonly hasChildren: boolean },
  content: Content | undefined,
): ContentPage {
  const { path, kind, hasChildren } = node;
  const title = content?.['jcr:title'] ?? node.title ?? path.slice(path.lastIndexOf('/') + 1);
  const language = content?.['jcr:language'];
  const liveCopyOf = content === undefined ? undefined : masterOf(content);
  const conf = content?.['cq:conf'];
  const resourceType = content?.['sling:resourceType'];
  return {
    path,
    title,
    kind,
    hasChildren,
    ...defined({ language, liveCopyOf }),
    ...(conf === undefined || conf === '' ? {} : { ownConfiguration: conf }),
    ...(resourceType === undefined ? {} : { resourceType }),
  };
}

function masterOf(content: Content): string | undefined {
  return content['cq:LiveSyncConfig']?.['cq:master'] ?? (isLiveCopyRoot(content) ? '' : undefined);
}

/** Whether it is the root of a live copy. Its master is one level deeper than its properties. */
function isLiveCopyRoot(content: Content): boolean {
  return content['jcr:mixinTypes']?.includes('cq:LiveSync') === true;
}

/** Maximum attempts of a read: two to three seconds in total. */
const ATTEMPTS = 4;

/**
 * Retries reads that were refused temporarily. A large level of the tree takes hundreds of reads, and one failure must not restart all of
 * them. Writes are not retried.
 */
function retryingProxy(proxy: AuthoringProxy): AuthoringProxy {
  const { signal } = new AbortController();
  return {
    ...proxy,
    read: async (path, query) => {
      for (let attempt = 1; ; attempt++) {
        const answer = await proxy.read(path, query);
        const failure = failureIn(answer);
        if (failure === undefined || !isTransient(failure) || attempt === ATTEMPTS) return answer;
        await wait(pause(attempt, failure.retryAfter), signal);
      }
    },
  };
}

function failureIn(answer: Proxied): Failure | undefined {
  if (!answer.ok) return answer.failure;
  return answer.received.status >= 400 ? refusal(answer.received) : undefined;
}
