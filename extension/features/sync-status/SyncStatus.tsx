import { useCallback, useMemo } from 'react';
import { createBuildManagementPort } from '@repoless/core/api/build-management-port.ts';
import { createSyncPort } from '@repoless/core/api/sync-port.ts';
import type { Connection } from '../../app/host/connection.ts';
import { LeaveQuestionWithoutShell } from '../../app/shell/LeaveQuestionWithoutShell.tsx';
import { SyncPanel } from './SyncPanel.tsx';
import '../external-repository/external.css';
import './sync.css';
import type { SignInAgain } from '../../ui/sign-in-again.ts';

interface Props {
  readonly connection: Pick<Connection, 'client' | 'ports' | 'clientAt'>;
  /** Path of the page at hand. */
  readonly path: string;
  /** All repositories of this organization, within a shell that says where this is; absent: those of the page's organization, in a rail. */
  readonly organization?: string | undefined;
  readonly onSignedOut: SignInAgain;
}

/** The rail: code sync of the sites that share the repository of the page at hand, or of all sites of its organization. */
export function SyncStatus({ connection, path, organization, onSignedOut }: Props) {
  const { client, ports, clientAt } = connection;
  const sync = useMemo(() => createSyncPort(client), [client]);
  const buildsAt = useCallback((address: string) => createBuildManagementPort(clientAt(address)), [clientAt]);
  return (
    <>
      {organization === undefined && <LeaveQuestionWithoutShell />}
      <SyncPanel setup={ports} sync={sync} buildsAt={buildsAt} path={path} organization={organization} onSignedOut={onSignedOut} />
    </>
  );
}
