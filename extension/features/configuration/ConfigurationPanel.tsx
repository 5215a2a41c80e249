import { configurationKind } from '@repoless/core/configuration/configuration-kind.ts';
import { readConfiguration } from '@repoless/core/configuration/read-configuration.ts';
import type { ServicePort } from '@repoless/core/plan/ports.ts';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useFocusOnArrival } from '../../ui/focus.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { useReading } from '../../ui/use-reading.ts';
import { Unreadable } from '../access/notices.tsx';
import { History, useHistoryDrawer } from '../history/History.tsx';
import type { ConfigurationProps } from './Configuration.tsx';
import { ConfigurationEditor, SavedChange, type SavedStates } from './ConfigurationEditor.tsx';
import { Secrets } from './Secrets.tsx';
import '../external-repository/external.css';
import '../history/history.css';
import '../access/access.css';
import './configuration.css';

/** The configuration of a site, part by part. */
export function ConfigurationPanel({ service, organization, site, onUnsaved, onChanged }: ConfigurationProps) {
  const { form: messages } = useMessages('configuration');
  // The messages of what it shares with other views come first, too: nothing shall vanish while they are loaded, with the focus.
  useMessages('access');
  useMessages('history');
  const [round, setRound] = useState(0);
  const unsaved = useRef(false);
  const noteUnsaved = (isUnsaved: boolean): void => {
    unsaved.current = isUnsaved;
    onUnsaved(isUnsaved);
  };
  const drawer = useHistoryDrawer();
  const heading = useFocusOnArrival<HTMLHeadingElement>(site);
  return (
    <>
      {drawer.subject !== undefined && (
        <History
          history={service.history}
          subject={drawer.subject}
          onClose={drawer.close}
          onRestored={() => {
            // What is not saved yet is kept: the service tells that it was overtaken, and it is made on what was brought back.
            if (!unsaved.current) setRound(round + 1);
            onChanged();
          }}
        />
      )}
      <section className="rp-stack" aria-labelledby="rp-configuration" hidden={drawer.subject !== undefined}>
        <header className="rp-history-head">
          <h2 id="rp-configuration" tabIndex={-1} ref={heading}>
            {messages.title({ name: site })}
          </h2>
        </header>
        <SiteConfiguration
          key={round}
          service={service}
          organization={organization}
          site={site}
          onUnsaved={noteUnsaved}
          onChanged={onChanged}
          onHistory={() => drawer.open({ kind: 'site', organization, name: site })}
        />
      </section>
    </>
  );
}

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
function SiteConfiguration({ service, organization, site, onUnsaved, onChanged, onHistory }: Props) {
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
