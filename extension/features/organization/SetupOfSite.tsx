import type { Client } from '@repoless/core/api/client.ts';
import { atRoot } from '@repoless/core/overview/stored-checks.ts';
import { NO_EDITS } from '@repoless/core/plan/choices.ts';
import type { SetupPorts } from '@repoless/core/plan/ports.ts';
import { useMemo, useState } from 'react';
import type { SignInAgain } from '../../ui/Unread.tsx';
import { PageProperties } from '../page-properties/PageProperties.tsx';

interface Props {
  readonly ports: SetupPorts;
  readonly path: string;
  readonly within: 'setup' | 'health';
  readonly organization: string;
  readonly service: string;
  readonly clientAt: ((address: string) => Client) | undefined;
  readonly onSignedOut: SignInAgain;
}

export function SetupOfSite({ ports, path, within, organization, service, clientAt, onSignedOut }: Props) {
  const rooted = useMemo(() => atRoot(ports), [ports]);
  const [edits, setEdits] = useState(NO_EDITS);
  return (
    <PageProperties
      ports={rooted}
      path={path}
      within={within}
      organization={organization}
      service={service}
      {...(clientAt === undefined ? {} : { clientAt })}
      edits={edits}
      onEdit={setEdits}
      onSignedOut={onSignedOut}
    />
  );
}
