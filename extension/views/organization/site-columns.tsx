import type { MessagesOf } from '#extension/messages/language.ts';
import type { Column } from '../grid/VirtualGrid.tsx';
import { StateBadge } from '../shared/StateBadge.tsx';
import type { Comparison, SiteGridRow } from './organization-rows.ts';

/** The columns of the list of all sites. */
export function siteColumns({ organization: messages, siteKinds, tree }: MessagesOf<'sites'>): Column<SiteGridRow>[] {
  const text = (value: string | undefined) => (
    <span className={value === undefined ? 'rp-dim' : 'rp-clip'} title={value}>
      {value ?? messages.none}
    </span>
  );
  const compared = (comparison: Comparison | undefined): string | undefined => {
    if (comparison === undefined) return undefined;
    return comparison.kind === 'differs'
      ? comparison.fields.map((field) => tree.drifts[field]).join(', ')
      : messages.comparisons[comparison.kind];
  };
  return [
    { key: 'name', title: messages.columns.name, width: 'minmax(150px, 1.4fr)', cell: ({ site }) => text(site.name) },
    { key: 'kind', title: messages.columns.kind, width: 'minmax(92px, 0.8fr)', cell: ({ site }) => text(siteKinds[site.kind]) },
    { key: 'state', title: messages.columns.state, width: '172px', cell: ({ state }) => <StateBadge state={state} /> },
    { key: 'base', title: messages.columns.base, width: 'minmax(80px, 0.7fr)', cell: ({ site }) => text(site.base) },
    { key: 'repository', title: messages.columns.repository, width: 'minmax(120px, 1fr)', cell: ({ site }) => text(site.repository) },
    { key: 'root', title: messages.columns.root, width: 'minmax(150px, 1.3fr)', cell: ({ site }) => text(site.contentRoot) },
    { key: 'comparison', title: messages.columns.comparison, width: 'minmax(120px, 1fr)', cell: (row) => text(compared(row.comparison)) },
  ];
}
