import type { HistorySubject } from '@repoless/core/history/history-port.ts';
import type { ServicePort } from '@repoless/core/situation/ports.ts';
import { type ReactNode, useState } from 'react';
import { useDrawer } from '../../ui/use-drawer.ts';
import { useFocusOnArrival } from '../../ui/focus.ts';
import { lazyView } from '../../ui/lazy-component.tsx';

/** The history of a subject; its screens are loaded when it is first opened. */
export const History = lazyView(async () => (await import('./HistoryPanel.tsx')).HistoryPanel, {
  parts: ['history'],
  textOf: ({ history }) => history.reading,
});

interface Props {
  readonly service: ServicePort;
  readonly subject: HistorySubject;
  readonly id: string;
  readonly title: string;
  readonly onUnsaved: (isUnsaved: boolean) => void;
  readonly onChanged: () => void;
  /** Renders the editor; a new `key` resets it. */
  readonly children: (edited: {
    readonly key: number;
    readonly onUnsaved: (isUnsaved: boolean) => void;
    readonly onHistory: () => void;
  }) => ReactNode;
}

/** The editor of a stored document; on request, its history instead. */
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
            // Unsaved edits are preserved: the service reports that they were overtaken, and they are applied to the restored version.
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
