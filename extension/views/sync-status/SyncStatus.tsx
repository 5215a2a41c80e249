import { useCallback, useMemo } from 'react';
import { createBuildManagementPort } from '#extension/api/build-management-port.ts';
import { createClient } from '#extension/api/client.ts';
import { createSyncPort } from '#extension/api/sync-port.ts';
import type { Connection } from '../../host/connection.ts';
import { SyncPanel } from './SyncPanel.tsx';
import './sync.css';

interface Props {
  readonly connection: Connection;
  /** Path of the page at hand. */
  readonly path: string;
  readonly onSignedOut: () => void;
}

/** The rail: code sync of the sites that share the repository of the page at hand, or of all sites of its organization. */
export function SyncStatus({ connection, path, onSignedOut }: Props) {
  const { client, session, ports } = connection;
  const sync = useMemo(() => createSyncPort(client), [client]);
  const buildsAt = useCallback(
    (service: string) => createBuildManagementPort(createClient({ service, token: () => session.token(), renew: () => session.renew() })),
    [session],
  );
  return <SyncPanel setup={ports} sync={sync} buildsAt={buildsAt} path={path} onSignedOut={onSignedOut} />;
}
