import { useCallback, useMemo, useState } from 'react';
import { configurationKind } from '#extension/setup/configuration/configuration-kind.ts';
import { readConfiguration } from '#extension/setup/configuration/read-configuration.ts';
import type { ServicePort } from '#extension/setup/ports.ts';
import { Unreadable } from '../access/Unreadable.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { useReading } from '../shared/use-reading.ts';
import { ConfigurationEditor } from './ConfigurationEditor.tsx';
import type { SavedStates } from './SavedChange.tsx';

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
  const read = useCallback(() => readConfiguration(service, organization, site), [service, organization, site]);
  const [reading, again] = useReading(read, WHEN_ASKED);
  const [saved, setSaved] = useState<SavedStates>();
  if (reading.state !== 'ready' || reading.failure !== undefined) {
    const { failure } = reading.state === 'ready' ? reading : { failure: undefined };
    const shown = reading.state === 'ready' ? (failure === undefined ? undefined : { state: 'failed' as const, failure }) : reading;
    return shown === undefined ? null : (
      <Unreadable reading={shown} loading={configuration.reading} missing={form.missing} notAllowed={form.notAllowed} onRetry={again} />
    );
  }
  const { held } = reading.value;
  return (
    <ConfigurationEditor
      key={held.etag ?? 'none'}
      service={service}
      subject={{ kind: 'site', organization, name: site }}
      kind={kind}
      read={reading.value}
      saved={saved}
      onUnsaved={onUnsaved}
      onSaved={(states) => {
        setSaved(states);
        again();
        onChanged();
      }}
      onHistory={onHistory}
    />
  );
}
