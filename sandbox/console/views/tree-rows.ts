import type { Level, Tree } from '../authoring/use-tree.ts';

/** A row as the tree view draws it. Rows that are no page (loading, failed, empty) have a prefix in their id. */
export interface Row {
  readonly id: string;
  readonly title: string;
  readonly name: string;
  readonly expandable: boolean;
  readonly children: readonly Row[];
}

export function rowsOf(tree: Tree): Row[] {
  return rowsOfLevel(tree, '/content', tree.root);
}

function rowsOfLevel(tree: Tree, path: string, level: Level | undefined): Row[] {
  if (level === undefined || level.state === 'loading') return [message('loading', path, 'Reading…')];
  if (level.state === 'failed') return [message('failed', path, `${level.sentence} Select this row to try again.`)];
  if (level.pages.length === 0) return [message('empty', path, 'No pages below')];
  return level.pages.map((page) => ({
    id: page.path,
    title: page.title,
    name: page.path.slice(page.path.lastIndexOf('/') + 1),
    expandable: page.expandable,
    children: page.expandable && tree.expanded.has(page.path) ? rowsOfLevel(tree, page.path, tree.levels.get(page.path)) : [],
  }));
}

function message(kind: 'loading' | 'failed' | 'empty', path: string, title: string): Row {
  return { id: `${kind}:${path}`, title, name: '', expandable: false, children: [] };
}
