import { createBuildManagementPort, createSyncPort } from '@repoless/core/api/sync-port.ts';
import { createChecksPort } from '@repoless/core/api/organization-ports.ts';
import { fill } from '@repoless/core/messages/format-message.ts';
import type { SetupPorts } from '@repoless/core/situation/ports.ts';
import type { BuildManagementPort, SyncPort } from '@repoless/core/sync/ports.ts';
import { readOverview, type SyncOverview } from '@repoless/core/sync/read-overview.ts';
import { use, useCallback, useEffect, useMemo, useState } from 'react';
import { SearchField } from '@adobe/react-spectrum/SearchField';
import { Switch } from '@adobe/react-spectrum/Switch';
import type { SiteState } from '@repoless/contract/site-check.ts';
import { evaluateSituation, siteState } from '@repoless/core/checks/site-state.ts';
import { shareCheck } from '@repoless/core/overview/stored-checks.ts';
import { readSituation } from '@repoless/core/plan/read-situation.ts';
import { targetOfSituation } from '@repoless/core/situation/target.ts';
import { groupOf, overviewRows } from '@repoless/core/sync/repository-groups.ts';
import { z } from 'zod';
import { useFreshReading } from '../../ui/use-reading.ts';
import { TextButton } from '../../ui/TextButton.tsx';
import type { Connection } from '../../host/connection.ts';
import { LeaveQuestionWithoutShell } from '../shell/Shell.tsx';
import { Explanation, HiddenTitle, Loading, Status } from '../../ui/Notice.tsx';
import { ReadRefused, type SignInAgain } from '../../ui/Unread.tsx';
import { ChecksContext } from '../../ui/organization-contexts.ts';
import { useMessages } from '../../ui/use-messages.ts';
import '../external-repository/external.css';
import './sync.css';
import { readStored, tabStorage, writeStored } from '../../host/storage.ts';
import { StateBadge } from '../../ui/Badge.tsx';
import { Card } from '../../ui/Card.tsx';
import { useFocusRestore } from '../../ui/focus.ts';
import { useGlossary } from '../../ui/use-glossary.tsx';
import { useRepositoryNames } from '../../ui/use-repository-names.ts';
import { ExternalRepositories } from '../external-repository/ExternalRepositories.tsx';
import { useLeaveHere } from '../../ui/use-guarded.ts';
import { RepositoryDetail } from './RepositoryDetail.tsx';
import { RepositoryList } from './RepositoryList.tsx';

interface Props {
  readonly connection: Pick<Connection, 'client' | 'ports' | 'clientAt'>;
  readonly path: string;
  /**
   * All repositories of this organization, within a shell that shows the location; if absent, those of the page's organization, in a rail.
   */
  readonly organization?: string | undefined;
  readonly onSignedOut: SignInAgain;
}

/** The rail: code sync of the sites that share the current page's repository, or of all sites of its organization. */
export function SyncStatus({ connection, ...props }: Props) {
  const { client, ports, clientAt } = connection;
  const sync = useMemo(() => createSyncPort(client), [client]);
  const checks = useMemo(() => createChecksPort(client), [client]);
  const buildsAt = useCallback((address: string) => createBuildManagementPort(clientAt(address)), [clientAt]);
  return (
    <ChecksContext value={checks}>
      {props.organization === undefined && <LeaveQuestionWithoutShell />}
      <SyncPanel {...props} setup={ports} sync={sync} buildsAt={buildsAt} />
    </ChecksContext>
  );
}

interface SyncPanelProps extends Omit<Props, 'connection'> {
  readonly setup: SetupPorts;
  readonly sync: SyncPort;
  /** Creates a port for build management at the service's address for it. */
  readonly buildsAt: (address: string) => BuildManagementPort;
}

