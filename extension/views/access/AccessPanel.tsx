import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { Text } from '@adobe/react-spectrum/Text';
import ArrowLeft from '@spectrum-icons/workflow/ArrowLeft';
import { useRef, useState } from 'react';
import { subjectName } from '#extension/setup/history/subject.ts';
import { History } from '../history/History.tsx';
import { useHistoryDrawer } from '../history/use-history-drawer.ts';
import { useFocusOnArrival } from '../shared/use-focus-on-arrival.ts';
import { useGlossary } from '../shared/use-glossary.tsx';
import type { AccessProps } from './Access.tsx';
import { ApiKeys } from './ApiKeys.tsx';
import { LeaveQuestion } from './LeaveQuestion.tsx';
import { OrganizationAccess } from './OrganizationAccess.tsx';
import { SiteAccess } from './SiteAccess.tsx';
import { useMessages } from '../messages/use-messages.ts';
import '../external-repository/external.css';
import '../history/history.css';
import './access.css';

/** Who may do what on a site or in an organization, and the API keys of it. */
export function AccessPanel({ service, subject: first, environment, onClose, onChanged }: AccessProps) {
  const messages = useMessages('access');
  const [subject] = useState(first);
  const [round, setRound] = useState(0);
  const unsaved = useRef(false);
  const [leaving, setLeaving] = useState(false);
  const drawer = useHistoryDrawer();
  const glossary = useGlossary();
  const heading = useFocusOnArrival<HTMLHeadingElement>(subject);
  const shared = {
    service,
    onUnsaved: (isUnsaved: boolean) => {
      unsaved.current = isUnsaved;
      setLeaving(false);
    },
    onChanged,
    onHistory: () => drawer.open(subject),
  };
  const { organization } = subject;
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
      <section className="rp-stack" aria-labelledby="rp-access" hidden={drawer.subject !== undefined}>
        <header className="rp-history-head">
          <ActionButton isQuiet onPress={() => (unsaved.current ? setLeaving(true) : onClose())}>
            <ArrowLeft />
            <Text>{messages.close}</Text>
          </ActionButton>
          <h1 id="rp-access" tabIndex={-1} ref={heading}>
            {messages.title(subject.kind, subjectName(subject))}
          </h1>
          {glossary.button}
        </header>
        {glossary.text}
        {leaving && (
          <LeaveQuestion
            onStay={() => {
              setLeaving(false);
              heading.current?.focus();
            }}
            onLeave={onClose}
          />
        )}
        {subject.kind === 'site' && (
          <SiteAccess key={round} {...shared} organization={organization} site={subject.name} environment={environment} />
        )}
        {subject.kind === 'organization' && <OrganizationAccess key={round} {...shared} organization={organization} />}
        {subject.kind !== 'profile' && <ApiKeys service={service} subject={subject} />}
      </section>
    </>
  );
}
