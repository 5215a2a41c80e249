import { StatusLight } from '@adobe/react-spectrum/StatusLight';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import type { SyncPort } from '@repoless/core/sync/ports.ts';
import { type OverviewRow, type RepositoryGroup, sitesMatching } from '@repoless/core/sync/repository-groups.ts';
import { syncStateOf } from '@repoless/core/sync/sync-state.ts';
import { SearchField } from '@adobe/react-spectrum/SearchField';
import { siteAddress } from '@repoless/contract/addresses.ts';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import { useState } from 'react';
import { WindowedList } from '../../ui/WindowedList.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { syncStateTone, useJob } from './use-job.ts';
import { Card } from '../../ui/Card.tsx';
import { ExternalLink, LinkRefused } from '../../ui/ExternalLink.tsx';
import { Status } from '../../ui/Notice.tsx';

interface Props {
  readonly rows: readonly OverviewRow[];
  readonly nameOf: (group: RepositoryGroup) => string;
  readonly organization: string;
  readonly sync: Pick<SyncPort, 'watch'>;
  /** The row of the last opened repository. */
  readonly left: string | undefined;
  readonly onOpen: (row: OverviewRow) => void;
}

/** The repositories with the state of their main branch, and the sites found by the search; pressing a row opens the repository. */
export function RepositoryList({ rows, nameOf, organization, sync, left, onOpen }: Props) {
  const messages = useMessages('sync').sync;
  return (
    <WindowedList
      label={messages.repositories}
      rows={rows}
      idOf={({ id }) => id}
      rowHeight={ROW}
      height={HEIGHT}
      {...(left === undefined ? {} : { left })}
    >
      {(row, tabIndex) => (
        <button type="button" className={`rp-row rp-row-${row.kind}`} tabIndex={tabIndex} onClick={() => onOpen(row)}>
          {row.kind === 'site' ? (
            <span className="rp-row-name">{row.site}</span>
          ) : (
            <>
              <span className="rp-row-name">{nameOf(row.group)}</span>
              <span className="rp-row-line">
                <span className="rp-quiet">{messages.siteCount({ count: row.group.sites.length })}</span>
                <MainBranch group={row.group} organization={organization} sync={sync} />
              </span>
            </>
          )}
        </button>
      )}
    </WindowedList>
  );
}

const ROW = 58;
const HEIGHT = 522;

function MainBranch({ group, organization, sync }: Pick<Props, 'organization' | 'sync'> & Pick<OverviewRow, 'group'>) {
  const messages = useMessages('sync').sync;
  const [job] = useJob(sync, { org: organization, site: group.sites[0] ?? '', ref: DEFAULT_REF });
  if (job.state === 'loading') return <span className="rp-quiet">…</span>;
  if (job.state === 'failed' || job.failed?.hasEnded === true) return <span className="rp-quiet">{messages.jobUnread}</span>;
  const syncState = syncStateOf(job.status, group.type);
  return (
    <StatusLight variant={syncStateTone(syncState)} UNSAFE_className="rp-row-light">
      {messages.syncStates[syncState.state]}
    </StatusLight>
  );
}

interface SiteListProps {
  readonly group: RepositoryGroup;
  readonly info: ServiceInfo;
  readonly organization: string;
  readonly own: string;
}

const SITE_ROW = 48;
const SITES_HEIGHT = 336;
/** Number of sites from which they can be searched. */
const MANY = 8;

export function SiteList({ group, info, organization, own }: SiteListProps) {
  const { sync } = useMessages('sync');
  const [search, setSearch] = useState('');
  const [refused, setRefused] = useState<string>();
  const sites = sitesMatching(group.sites, search);
  const hosts = { protocol: info.protocol, preview: info.previewDomain, live: info.liveDomain };
  return (
    <Card id="rp-sites" title={sync.sites}>
      {group.sites.length > MANY && <SearchField label={sync.searchSites} value={search} onChange={setSearch} width="100%" />}
      <Status>{search.trim() === '' ? sync.siteCount({ count: sites.length }) : sync.found({ count: sites.length })}</Status>
      <WindowedList label={sync.sites} rows={sites} idOf={(site) => site} rowHeight={SITE_ROW} height={SITES_HEIGHT}>
        {(site, tabIndex) => {
          const address = siteAddress(hosts, 'preview', { ref: DEFAULT_REF, site, org: organization });
          return (
            <div className="rp-row" title={address}>
              <span className="rp-row-name">{site === own ? <strong>{sync.ownSite({ site })}</strong> : site}</span>
              <ExternalLink className="rp-row-address" address={address} tabIndex={tabIndex} onRefused={() => setRefused(address)}>
                {address.replace(/^https?:\/\//, '')}
              </ExternalLink>
            </div>
          );
        }}
      </WindowedList>
      <LinkRefused address={refused} />
    </Card>
  );
}
