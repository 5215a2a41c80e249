import type { HistoryPort } from '@repoless/core/history/history-port.ts';
import { type HistorySubject, subjectPath } from '@repoless/core/history/subject.ts';
import { Suspense } from 'react';
import { Loading } from '../../ui/Loading.tsx';
import { late } from '../../ui/lazy-component.tsx';
import { type Drawer, useDrawer } from '../../ui/use-drawer.ts';
import { useMessages } from '../../ui/use-messages.ts';

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

type HistoryDrawer = Drawer<HistorySubject>;

/** A history, or the access to its subject, in the place of a view. */
export function useHistoryDrawer(): HistoryDrawer {
  return useDrawer<HistorySubject>();
}
