import { useRef, useState } from 'react';
import { History } from '../history/History.tsx';
import { useHistoryDrawer } from '../history/use-history-drawer.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { useFocusOnArrival } from '../../ui/use-focus-on-arrival.ts';
import type { ConfigurationProps } from './Configuration.tsx';
import { SiteConfiguration } from './SiteConfiguration.tsx';
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
