import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { use, useState } from 'react';
import { TextList } from '../../ui/Facts.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { CallerContext } from '../../ui/organization-contexts.ts';
import { lastingStorage, writeStored } from '../../host/storage.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { useReading } from '../../ui/use-reading.ts';
import { WELCOMED } from '../../host/storage.ts';

/** What a person can do here with their roles: on a first visit, until it is closed. */
export function Welcome() {
  const { welcome } = useMessages('welcome');
  const [organizations] = useReading(use(CallerContext).organizations);
  const [isClosed, setClosed] = useState(false);
  if (isClosed || organizations.state === 'loading') return null;
  const roles = organizations.state === 'ready' ? organizations.value.orgs.flatMap((org) => org.roles) : [];
  const lines = roles.includes('admin') ? 'admin' : roles.includes('config_admin') ? 'manager' : 'author';
  const close = (): void => {
    writeStored(lastingStorage(), WELCOMED, true);
    setClosed(true);
  };
  return (
    <Notice
      tone="info"
      role="region"
      label={welcome.title}
      title={welcome.title}
      actions={<ActionButton onPress={close}>{welcome.close}</ActionButton>}
    >
      <TextList texts={welcome.lines[lines]} />
    </Notice>
  );
}
