import type { OrganizationSite } from '#extension/setup/sites/organization-sites.ts';
import type { SitesWords } from '#extension/words/sites-words.ts';
import type { Column } from '../grid/VirtualGrid.tsx';
import { Badge } from '../shared/Badge.tsx';
import type { SiteDrift, SiteGridRow } from './organization-rows.ts';

const STATE_TONES = { base: 'info', locale: 'positive', single: 'neutral', incomplete: 'notice' } as const;
const DRIFT_TONES = { fits: 'positive', drifted: 'notice', unread: 'neutral', elsewhere: 'neutral', missing: 'negative' } as const;

/** The columns of the list of all sites. */
export function siteColumns(
  { organization: words }: SitesWords,
  driftOf: (site: OrganizationSite) => SiteDrift | undefined,
): Column<SiteGridRow>[] {
  const text = (value: string | undefined) => (
    <span className={value === undefined ? 'rp-dim' : 'rp-clip'} title={value}>
      {value ?? words.none}
    </span>
  );
  return [
    {
      key: 'name',
      title: words.columns.name,
      width: 'minmax(180px, 1.5fr)',
      cell: ({ site }) => <span className="rp-clip">{site.name}</span>,
    },
    {
      key: 'state',
      title: words.columns.state,
      width: '130px',
      cell: ({ site }) => <Badge tone={STATE_TONES[site.state]} text={words.states[site.state]} />,
    },
    { key: 'base', title: words.columns.base, width: 'minmax(90px, 0.8fr)', cell: ({ site }) => text(site.base) },
    { key: 'repository', title: words.columns.repository, width: 'minmax(140px, 1fr)', cell: ({ site }) => text(site.repository) },
    { key: 'root', title: words.columns.root, width: 'minmax(160px, 1.3fr)', cell: ({ site }) => text(site.contentRoot) },
    {
      key: 'drift',
      title: words.columns.drift,
      width: '150px',
      cell: ({ site }) => {
        const drift = driftOf(site);
        if (drift === undefined) return <span className="rp-dim">{words.none}</span>;
        return <Badge tone={DRIFT_TONES[drift]} text={words.drift[drift]} />;
      },
    },
  ];
}
