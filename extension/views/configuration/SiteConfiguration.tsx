import { useCallback, useMemo, useState } from 'react';
import { configurationKind } from '#extension/setup/configuration/configuration-kind.ts';
import { readConfiguration } from '#extension/setup/configuration/read-configuration.ts';
import type { ServicePort } from '#extension/setup/ports.ts';
import { Unreadable } from '../access/Unreadable.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { useReading } from '../shared/use-reading.ts';
import { ConfigurationEditor } from './ConfigurationEditor.tsx';
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
  /** What was saved is being read: until then nothing can be entered that would be lost. */
  const [isSettling, setSettling] = useState(false);
  const settle = async (states: SavedStates): Promise<void> => {
    setSettling(true);
    await readAgain();
    setSettling(false);
    setSaved(states);
    onChanged();
  };
  if (reading.state !== 'ready' || reading.failure !== undefined) {
    const { failure } = reading.state === 'ready' ? reading : { failure: undefined };
    const shown = reading.state === 'ready' ? (failure === undefined ? undefined : { state: 'failed' as const, failure }) : reading;
    return shown === undefined ? null : (
      <Unreadable reading={shown} loading={configuration.reading} missing={form.missing} notAllowed={form.notAllowed} onRetry={again} />
    );
  }
  const { held, refused } = reading.value;
  return (
    <>
      <ConfigurationEditor
        key={held.etag ?? 'none'}
        service={service}
        subject={subject}
        kind={kind}
        read={reading.value}
        saved={saved}
        isSettling={isSettling}
        onUnsaved={onUnsaved}
        onSaved={(states) => {
          void settle(states);
        }}
        onHistory={onHistory}
      />
      <Secrets service={service} site={subject} isReadOnly={refused !== undefined} />
    </>
  );
}
