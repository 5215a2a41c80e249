import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { Text } from '@adobe/react-spectrum/Text';
import ChevronLeft from '@spectrum-icons/workflow/ChevronLeft';
import { useMemo, useState } from 'react';
import type { Client } from '#extension/api/client.ts';
import { atRoot } from '#extension/setup/overview/at-root.ts';
import type { SetupPorts } from '#extension/setup/ports.ts';
import type { Choices } from '#extension/setup/settings.ts';
import { PageProperties } from '../page-properties/PageProperties.tsx';
import type { SignInAgain } from '../sign-in/sign-in-again.ts';
import { useMessages } from '../messages/use-messages.ts';

interface Props {
  readonly ports: SetupPorts;
  readonly path: string;
  readonly organization: string;
  readonly service: string;
  readonly clientAt: ((address: string) => Client) | undefined;
  readonly onBack: () => void;
  readonly onSignedOut: SignInAgain;
}

/** The setup of a site in the place of the list, and the way back. */
export function SetupOfSite({ ports, path, organization, service, clientAt, onBack, onSignedOut }: Props) {
  const { details } = useMessages('sites').overview;
  const rooted = useMemo(() => atRoot(ports), [ports]);
  const [corrected, setCorrected] = useState<Choices>();
  return (
    <>
      <div className="rp-actions">
        <ActionButton isQuiet onPress={onBack} autoFocus>
          <ChevronLeft />
          <Text>{details.back}</Text>
        </ActionButton>
      </div>
      <PageProperties
        ports={rooted}
        path={path}
        organization={organization}
        service={service}
        {...(clientAt === undefined ? {} : { clientAt })}
        corrected={corrected}
        onCorrect={setCorrected}
        onSignedOut={onSignedOut}
      />
    </>
  );
}
