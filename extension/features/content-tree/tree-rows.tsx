import type { SiteState } from '@repoless/contract/site-check.ts';
import { foundState, type Level, type TreeNode } from '@repoless/core/sites/tree.ts';
import type { Failure } from '@repoless/core/situation/call.ts';
import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import type { MessagesOf } from '@repoless/core/messages/language.ts';
import type { GridRow } from '../../ui/grid/grid-rows.ts';
import type { CheckedStates } from './CheckSites.tsx';
import { isChoosable, type NodeReader, TOP, type TreeLevels } from './use-tree.ts';
import { Badge, StateBadge } from '../../ui/Badge.tsx';
import type { Column } from '../../ui/grid/VirtualGrid.tsx';
import { useList, useMessages } from '../../ui/use-messages.ts';

/** The state of the page's site; `covered` if it belongs to another page's site. */
type RowState = SiteState | 'covered';

export interface TreeFilter {
  readonly text: string;
  readonly state: RowState | 'any';
  readonly level: Level | 'any';
}

export const EVERYTHING: TreeFilter = { text: '', state: 'any', level: 'any' };

type TreeRow = GridRow & { readonly level: number } & (
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
      const open = node.hasChildren && (matches === undefined ? tree.expanded.has(node.path) : tree.levels.has(node.path));
      const at = rows.length;
      rows.push({
        kind: 'node',
        id: node.path,
        text: node.title,
        selectable: isChoosable(node, foundState(node, checked)),
        level: depth,
        position: index + 1,
        size: nodes.length,
        ...(node.hasChildren ? { expanded: open } : {}),
        node,
        state: rowState(node, checked),
      });
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

export function isEverything({ text, state, level }: TreeFilter): boolean {
  return text.trim() === '' && state === 'any' && level === 'any';
}

/** Number of rows that match themselves; the others are their ancestors. */
export function matching(rows: readonly TreeRow[], filter: TreeFilter, checked: CheckedStates): number {
  const matches = matcher(filter, checked);
  return rows.filter((row) => row.kind === 'node' && matches(row.node)).length;
}

function matcher({ text, state, level }: TreeFilter, checked: CheckedStates): (node: TreeNode) => boolean {
  const query = text.trim().toLocaleLowerCase();
  return (node) =>
    (state === 'any' || rowState(node, checked) === state) &&
    (level === 'any' || node.level === level) &&
    (query === '' || `${node.title}\n${node.path}\n${node.site?.name ?? ''}`.toLocaleLowerCase().includes(query));
}

function otherRow(path: string, depth: number, level: { state: 'loading' } | { state: 'failed'; failure: Failure }): TreeRow {
  const row = { id: `${path}/*`, text: '', selectable: false, level: depth };
  return level.state === 'loading' ? { ...row, kind: 'loading' } : { ...row, kind: 'failed', path, failure: level.failure };
}

/** The columns of the tree. `onRetry` reads a level again after a failure. */
export function treeColumns({ tree, siteKinds }: MessagesOf<'sites'>, onRetry: (path: string) => void): Column<TreeRow>[] {
  return [
    {
      key: 'page',
      title: tree.columns.page,
      width: 'minmax(260px, 2.2fr)',
      cell: (row) => {
        if (row.kind === 'loading') return <span className="rp-dim">{tree.loading}</span>;
        if (row.kind === 'failed') {
          return (
            <>
              <span className="rp-clip">{tree.levelFailed({ path: row.path })}</span>
              <ActionButton isQuiet onPress={() => onRetry(row.path)}>
                {tree.readAgain}
              </ActionButton>
            </>
          );
        }
        return (
          <span className="rp-clip" title={`${row.node.title}\n${row.node.path}`}>
            {row.node.title} <span className="rp-dim">{nameOf(row.node.path)}</span>
          </span>
        );
      },
    },
    {
      key: 'level',
      title: tree.columns.level,
      width: '84px',
      cell: (row) => (row.kind === 'node' ? <span className="rp-dim">{tree.levels[row.node.level]}</span> : null),
    },
    {
      key: 'kind',
      title: tree.columns.kind,
      width: 'minmax(92px, 0.7fr)',
      cell: (row) =>
        row.kind === 'node' && row.node.kind !== undefined ? (
          <span className="rp-clip" title={siteKinds[row.node.kind]}>
            {siteKinds[row.node.kind]}
          </span>
        ) : null,
    },
    {
      key: 'state',
      title: tree.columns.state,
      width: '172px',
      // If the sites could not be read, nothing is known about a page.
      cell: (row) => (row.kind === 'node' && row.node.state.kind !== 'unknown' ? <NodeStateBadge state={row.state} /> : null),
    },
    {
      key: 'site',
      title: tree.columns.site,
      width: 'minmax(150px, 1.4fr)',
      cell: (row) => (row.kind === 'node' ? <NodeSite node={row.node} /> : null),
    },
    {
      key: 'configuration',
      title: tree.columns.configuration,
      width: 'minmax(140px, 1fr)',
      cell: (row) => (row.kind === 'node' ? <NodeConfiguration node={row.node} /> : null),
    },
  ];
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function NodeStateBadge({ state }: { readonly state: RowState }) {
  const { tree } = useMessages('sites');
  return state === 'covered' ? <Badge tone="neutral" text={tree.covered} /> : <StateBadge state={state} />;
}

/** The site of a page: its own with its differences, or the one that it belongs to. */
function NodeSite({ node }: { readonly node: TreeNode }) {
  const { tree } = useMessages('sites');
  const list = useList();
  const { state } = node;
  switch (state.kind) {
    case 'site': {
      const fields = list(state.drifts.map(({ field }) => tree.drifts[field]));
      const text = fields === '' ? state.site : `${state.site}: ${fields}`;
      return (
        <span className="rp-clip" title={text}>
          {text}
        </span>
      );
    }
    case 'missing-site':
      return (
        <span className="rp-clip" title={tree.missingSite({ name: state.missingSite })}>
          {tree.missingSite({ name: state.missingSite })}
        </span>
      );
    case 'covered':
    case 'not-yet':
      if (state.by === undefined) return null;
      return (
        <span className="rp-clip rp-dim" title={tree.coveredBy({ site: state.by })}>
          {tree.coveredBy({ site: state.by })}
        </span>
      );
    case 'unknown':
      return null;
    default:
      return state satisfies never;
  }
}

function NodeConfiguration({ node: { cloudConfiguration } }: { readonly node: TreeNode }) {
  const { tree } = useMessages('sites');
  const { value, source } = cloudConfiguration;
  if (value === undefined) return <span className="rp-dim">{tree.noConfiguration}</span>;
  const from = source.kind === 'inherited' ? tree.inherited({ from: source.from }) : undefined;
  return (
    <span className={from === undefined ? 'rp-clip' : 'rp-clip rp-dim'} title={from === undefined ? value : `${value}, ${from}`}>
      {value}
      {from !== undefined && <span className="rp-hidden">, {from}</span>}
    </span>
  );
}
