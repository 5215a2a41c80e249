import type { SiteState } from '@repoless/contract/site-check.ts';
import { joinStates } from '@repoless/core/checks/site-state.ts';
import type { Level, TreeNode } from '@repoless/core/sites/tree.ts';
import type { Failure } from '@repoless/core/situation/call.ts';
import type { GridRow } from '../../ui/grid/grid-rows.ts';
import type { CheckedStates } from './CheckSites.tsx';
import { isChoosable, type NodeReader, TOP, type TreeLevels } from './tree-nodes.ts';

/** The state of the page's site; `covered` if it belongs to another page's site. */
export type RowState = SiteState | 'covered';

export interface TreeFilter {
  readonly text: string;
  readonly state: RowState | 'any';
  readonly level: Level | 'any';
}

export const EVERYTHING: TreeFilter = { text: '', state: 'any', level: 'any' };

export type TreeRow = GridRow & { readonly level: number } & (
    | { readonly kind: 'node'; readonly node: TreeNode; readonly state: RowState }
    | { readonly kind: 'loading' }
    | { readonly kind: 'failed'; readonly path: string; readonly failure: Failure }
  );

/**
 * The visible rows of the tree, in order. Without a filter: what is open. With one: every page read so far that matches,
 * below its ancestors, open or not.
 */
export function treeRows(tree: TreeLevels, reader: NodeReader, filter: TreeFilter, checked: CheckedStates): TreeRow[] {
  const rows: TreeRow[] = [];
  const matches = isEverything(filter) ? undefined : matcher(filter, checked);
  const below = (parent: TreeNode | undefined, depth: number): boolean => {
    const path = parent?.path ?? TOP;
    const level = tree.levels.get(path);
    if (level?.state !== 'ready') {
      if (matches === undefined && level !== undefined) rows.push(otherRow(path, depth, level));
      return false;
    }
    const nodes = reader.nodes(parent, level.read);
    let found = false;
    for (const [index, node] of nodes.entries()) {
      const place = { position: index + 1, size: nodes.length };
      const open = node.hasChildren && (matches === undefined ? tree.expanded.has(node.path) : tree.levels.has(node.path));
      const at = rows.length;
      rows.push(nodeRow(node, { state: rowState(node, checked), checked: foundState(node, checked) }, depth, open, place));
      const belowMatches = open ? below(node, depth + 1) : false;
      if (matches === undefined) continue;
      if (matches(node) || belowMatches) found = true;
      else rows.splice(at);
    }
    return found;
  };
  below(undefined, 1);
  return rows;
}

/** The finding of a check takes precedence over what the tree reads by itself. */
export function rowState({ path, state }: TreeNode, checked: CheckedStates): RowState {
  if (state.kind === 'covered') return 'covered';
  return foundState({ path, state }, checked) ?? state.state;
}

/** The state of a page's site that was checked. What the tree reads adds to an earlier check. */
export function foundState({ path, state }: Pick<TreeNode, 'path' | 'state'>, { own, kept }: CheckedStates): SiteState | undefined {
  const before = state.kind === 'site' ? kept.get(path) : undefined;
  if (own.has(path) || before === undefined || state.kind !== 'site') return own.get(path);
  return joinStates(state.state, before);
}

export function isEverything({ text, state, level }: TreeFilter): boolean {
  return text.trim() === '' && state === 'any' && level === 'any';
}

/** Number of rows that match themselves; the others are their ancestors. */
export function matching(rows: readonly TreeRow[], filter: TreeFilter, checked: CheckedStates): number {
  const matches = matcher(filter, checked);
  return rows.filter((row) => row.kind === 'node' && matches(row.node)).length;
}

function matcher({ text, state, level }: TreeFilter, checked: CheckedStates): (node: TreeNode) => boolean {
  const wanted = text.trim().toLocaleLowerCase();
  return (node) =>
    (state === 'any' || rowState(node, checked) === state) &&
    (level === 'any' || node.level === level) &&
    (wanted === '' || `${node.title}\n${node.path}\n${node.site?.name ?? ''}`.toLocaleLowerCase().includes(wanted));
}

interface NodeStates {
  readonly state: RowState;
  readonly checked: SiteState | undefined;
}

function nodeRow(
  node: TreeNode,
  { state, checked }: NodeStates,
  depth: number,
  open: boolean,
  place: { readonly position: number; readonly size: number },
): TreeRow {
  return {
    kind: 'node',
    id: node.path,
    text: node.title,
    selectable: isChoosable(node, checked),
    level: depth,
    ...place,
    ...(node.hasChildren ? { expanded: open } : {}),
    node,
    state,
  };
}

function otherRow(path: string, depth: number, level: { state: 'loading' } | { state: 'failed'; failure: Failure }): TreeRow {
  const row = { id: `${path}/*`, text: '', selectable: false, level: depth };
  return level.state === 'loading' ? { ...row, kind: 'loading' } : { ...row, kind: 'failed', path, failure: level.failure };
}