export function SyncPanel({ setup, sync, buildsAt, path, organization, onSignedOut }: SyncPanelProps) {
  const messages = useMessages('sync');
  const readAll = useCallback(() => readOverview(setup, path, organization), [setup, path, organization]);
  const [overview, read] = useFreshReading(readAll);
  const address = overview.state === 'ready' ? overview.value.info.buildManagement : undefined;
  const builds = useMemo(() => (address === undefined ? undefined : buildsAt(address)), [address, buildsAt]);
  return (
    <>
      {overview.state !== 'ready' && organization === undefined && <HiddenTitle />}
      {overview.state === 'loading' && <Loading text={messages.sync.reading} />}
      {overview.state === 'missing' && (
        <Explanation explained={fill(messages.sync.pageMissing, { path })}>
          <TextButton onPress={read} text={messages.general.retry} />
        </Explanation>
      )}
      {'failure' in overview && <ReadRefused failure={overview.failure} onRetry={read} onSignedOut={onSignedOut} />}
      {overview.state === 'ready' && (
        <Repositories
          key={overview.value.organization}
          overview={overview.value}
          path={path}
          isAll={organization !== undefined}
          setup={setup}
          sync={sync}
          builds={builds}
          onRead={read}
          onSignedOut={onSignedOut}
        />
      )}
    </>
  );
}

interface RepositoriesProps {
  readonly overview: SyncOverview;
  readonly setup: SetupPorts;
  readonly path: string;
  /** All repositories, not just the page's, within a shell that shows the location. */
  readonly isAll: boolean;
  readonly sync: SyncPort;
  /** Absent if the deployment has no build management. */
  readonly builds: BuildManagementPort | undefined;
  /** The list of sites, or the repositories they use, changed. */
  readonly onRead: () => void;
  readonly onSignedOut: SignInAgain;
}

/** The page's repository, or all repositories of the organization and the open one. */
export function Repositories({ overview, path, isAll, setup, sync, builds, onRead, onSignedOut }: RepositoriesProps) {
  const { sync: messages, external } = useMessages('sync');
  const { organization, site, groups } = overview;
  const state = useSiteState(setup, path, overview);
  const [view, change] = useStoredView(organization);
  const nameOf = useRepositoryNames(builds, organization, groups);
  const [row, setRow] = useState<string>();
  const [left, setLeft] = useState<{ readonly row: string }>();
  const leaveHere = useLeaveHere();
  const glossary = useGlossary();
  const own = isAll ? undefined : groupOf(groups, site);
  const everything = own === undefined || view.everything === true;
  const opened = everything ? groups.find(({ key }) => key === view.open) : own;
  const rows = overviewRows(groups, view.search ?? '', nameOf);
  const names = useMemo(() => groups.flatMap(({ sites }) => [...sites]).toSorted(), [groups]);
  const atExternal = everything && builds !== undefined && view.external !== undefined;
  const count = groups.reduce((sum, { sites }) => sum + sites.length, 0);
  const heading = useFocusRestore<HTMLHeadingElement>(opened === undefined ? left : undefined);
  const leave = (repository: string): void => {
    change({ open: undefined });
    setLeft({ row: row ?? repository });
    setRow(undefined);
  };
  return (
    <>
      <header className="rp-sync-head">
        {!isAll && (
          <>
            <h1>{messages.title}</h1>
            <p className="rp-row-line">
              <span className="rp-code">{messages.pageSite({ site })}</span>
              {state !== undefined && <StateBadge state={state} />}
            </p>
            <div className="rp-actions">
              <Switch
                isSelected={everything}
                isDisabled={own === undefined || overview.isUnlisted === true}
                onChange={(selected) => leaveHere(() => change({ everything: selected, open: undefined, external: undefined }))}
              >
                {messages.scope({ organization })}
              </Switch>
              {glossary.button}
            </div>
          </>
        )}
        {overview.isUnlisted === true && <p className="rp-quiet">{messages.onlyThisSite}</p>}
        {!isAll && own === undefined && groups.length > 0 && (
          <p className="rp-quiet">{overview.isRegistered ? messages.noCode({ site }) : messages.notRegistered({ site })}</p>
        )}
      </header>
      {glossary.text}
      {groups.length === 0 && (
        <div className="rp-card">
          <p>{messages.empty.sentence}</p>
          <p className="rp-quiet">{messages.empty.next}</p>
        </div>
      )}
      {!atExternal && opened !== undefined && (
        <RepositoryDetail
          key={opened.key}
          overview={overview}
          group={opened}
          name={nameOf(opened)}
          setup={setup}
          sync={sync}
          builds={builds}
          names={names}
          onRead={onRead}
          onSignedOut={onSignedOut}
          requested={view.branches?.[opened.key] ?? []}
          onRequested={(branches) => change({ branches: { ...view.branches, [opened.key]: [...branches] } })}
          {...(everything ? { onBack: () => leave(opened.key) } : {})}
        />
      )}
      {!atExternal && opened === undefined && groups.length > 0 && (
        <Card id="rp-repositories" title={messages.repositories} heading={heading}>
          <SearchField label={messages.search} value={view.search ?? ''} onChange={(search) => change({ search })} width="100%" />
          <Status>
            {(view.search ?? '').trim() === ''
              ? messages.counts({ repositories: groups.length, sites: count })
              : messages.found({ count: rows.length })}
          </Status>
          <RepositoryList
            rows={rows}
            nameOf={nameOf}
            organization={organization}
            sync={sync}
            left={left?.row}
            onOpen={({ id, group }) => {
              setRow(id);
              change({ open: group.key, everything });
            }}
          />
        </Card>
      )}
      {everything && (atExternal || opened === undefined) && builds !== undefined && (
        <ExternalRepositories
          builds={builds}
          sync={sync}
          setup={setup}
          overview={overview}
          groups={groups}
          sites={names}
          open={view.external}
          onOpen={(external) => change({ external, everything })}
          onStored={onRead}
        />
      )}
      {everything && opened === undefined && builds === undefined && <p className="rp-quiet">{external.notSet}</p>}
    </>
  );
}

