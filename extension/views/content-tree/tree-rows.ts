import type { Failure } from '#extension/setup/situation.ts';
import type { Level, NodeState, TreeNode } from '#extension/setup/sites/tree.ts';
import type { GridRow } from '../grid/grid-rows.ts';
import type { TreeLevels } from './tree-levels.ts';
import { TOP } from './tree-levels.ts';
import { isChoosable } from './tree-nodes.ts';
import type { NodeReader } from './tree-nodes.ts';

export interface TreeFilter {
  readonly text: string;
  readonly state: NodeState['kind'] | 'any';
  readonly level: Level | 'any';
}

export const EVERYTHING: TreeFilter = { text: '', state: 'any', level: 'any' };

export type TreeRow = GridRow & { readonly level: number } & (
    | { readonly kind: 'node'; readonly node: TreeNode }
    | { readonly kind: 'loading' }
    | { readonly kind: 'failed'; readonly path: string; readonly failure: Failure }
  );

/**
 * The rows that the tree shows, one after the other. Without a filter: what is open. With one: every page read so far that
 * fits, below the pages that lead to it, whether they are open or not.
 */
export function treeRows(tree: TreeLevels, reader: NodeReader, filter: TreeFilter): TreeRow[] {
  const rows: TreeRow[] = [];
  const fits = isEverything(filter) ? undefined : matcher(filter);
  const below = (parent: TreeNode | undefined, depth: number): boolean => {
    const path = parent?.path ?? TOP;
    const level = tree.levels.get(path);
    if (level?.state !== 'ready') {
      if (fits === undefined && level !== undefined) rows.push(otherRow(path, depth, level));
      return false;
    }
    const nodes = reader.nodes(parent, level.read);
    let found = false;
    for (const [index, node] of nodes.entries()) {
      const place = { position: index + 1, size: nodes.length };
      const open = node.hasChildren && (fits === undefined ? tree.expanded.has(node.path) : tree.levels.has(node.path));
      const at = rows.length;
      rows.push(nodeRow(node, depth, open, place));
      const belowFits = open ? below(node, depth + 1) : false;
      if (fits === undefined) continue;
      if (fits(node) || belowFits) found = true;
      else rows.splice(at);
    }
    return found;
  };
  below(undefined, 1);
  return rows;
}

export function isEverything({ text, state, level }: TreeFilter): boolean {
  return text.trim() === '' && state === 'any' && level === 'any';
}

function matcher({ text, state, level }: TreeFilter): (node: TreeNode) => boolean {
  const wanted = text.trim().toLocaleLowerCase();
  return (node) =>
    (state === 'any' || node.state.kind === state) &&
    (level === 'any' || node.level === level) &&
    (wanted === '' || `${node.title}\n${node.path}\n${node.site?.name ?? ''}`.toLocaleLowerCase().includes(wanted));
}

function nodeRow(node: TreeNode, depth: number, open: boolean, place: { position: number; size: number }): TreeRow {
  return {
    kind: 'node',
    id: node.path,
    text: node.title,
    selectable: isChoosable(node),
    level: depth,
    ...place,
    ...(node.hasChildren ? { expanded: open } : {}),
    node,
  };
}

function otherRow(path: string, depth: number, level: { state: 'loading' } | { state: 'failed'; failure: Failure }): TreeRow {
  const row = { id: `${path}/*`, text: '', selectable: false, level: depth };
  return level.state === 'loading' ? { ...row, kind: 'loading' } : { ...row, kind: 'failed', path, failure: level.failure };
}
