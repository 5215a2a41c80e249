import type { CheckId } from '@repoless/contract/site-check.ts';
import type { MessagesOf } from '@repoless/core/messages/language.ts';
import type { Column } from '../../ui/grid/VirtualGrid.tsx';
import { Age } from '../../ui/Age.tsx';
import { StateBadge } from '../../ui/StateBadge.tsx';
import { findingsOf } from './organization-rows.ts';
import type { Comparison, SiteGridRow } from './organization-rows.ts';

/** The columns of the list of all sites; where the details of one stand beside it, those that tell sites apart. */
export function siteColumns(
  { organization: messages, overview, siteKinds, tree }: MessagesOf<'sites'>,
  titles: Readonly<Record<CheckId, string>>,
  isNarrow: boolean,
): Column<SiteGridRow>[] {
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
  const found = (row: SiteGridRow): string | undefined => {
    const findings = findingsOf(row);
    if (findings.length > 0) return findings.map((check) => titles[check]).join(', ');
    return row.kept?.checkedAt === undefined ? undefined : overview.none;
  };
  const checked = ({ kept }: SiteGridRow) =>
    kept?.checkedAt === undefined ? (
      <span className="rp-dim">{overview.never}</span>
    ) : (
      <span className="rp-clip" title={kept.checkedAt}>
        <Age time={kept.checkedAt} />
      </span>
    );
  const essential: Column<SiteGridRow>[] = [
    { key: 'name', title: messages.columns.name, width: 'minmax(150px, 1.4fr)', cell: ({ site }) => text(site.name) },
    { key: 'state', title: messages.columns.state, width: '172px', cell: ({ state }) => <StateBadge state={state} /> },
    { key: 'findings', title: overview.columns.findings, width: 'minmax(120px, 1.6fr)', cell: (row) => text(found(row)) },
    { key: 'checked', title: overview.columns.checked, width: '136px', cell: checked },
  ];
  if (isNarrow) return essential;
  return [
    ...essential,
    { key: 'kind', title: messages.columns.kind, width: 'minmax(84px, 0.8fr)', cell: ({ site }) => text(siteKinds[site.kind]) },
    { key: 'base', title: messages.columns.base, width: 'minmax(60px, 0.6fr)', cell: ({ site }) => text(site.base) },
    { key: 'repository', title: messages.columns.repository, width: 'minmax(100px, 1fr)', cell: ({ site }) => text(site.repository) },
    { key: 'root', title: messages.columns.root, width: 'minmax(120px, 1.3fr)', cell: ({ site }) => text(site.contentRoot) },
    { key: 'comparison', title: messages.columns.comparison, width: 'minmax(96px, 0.9fr)', cell: (row) => text(compared(row.comparison)) },
  ];
}
