import { subjectName } from '@repoless/core/history/subject.ts';
import { useRef, useState } from 'react';
import { LinkedRows } from '../../ui/address/LinkedRows.tsx';
import { useFocusOnArrival } from '../../ui/focus.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { History, useHistoryDrawer } from '../history/History.tsx';
import type { AccessProps } from './Access.tsx';
import { ApiKeys } from './ApiKeys.tsx';
import { OrganizationAccess } from './OrganizationAccess.tsx';
import { SiteAccess } from './SiteAccess.tsx';
import '../external-repository/external.css';
import '../history/history.css';
import './access.css';

/** Who may do what on a site or in an organization, and the API keys of it. */
export function AccessPanel({ service, subject: first, environment, onUnsaved, onChanged }: AccessProps) {
  const messages = useMessages('access');
  const [subject] = useState(first);
  const [round, setRound] = useState(0);
  const unsaved = useRef(false);
  const noteUnsaved = (isUnsaved: boolean): void => {
    unsaved.current = isUnsaved;
    onUnsaved(isUnsaved);
  };
  const drawer = useHistoryDrawer();
  const heading = useFocusOnArrival<HTMLHeadingElement>(subject);
  const shared = { service, onUnsaved: noteUnsaved, onChanged, onHistory: () => drawer.open(subject) };
  const { organization } = subject;
  return (
    <LinkedRows>
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
      <section className="rp-stack" aria-labelledby="rp-access" hidden={drawer.subject !== undefined}>
        <header className="rp-history-head">
          <h2 id="rp-access" tabIndex={-1} ref={heading}>
            {messages.title({ kind: subject.kind, name: subjectName(subject) })}
          </h2>
        </header>
        {subject.kind === 'site' && (
          <SiteAccess key={round} {...shared} organization={organization} site={subject.name} environment={environment} />
        )}
        {subject.kind === 'organization' && <OrganizationAccess key={round} {...shared} organization={organization} />}
        {subject.kind !== 'profile' && <ApiKeys service={service} subject={subject} />}
      </section>
    </LinkedRows>
  );
}
