import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import type { MessagesOf } from '@repoless/core/messages/language.ts';
import type { Column } from '../../ui/grid/VirtualGrid.tsx';
import { NodeConfiguration, NodeSite, NodeStateBadge } from './node-state.tsx';
import type { TreeRow } from './tree-rows.ts';

/** The columns of the tree. `onRetry` reads a level again that could not be read. */
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
      cell: (row) => (row.kind === 'node' ? <NodeStateBadge state={row.state} /> : null),
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
