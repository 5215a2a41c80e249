import { useCallback, useMemo, useState } from 'react';
import { organizationKind } from '@repoless/core/access/access-kind.ts';
import { readOrganization } from '@repoless/core/access/read-access.ts';
import type { ServicePort } from '@repoless/core/plan/ports.ts';
import { useReading } from '../../ui/use-reading.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { OrganizationEditor } from './OrganizationEditor.tsx';
import { Saved } from './Saved.tsx';
import { Unreadable } from './Unreadable.tsx';

interface Props {
  readonly service: ServicePort;
  readonly organization: string;
  readonly onUnsaved: (isUnsaved: boolean) => void;
  readonly onChanged: () => void;
  readonly onHistory: () => void;
}

const WHEN_ASKED = () => undefined;

/** The users and groups of an organization: read, edited, stored, read again. */
export function OrganizationAccess({ service, organization, onUnsaved, onChanged, onHistory }: Props) {
  const { access } = useMessages();
  const messages = useMessages('access');
  const kind = useMemo(() => organizationKind(organization), [organization]);
  const read = useCallback(() => readOrganization(service, organization), [service, organization]);
  const [reading, again, readAgain] = useReading(read, WHEN_ASKED);
  const [saved, setSaved] = useState(0);
  /** There is another change by now. */
  const [isOver, setOver] = useState(false);
  const settle = async (): Promise<void> => {
    await readAgain();
    setSaved((times) => times + 1);
    setOver(false);
    onChanged();
  };
  const tell = (isUnsaved: boolean): void => {
    if (isUnsaved) setOver(true);
    onUnsaved(isUnsaved);
  };
  const failed = reading.state === 'ready' ? reading.failure : undefined;
  const unread = reading.state === 'ready' ? (failed === undefined ? undefined : { state: 'failed' as const, failure: failed }) : reading;
  return (
    <>
      {saved > 0 && <Saved key={saved} isOver={isOver} onHistory={onHistory} />}
      {unread !== undefined && (
        <Unreadable
          reading={unread}
          loading={access.reading}
          missing={messages.missingOrganization}
          notAllowed={messages.notAllowed.organization}
          onRetry={again}
        />
      )}
      {unread === undefined && reading.state === 'ready' && (
        <OrganizationEditor
          service={service}
          organization={organization}
          kind={kind}
          read={reading.value}
          onUnsaved={tell}
          onSaved={() => void settle()}
        />
      )}
    </>
  );
}
