import { Suspense } from 'react';
import type { HistoryPort } from '#extension/setup/history/history-port.ts';
import type { HistorySubject } from '#extension/setup/history/subject.ts';
import { subjectPath } from '#extension/setup/history/subject.ts';
import { Loading } from '../shared/Loading.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { late } from '../shared/late.tsx';

const HistoryPanel = late(async () => (await import('./HistoryPanel.tsx')).HistoryPanel);

export interface HistoryProps {
  readonly history: HistoryPort;
  readonly subject: HistorySubject;
  /** Absent where the history is a place of its own. */
  readonly onClose?: (() => void) | undefined;
  /** What is stored is another state now. */
  readonly onRestored: () => void;
}

/** The history of a subject; its screens are loaded when it is first opened. */
export function History(props: HistoryProps) {
  const { history } = useMessages();
  return (
    <Suspense fallback={<Loading text={history.reading} />}>
      <HistoryPanel key={subjectPath(props.subject)} {...props} />
    </Suspense>
  );
}
