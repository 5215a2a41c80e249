import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { SearchField } from '@adobe/react-spectrum/SearchField';
import { siteAddress } from '@repoless/contract/addresses.ts';
import { DEFAULT_REF, sanitizeRef } from '@repoless/contract/names.ts';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { BuildManagementPort, SyncPort } from '@repoless/core/sync/ports.ts';
import { type RepositoryGroup, sitesMatching } from '@repoless/core/sync/repository-groups.ts';
import { useState } from 'react';
import { Card } from '../../ui/Card.tsx';
import { ExternalLink, LinkRefused } from '../../ui/ExternalLink.tsx';
import { Status } from '../../ui/Loading.tsx';
import type { SignInAgain } from '../../ui/Unread.tsx';
import { WindowedList } from '../../ui/WindowedList.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { BranchJob } from './BranchJob.tsx';

interface Props {
  readonly group: RepositoryGroup;
  readonly organization: string;
  /** The site through which the repository's jobs are requested. */
  readonly site: string;
  readonly branches: readonly string[];
  readonly sync: SyncPort;
  /** Build management, if it receives the pushes to the repository. */
  readonly builds: BuildManagementPort | undefined;
  readonly codeHost: string;
  readonly onSignedOut: SignInAgain;
  /** The site no longer exists. */
  readonly onGone: () => void;
}

/** Number of branches followed at first. */
const FIRST = 4;

export function BranchList({ group, organization, site, branches, sync, builds, codeHost, onSignedOut, onGone }: Props) {
  const messages = useMessages('sync').sync;
  const [all, setAll] = useState(false);
  const shown = all ? branches : branches.slice(0, FIRST);
  return (
    <>
      <ul className="rp-plain-list rp-branches" aria-label={messages.branches}>
        {shown.map((branch) => (
          <BranchJob
            key={branch}
            group={group}
            place={{ org: organization, site, ref: sanitizeRef(branch) }}
            branch={branch}
            sync={sync}
            builds={builds}
            codeHost={codeHost}
            onSignedOut={onSignedOut}
            onGone={onGone}
          />
        ))}
      </ul>
      {shown.length < branches.length && (
        <div>
          <ActionButton isQuiet onPress={() => setAll(true)}>
            {messages.moreBranches({ count: branches.length - shown.length })}
          </ActionButton>
        </div>
      )}
    </>
  );
}

interface SiteListProps {
  readonly group: RepositoryGroup;
  readonly info: ServiceInfo;
  readonly organization: string;
  readonly own: string;
}

const ROW = 48;
const HEIGHT = 336;
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
    </Card>
  );
}
