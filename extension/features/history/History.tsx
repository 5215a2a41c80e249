import { Suspense } from 'react';
import type { HistoryPort } from '@repoless/core/history/history-port.ts';
import type { HistorySubject } from '@repoless/core/history/subject.ts';
import { subjectPath } from '@repoless/core/history/subject.ts';
import { Loading } from '../../ui/Loading.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { late } from '../../ui/lazy-component.tsx';

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
