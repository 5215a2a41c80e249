import type { SiteIndex } from '#extension/setup/sites/site-index.ts';
import { indexSites } from '#extension/setup/sites/site-index.ts';
import { treeStates } from '#extension/setup/sites/tree-states.ts';
import type { Level, ReadLevel, TreeContext, TreeNode } from '#extension/setup/sites/tree.ts';
import type { TreeLevels } from './tree-levels.ts';
import { TOP } from './tree-levels.ts';

/** Makes the nodes of levels, each level once for the sites that there are. */
export interface NodeReader {
  nodes(parent: TreeNode | undefined, read: ReadLevel): readonly TreeNode[];
}

export function createNodeReader(context: TreeContext): NodeReader {
  const index: SiteIndex | undefined = context.sites === undefined ? undefined : indexSites(context.sites, context.author);
  const made = new WeakMap<ReadLevel, { readonly parent: TreeNode | undefined; readonly nodes: readonly TreeNode[] }>();
  return {
    nodes: (parent, read) => {
      const before = made.get(read);
      if (before !== undefined && before.parent === parent) return before.nodes;
      const nodes = treeStates(context, parent, read, index);
      made.set(read, { parent, nodes });
      return nodes;
    },
  };
}

/** Whether a page can get a site: it has none and stands where sites stand, or what it has drifted from its settings. */
export function isChoosable({ level, state, site }: TreeNode): boolean {
  switch (state.kind) {
    case 'not-yet':
      return level !== 'page';
    case 'drifted':
      // The base site itself is put right in its page properties.
      return level === 'country' || level === 'locale' || (level === 'root' && site === undefined);
    case 'covered':
      return level === 'country' || level === 'locale';
    case 'base':
    case 'service-site':
    case 'unknown':
      return false;
    default:
      return state satisfies never;
  }
}

/** The node of a page, where it was read. */
export function nodeAt({ levels }: TreeLevels, reader: NodeReader, path: string): TreeNode | undefined {
  let node: TreeNode | undefined;
  for (const above of pathsDown(path)) {
    const level = levels.get(node?.path ?? TOP);
    if (level?.state !== 'ready') return undefined;
    node = reader.nodes(node, level.read).find((candidate) => candidate.path === above);
    if (node === undefined) return undefined;
  }
  return node;
}

/** The levels between which sites are chosen: roots, countries and what is below them, no further. */
export function mayHoldSites(node: TreeNode): boolean {
  return node.hasChildren && HOLDERS.has(node.level);
}

const HOLDERS: ReadonlySet<Level> = new Set(['root', 'country']);

function pathsDown(path: string): string[] {
  const segments = path.split('/').slice(2);
  return segments.map((_segment, index) => [TOP, ...segments.slice(0, index + 1)].join('/'));
}
