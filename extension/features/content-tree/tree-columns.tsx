import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import type { MessagesOf } from '@repoless/core/messages/language.ts';
import type { TreeNode } from '@repoless/core/sites/tree.ts';
import { Badge, StateBadge } from '../../ui/Badge.tsx';
import type { Column } from '../../ui/grid/VirtualGrid.tsx';
import { useList, useMessages } from '../../ui/use-messages.ts';
import type { RowState, TreeRow } from './tree-rows.ts';

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
    case 'promised':
      return (
        <span className="rp-clip" title={tree.missingSite({ name: state.promised })}>
          {tree.missingSite({ name: state.promised })}
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
