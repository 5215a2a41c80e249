import { SearchField } from '@adobe/react-spectrum/SearchField';
import { useState } from 'react';
import { siteAddress } from '@repoless/contract/addresses.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import { sitesMatching } from '@repoless/core/sync/overview-rows.ts';
import type { RepositoryGroup } from '@repoless/core/sync/repository-groups.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { ExternalLink, LinkRefused } from '../../ui/ExternalLink.tsx';
import { WindowedList } from '../../ui/WindowedList.tsx';

interface Props {
  readonly group: RepositoryGroup;
  readonly info: ServiceInfo;
  readonly organization: string;
  /** The site of the page at hand. */
  readonly own: string;
}

const ROW = 48;
const HEIGHT = 336;
/** From so many sites on they can be searched. */
const MANY = 8;

/** The sites that share a repository, with their preview addresses. */
export function SiteList({ group, info, organization, own }: Props) {
  const { sync } = useMessages('sync');
  const [search, setSearch] = useState('');
  const [refused, setRefused] = useState<string>();
  const sites = sitesMatching(group.sites, search);
  const hosts = { protocol: info.protocol, preview: info.previewDomain, live: info.liveDomain };
  return (
    <section className="rp-card" aria-labelledby="rp-sites">
      <h2 id="rp-sites">{sync.sites}</h2>
      {group.sites.length > MANY && <SearchField label={sync.searchSites} value={search} onChange={setSearch} width="100%" />}
      <p className="rp-quiet" role="status">
        {search.trim() === '' ? sync.siteCount({ count: sites.length }) : sync.found({ count: sites.length })}
      </p>
      <WindowedList label={sync.sites} rows={sites} idOf={(site) => site} rowHeight={ROW} height={HEIGHT}>
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
    </section>
  );
}
