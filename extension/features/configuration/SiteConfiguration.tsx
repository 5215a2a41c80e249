import { useCallback, useMemo, useState } from 'react';
import { configurationKind } from '@repoless/core/configuration/configuration-kind.ts';
import { readConfiguration } from '@repoless/core/configuration/read-configuration.ts';
import type { ServicePort } from '@repoless/core/plan/ports.ts';
import { Unreadable } from '../access/Unreadable.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { useReading } from '../../ui/use-reading.ts';
import { ConfigurationEditor } from './ConfigurationEditor.tsx';
import { SavedChange } from './SavedChange.tsx';
import type { SavedStates } from './SavedChange.tsx';
import { Secrets } from './Secrets.tsx';

interface Props {
  readonly service: ServicePort;
  readonly organization: string;
  readonly site: string;
  readonly onUnsaved: (isUnsaved: boolean) => void;
  readonly onChanged: () => void;
  readonly onHistory: () => void;
}

const WHEN_ASKED = () => undefined;

/** The configuration of a site: read, edited, stored, read again. */
export function SiteConfiguration({ service, organization, site, onUnsaved, onChanged, onHistory }: Props) {
  const { configuration, form } = useMessages('configuration');
  const kind = useMemo(() => configurationKind(organization, site), [organization, site]);
  const subject = useMemo(() => ({ kind: 'site', organization, name: site }) as const, [organization, site]);
  const read = useCallback(() => readConfiguration(service, organization, site), [service, organization, site]);
  const [reading, again, readAgain] = useReading(read, WHEN_ASKED);
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
        <Unreadable reading={unread} loading={configuration.reading} missing={form.missing} notAllowed={form.notAllowed} onRetry={again} />
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
