import { createBuildManagementPort, createSyncPort } from '@repoless/core/api/sync-port.ts';
import { createChecksPort } from '@repoless/core/api/organization-ports.ts';
import { fill } from '@repoless/core/messages/format-message.ts';
import type { SetupPorts } from '@repoless/core/situation/ports.ts';
import type { Failure, Known } from '@repoless/core/situation/call.ts';
import type { BuildManagementPort, SyncPort } from '@repoless/core/sync/ports.ts';
import { readOverview, type SyncOverview } from '@repoless/core/sync/read-overview.ts';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { TextButton } from '../../ui/TextButton.tsx';
import type { Connection } from '../../host/connection.ts';
import { LeaveQuestionWithoutShell } from '../shell/Shell.tsx';
import { Explanation } from '../../ui/Notice.tsx';
import { HiddenTitle, Loading } from '../../ui/Loading.tsx';
import { ReadRefused, type SignInAgain } from '../../ui/Unread.tsx';
import { ChecksContext } from '../../ui/organization-contexts.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { Repositories } from './Repositories.tsx';
import '../external-repository/external.css';
import './sync.css';

interface Props {
  readonly connection: Pick<Connection, 'client' | 'ports' | 'clientAt'>;
  readonly path: string;
  /** All repositories of this organization, within a shell that shows the location; if absent, those of the page's organization, in a rail. */
  readonly organization?: string | undefined;
  readonly onSignedOut: SignInAgain;
}

/** The rail: code sync of the sites that share the current page's repository, or of all sites of its organization. */
export function SyncStatus({ connection, path, organization, onSignedOut }: Props) {
  const { client, ports, clientAt } = connection;
  const sync = useMemo(() => createSyncPort(client), [client]);
  const checks = useMemo(() => createChecksPort(client), [client]);
  const buildsAt = useCallback((address: string) => createBuildManagementPort(clientAt(address)), [clientAt]);
  return (
    <ChecksContext value={checks}>
      {organization === undefined && <LeaveQuestionWithoutShell />}
      <SyncPanel setup={ports} sync={sync} buildsAt={buildsAt} path={path} organization={organization} onSignedOut={onSignedOut} />
    </ChecksContext>
  );
}

interface SyncPanelProps {
  readonly setup: SetupPorts;
  readonly sync: SyncPort;
  /** Creates a port for build management at the service's address for it. */
  readonly buildsAt: (address: string) => BuildManagementPort;
  readonly path: string;
  /** Shows all repositories of this organization; if absent, those of the current page, whose organization is read. */
  readonly organization?: string | undefined;
  readonly onSignedOut: SignInAgain;
}

export function SyncPanel({ setup, sync, buildsAt, path, organization, onSignedOut }: SyncPanelProps) {
  const messages = useMessages('sync');
  const [overview, read] = useOverview(setup, path, organization);
  const address = overview.state === 'known' ? overview.value.info.buildManagement : undefined;
  const builds = useMemo(() => (address === undefined ? undefined : buildsAt(address)), [address, buildsAt]);
  switch (overview.state) {
    case 'loading':
      return (
        <>
          {organization === undefined && <HiddenTitle />}
          <Loading text={messages.sync.reading} />
        </>
      );
    case 'missing':
      return (
        <>
          {organization === undefined && <HiddenTitle />}
          <Explanation explained={fill(messages.sync.pageMissing, { path })}>
            <TextButton onPress={read} text={messages.general.retry} />
          </Explanation>
        </>
      );
    case 'failed':
      return (
        <>
          {organization === undefined && <HiddenTitle />}
          <ReadRefused failure={overview.failure} onRetry={read} onSignedOut={onSignedOut} />
        </>
      );
    case 'known':
      return (
        <>
          {overview.failure !== undefined && <ReadRefused failure={overview.failure} onRetry={read} onSignedOut={onSignedOut} />}
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
        </>
      );
    default:
      return overview satisfies never;
  }
}

type OverviewState =
  | { readonly state: 'loading' }
  | Exclude<Known<SyncOverview>, { state: 'known' }>
  /** `failure`: why the last reload failed; earlier values are still shown. */
  | { readonly state: 'known'; readonly value: SyncOverview; readonly failure?: Failure };

/**
 * The sites of the page's organization, or of the given one, read when the rail opens and when `read` is called. If that fails,
 * earlier values stay, because a secret that is shown only once depends on them.
 */
function useOverview(ports: Pick<SetupPorts, 'service' | 'authoring'>, path: string, organization?: string): [OverviewState, () => void] {
  const [overview, setOverview] = useState<OverviewState>({ state: 'loading' });
  const latest = useRef(0);
  const read = useCallback(async (): Promise<void> => {
    const mine = ++latest.current;
    const answer = await readOverview(ports, path, organization);
    if (mine === latest.current) setOverview((now) => next(now, answer));
  }, [ports, path, organization]);
  useEffect(() => {
    const counter = latest;
    void read();
    return () => void counter.current++;
  }, [read]);
  const again = (): void => {
    setOverview((now) => (now.state === 'known' ? now : { state: 'loading' }));
    void read();
  };
  return [overview, again];
}

function next(now: OverviewState, answer: Known<SyncOverview>): OverviewState {
  return answer.state === 'failed' && now.state === 'known' ? { ...now, failure: answer.failure } : answer;
}
