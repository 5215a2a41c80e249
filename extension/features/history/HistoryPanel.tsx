import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { Text } from '@adobe/react-spectrum/Text';
import { type HistoryPort, type HistorySubject, subjectName } from '@repoless/core/history/history-port.ts';
import { createVersionStore } from '@repoless/core/history/version-store.ts';
import Refresh from '@spectrum-icons/workflow/Refresh';
import { useCallback, useMemo, useState } from 'react';
import { BackButton } from '../../ui/Card.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { Unread } from '../../ui/Unread.tsx';
import { useFocusOnArrival } from '../../ui/focus.ts';
import { useGlossary } from '../../ui/use-glossary.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { useReading } from '../../ui/use-reading.ts';
import { Versions } from './Versions.tsx';
import './history.css';

export interface HistoryProps {
  readonly history: HistoryPort;
  readonly subject: HistorySubject;
  /** Absent if the history is a place of its own. */
  readonly onClose?: (() => void) | undefined;
  readonly onRestored: () => void;
}

export function HistoryPanel({ history, subject: first, onClose, onRestored }: HistoryProps) {
  const general = useMessages();
  const messages = useMessages('history');
  const [subject] = useState(first);
  const store = useMemo(() => createVersionStore((version) => history.version(subject, version)), [history, subject]);
  const read = useCallback(() => history.versions(subject), [history, subject]);
  const [reading, again] = useReading(read);
  const glossary = useGlossary();
  const heading = useFocusOnArrival<HTMLHeadingElement>(subject);
  const isEmpty = reading.state === 'missing' || (reading.state === 'ready' && reading.value.versions.length === 0);
  return (
    <section className="rp-stack" aria-labelledby="rp-history">
      <header className="rp-history-head">
        {onClose !== undefined && <BackButton text={messages.close} onPress={onClose} />}
        <h2 id="rp-history" tabIndex={-1} ref={heading}>
          {messages.title({ kind: subject.kind, name: subjectName(subject) })}
        </h2>
        <ActionButton isQuiet onPress={again}>
          <Refresh />
          <Text>{messages.readAgain}</Text>
        </ActionButton>
        {glossary.button}
      </header>
      {glossary.text}
      {reading.state === 'loading' && <Loading text={general.history.reading} />}
      {isEmpty && (
        <div className="rp-card" role="status">
          <p>{messages.empty.sentence}</p>
          <p className="rp-quiet">{messages.empty.next}</p>
        </div>
      )}
      {reading.state === 'failed' && (
        <Unread reading={reading} loading={general.history.reading} missing={messages.empty} onRetry={again} />
      )}
      {reading.state === 'ready' && reading.failure !== undefined && <FailureNotice failure={reading.failure} />}
      {reading.state === 'ready' && !isEmpty && (
        <Versions
          history={history}
          subject={subject}
          list={reading.value}
          store={store}
          isAddressed={onClose === undefined}
          onChanged={(isRestored) => {
            again();
            if (isRestored) onRestored();
          }}
        />
      )}
    </section>
  );
}
