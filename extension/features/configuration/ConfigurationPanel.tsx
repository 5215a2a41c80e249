import { configurationKind, readConfiguration } from '@repoless/core/configuration/configuration-kind.ts';
import type { ServicePort } from '@repoless/core/situation/ports.ts';
import { useCallback, useMemo, useState } from 'react';
import { Unread } from '../../ui/Unread.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { useReading } from '../../ui/use-reading.ts';
import { WithHistory } from '../history/History.tsx';
import { ConfigurationEditor, SavedChange, type SavedStates } from './ConfigurationEditor.tsx';
import { Secrets } from './Secrets.tsx';
import '../external-repository/external.css';
import '../history/history.css';
import '../access/access.css';
import './configuration.css';

export interface ConfigurationProps {
  readonly service: ServicePort;
  readonly organization: string;
  readonly site: string;
  readonly onUnsaved: (isUnsaved: boolean) => void;
  readonly onChanged: () => void;
}

export function ConfigurationPanel({ service, organization, site, onUnsaved, onChanged }: ConfigurationProps) {
  const { form: messages } = useMessages('configuration');
  // Also loads the messages that it shares with other views first: otherwise, loading them would unmount a focused element.
  useMessages('access');
  useMessages('history');
  return (
    <WithHistory
      service={service}
      subject={{ kind: 'site', organization, name: site }}
      id="rp-configuration"
      title={messages.title({ name: site })}
      onUnsaved={onUnsaved}
      onChanged={onChanged}
    >
      {({ key, ...edited }) => (
        <SiteConfiguration key={key} {...edited} service={service} organization={organization} site={site} onChanged={onChanged} />
      )}
    </WithHistory>
  );
}

interface Props extends ConfigurationProps {
  readonly onHistory: () => void;
}

function SiteConfiguration({ service, organization, site, onUnsaved, onChanged, onHistory }: Props) {
  const { configuration, form } = useMessages('configuration');
  const kind = useMemo(() => configurationKind(organization, site), [organization, site]);
  const subject = useMemo(() => ({ kind: 'site', organization, name: site }) as const, [organization, site]);
  const read = useCallback(() => readConfiguration(service, organization, site), [service, organization, site]);
  const [reading, again, readAgain] = useReading(read);
  const [saved, setSaved] = useState<SavedStates>();
  const settle = async (states: SavedStates): Promise<void> => {
    await readAgain();
    setSaved(states);
    onChanged();
  };
  const failed = reading.state === 'ready' ? reading.failure : undefined;
  const unread = reading.state === 'ready' ? (failed === undefined ? undefined : { state: 'failed' as const, failure: failed }) : reading;
  return (
    <>
      {unread !== undefined && saved !== undefined && <SavedChange saved={saved} onHistory={onHistory} />}
      {unread !== undefined && (
        <Unread reading={unread} loading={configuration.reading} missing={form.missing} about={{ organization, site }} onRetry={again} />
      )}
      {unread === undefined && reading.state === 'ready' && (
        <ConfigurationEditor
          key={reading.value.held.etag ?? 'none'}
          service={service}
          subject={subject}
          kind={kind}
          read={reading.value}
          saved={saved}
          onUnsaved={onUnsaved}
          onSaved={(states) => {
            void settle(states);
          }}
          onHistory={onHistory}
        />
      )}
      {
        // The value of a new secret is shown once: it stays while the configuration cannot be read.
        reading.state === 'ready' && <Secrets service={service} site={subject} isReadOnly={reading.value.refused !== undefined} />
      }
    </>
  );
}