/**
 * The state of the page's site, the same as on every screen; undefined until it is checked. If it cannot be checked, derived from the list.
 */
function useSiteState(setup: SetupPorts, path: string, overview: SyncOverview): SiteState | undefined {
  const checks = use(ChecksContext);
  const [checked, setChecked] = useState<{ readonly overview: SyncOverview; readonly state: SiteState }>();
  useEffect(() => {
    let hasEnded = false;
    const check = async (): Promise<SiteState> => {
      const situation = await readSituation(setup, path);
      if (situation.state !== 'known' || targetOfSituation(situation.value).siteName !== overview.site) {
        const { isRegistered, groups, site } = overview;
        return siteState({ registered: isRegistered, complete: groups.some(({ sites }) => sites.includes(site)) });
      }
      return evaluateSituation(situation.value, await shareCheck(checks, situation.value)).state;
    };
    void check().then((state) => !hasEnded && setChecked({ overview, state }));
    return () => {
      hasEnded = true;
    };
  }, [setup, checks, path, overview]);
  // While it is read again, the last known state.
  return checked?.state;
}

/** A person's view, stored because rails are recreated at each click. */
function useStoredView(organization: string): [StoredView, (change: StoredView) => void] {
  const key = `repoless.sync-status.${organization}`;
  const [view, setView] = useState((): StoredView => readStored(tabStorage(), key, StoredView) ?? {});
  const change = (part: StoredView): void => {
    const next = { ...view, ...part };
    writeStored(tabStorage(), key, next);
    setView(next);
  };
  return [view, change];
}

const StoredView = z.object({
  /** All sites of the organization instead of those on the page's repository. */
  everything: z.boolean().optional(),
  search: z.string().optional(),
  open: z.string().optional(),
  /** The number of the open external repository, or the form that onboards one. */
  external: z.string().optional(),
  /** Branches in addition to the synchronized ones, by repository: their sync was requested here. */
  branches: z.record(z.string(), z.array(z.string())).optional(),
});
type StoredView = z.infer<typeof StoredView>;
