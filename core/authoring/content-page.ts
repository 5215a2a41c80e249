import { z } from 'zod';
import { PageContent, PageTitle } from '@repoless/contract/authoring.ts';
import type { ContentPage } from '../sites/content-page.ts';

const PAGE = 'cq:Page';
const FOLDERS: readonly string[] = ['sling:Folder', 'sling:OrderedFolder', 'nt:folder'];

/** A node as Sling answers it, with the nodes below it by their names. */
export const Node = z.looseObject({ 'jcr:primaryType': z.string().optional(), 'jcr:title': PageTitle.optional() });
export type Node = z.infer<typeof Node>;

/** The properties of a page with the node that makes it a live copy (docs/design-facts.md 2.6). */
export const Content = PageContent.extend({
  'jcr:mixinTypes': z.array(z.string()).optional(),
  'cq:LiveSyncConfig': z.looseObject({ 'cq:master': z.string().optional() }).optional(),
});
export type Content = z.infer<typeof Content>;

export type NodeKind = ContentPage['kind'];

/** Whether a node is a page or a folder of pages; undefined for everything else. */
export function kindOf(node: Node): NodeKind | undefined {
  const type = node['jcr:primaryType'];
  if (type === PAGE) return 'page';
  return type !== undefined && FOLDERS.includes(type) ? 'folder' : undefined;
}

/** The nodes below a node that are pages or folders, by name, in their order. */
export function pagesBelow(node: Node): [name: string, child: Node, kind: NodeKind][] {
  return Object.entries(node).flatMap(([name, value]) => {
    const child = Node.safeParse(value);
    const kind = child.success ? kindOf(child.data) : undefined;
    return child.success && kind !== undefined ? [[name, child.data, kind] satisfies [string, Node, NodeKind]] : [];
  });
}

/** A page from its properties. `content` is undefined for folders. */
export function toContentPage(
  place: { readonly path: string; readonly kind: NodeKind; readonly title?: string | undefined; readonly hasChildren: boolean },
  content: Content | undefined,
): ContentPage {
  const { path, kind, hasChildren } = place;
  const title = content?.['jcr:title'] ?? place.title ?? path.slice(path.lastIndexOf('/') + 1);
  const language = content?.['jcr:language'];
  const liveCopyOf = content === undefined ? undefined : masterOf(content);
  const conf = content?.['cq:conf'];
  const resourceType = content?.['sling:resourceType'];
  return {
    path,
    title,
    kind,
    hasChildren,
    ...(language === undefined ? {} : { language }),
    ...(liveCopyOf === undefined ? {} : { liveCopyOf }),
    ...(conf === undefined || conf === '' ? {} : { ownConfiguration: conf }),
    ...(resourceType === undefined ? {} : { resourceType }),
  };
}

function masterOf(content: Content): string | undefined {
  return content['cq:LiveSyncConfig']?.['cq:master'] ?? (isLiveCopyRoot(content) ? '' : undefined);
}

/** The root of a live copy, whose master lies one level deeper than its properties. */
export function isLiveCopyRoot(content: Content): boolean {
  return content['jcr:mixinTypes']?.includes('cq:LiveSync') === true;
}
