import type { HistorySubject } from '@repoless/core/history/subject.ts';
import type { ServicePort } from '@repoless/core/plan/ports.ts';
import { type ReactNode, useState } from 'react';
import { useFocusOnArrival } from '../../ui/focus.ts';
import { lateView } from '../../ui/lazy-component.tsx';
import { useDrawer } from '../../ui/use-drawer.ts';

/** The history of a subject; its screens are loaded when it is first opened. */
export const History = lateView(async () => (await import('./HistoryPanel.tsx')).HistoryPanel, {
  parts: ['history'],
  textOf: ({ history }) => history.reading,
});

interface Props {
  readonly service: ServicePort;
  readonly subject: HistorySubject;
  /** Of the heading. */
  readonly id: string;
  readonly title: string;
  readonly onUnsaved: (isUnsaved: boolean) => void;
  /** What is stored is another state now. */
  readonly onChanged: () => void;
  /** Draws what is edited; with another `key` it begins anew. */
  readonly children: (edited: {
    readonly key: number;
    readonly onUnsaved: (isUnsaved: boolean) => void;
    readonly onHistory: () => void;
  }) => ReactNode;
}

/** What a subject stores, to be edited; in its place, while it is wanted, the history. */
export function WithHistory({ service, subject, id, title, onUnsaved, onChanged, children }: Props) {
  const [round, setRound] = useState(0);
  const [isUnsaved, setUnsaved] = useState(false);
  const drawer = useDrawer<HistorySubject>();
  const heading = useFocusOnArrival<HTMLHeadingElement>(id);
  return (
    <>
      {drawer.subject !== undefined && (
        <History
          history={service.history}
          subject={drawer.subject}
          onClose={drawer.close}
          onRestored={() => {
            // What is not saved yet is kept: the service tells that it was overtaken, and it is made on what was brought back.
            if (!isUnsaved) setRound(round + 1);
            onChanged();
          }}
        />
      )}
      <section className="rp-stack" aria-labelledby={id} hidden={drawer.subject !== undefined}>
        <header className="rp-history-head">
          <h2 id={id} tabIndex={-1} ref={heading}>
            {title}
          </h2>
        </header>
        {children({
          key: round,
          onUnsaved: (unsaved) => {
            setUnsaved(unsaved);
            onUnsaved(unsaved);
          },
          onHistory: () => drawer.open(subject),
        })}
      </section>
    </>
  );
}
