import { SearchField } from '@adobe/react-spectrum/SearchField';
import { Switch } from '@adobe/react-spectrum/Switch';
import { useMemo } from 'react';
import type { SetupPorts } from '#extension/setup/ports.ts';
import type { BuildManagementPort } from '#extension/setup/sync/build-management-port.ts';
import { groupOf } from '#extension/setup/sync/repository-groups.ts';
import type { SyncPort } from '#extension/setup/sync/ports.ts';
import { overviewRows } from '#extension/setup/sync/overview-rows.ts';
import type { SyncOverview } from '#extension/setup/sync/read-overview.ts';
import { ExternalRepositories } from '../external-repository/ExternalRepositories.tsx';
import { useSyncWords } from './use-sync-words.ts';
import { RepositoryDetail } from './RepositoryDetail.tsx';
import { RepositoryList } from './RepositoryList.tsx';
import { useKeptView } from './use-kept-view.ts';

interface Props {
  readonly overview: SyncOverview;
  readonly setup: Pick<SetupPorts, 'service'>;
  readonly sync: SyncPort;
  /** Absent where the deployment has no build management. */
  readonly builds: BuildManagementPort | undefined;
  /** Something changed which sites there are or what they use. */
  readonly onRead: () => void;
}

/** The page's repository, or all repositories of the organization and the one that is opened. */
export function Repositories({ overview, setup, sync, builds, onRead }: Props) {
  const { sync: words, external } = useSyncWords();
  const { organization, site, groups } = overview;
  const [view, change] = useKeptView(organization);
  const own = groupOf(groups, site);
  const everything = own === undefined || view.everything === true;
  const opened = everything ? groups.find(({ key }) => key === view.open) : own;
  const rows = overviewRows(groups, view.search ?? '');
  const names = useMemo(() => groups.flatMap(({ sites }) => [...sites]).toSorted(), [groups]);
  const atExternal = everything && builds !== undefined && view.external !== undefined;
  const count = groups.reduce((sum, { sites }) => sum + sites.length, 0);
  return (
    <>
      <header className="rp-sync-head">
        <h1>{words.title}</h1>
        <Switch
          isSelected={everything}
          isDisabled={own === undefined || overview.unlisted !== undefined}
          onChange={(selected) => change({ everything: selected, open: undefined, external: undefined })}
        >
          {words.scope(organization)}
        </Switch>
        {overview.unlisted !== undefined && <p className="rp-quiet">{words.onlyThisSite}</p>}
        {own === undefined && groups.length > 0 && (
          <p className="rp-quiet">{overview.isRegistered ? words.noCode(site) : words.notRegistered(site)}</p>
        )}
      </header>
      {groups.length === 0 && (
        <div className="rp-card">
          <p>{words.empty.sentence}</p>
          <p className="rp-quiet">{words.empty.next}</p>
        </div>
      )}
      {!atExternal && opened !== undefined && (
        <RepositoryDetail
          key={opened.key}
          overview={overview}
          group={opened}
          setup={setup}
          sync={sync}
          builds={builds}
          names={names}
          onRead={onRead}
          asked={view.branches?.[opened.key] ?? []}
          onAsked={(branches) => change({ branches: { ...view.branches, [opened.key]: [...branches] } })}
          {...(everything ? { onBack: () => change({ open: undefined }) } : {})}
        />
      )}
      {!atExternal && opened === undefined && groups.length > 0 && (
        <section className="rp-card" aria-labelledby="rp-repositories">
          <h2 id="rp-repositories">{words.repositories}</h2>
          <SearchField label={words.search} value={view.search ?? ''} onChange={(search) => change({ search })} width="100%" />
          <p className="rp-quiet" role="status">
            {(view.search ?? '').trim() === '' ? words.counts(groups.length, count) : words.found(rows.length)}
          </p>
          <RepositoryList rows={rows} organization={organization} sync={sync} onOpen={(open) => change({ open })} />
        </section>
      )}
      {everything && (atExternal || opened === undefined) && builds !== undefined && (
        <ExternalRepositories
          builds={builds}
          sync={sync}
          setup={setup}
          organization={organization}
          groups={groups}
          sites={names}
          open={view.external}
          onOpen={(external) => change({ external })}
          onStored={onRead}
        />
      )}
      {everything && opened === undefined && builds === undefined && <p className="rp-quiet">{external.notSet}</p>}
    </>
  );
}
