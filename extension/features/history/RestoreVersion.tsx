import { Button } from '@adobe/react-spectrum/Button';
import { Suspense, use, useState } from 'react';
import type { HistoryPort } from '@repoless/core/history/history-port.ts';
import type { HistorySubject } from '@repoless/core/history/subject.ts';
import { useUnsavedEntry } from '../leaving/use-unsaved-entry.ts';
import { Loading } from '../../ui/Loading.tsx';
import { SimulationContext } from '../../ui/simulation-context.ts';
import { useFocusBack } from '../../ui/use-focus-back.ts';
import { useFocusOnArrival } from '../../ui/use-focus-on-arrival.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { ChangeList } from './ChangeList.tsx';
import { ChangeOverlaps } from './ChangeOverlaps.tsx';
import { RestoreRefused } from './RestoreRefused.tsx';
import { useRestore } from './use-restore.ts';
import type { Aim } from './use-restore.ts';
import { late } from '../../ui/lazy-component.tsx';

/** Only a version that has other mappings needs it. */
const SimulateMappings = late(async () => (await import('../mappings/SimulateMappings.tsx')).SimulateMappings);

interface Props {
  readonly history: HistoryPort;
  readonly subject: HistorySubject;
  readonly version: number;
  /** How this change is undone; absent where there was nothing before it, or it is not read yet. */
  readonly undo: Aim | undefined;
  readonly isCurrent: boolean;
  /** This version records the removal. */
  readonly isRemoval: boolean;
  readonly onRestored: (aim: Aim) => void;
  /** It may have come back: the history is to be read again. */
  readonly onUncertain: () => void;
}

/** The way back: without this change, or to the state that it made. What would change is shown first. */
export function RestoreVersion({ history, subject, version, undo, isCurrent, isRemoval, onRestored, onUncertain }: Props) {
  const messages = useMessages('history');
  const portsOf = use(SimulationContext);
  const { restore, look, go, dismiss } = useRestore(history, subject, { onRestored, onUncertain });
  useUnsavedEntry(restore.state === 'restoring', 'place', 'saving');
  const [pressed, setPressed] = useState<'undo' | 'restore'>();
  const [button, focusBack] = useFocusBack();
  /** Declined: the focus goes back to the one of the two buttons that asked. */
  const decline = (): void => {
    dismiss();
    focusBack();
  };
  const ask = (by: 'undo' | 'restore', aim: Aim): void => {
    setPressed(by);
    void look(aim);
  };
  const focus = useFocusOnArrival<HTMLHeadingElement>(restore.state === 'tested' ? restore : undefined);
  switch (restore.state) {
    case 'idle':
      return (
        <div className="rp-actions">
          {undo !== undefined && (
            <Button {...(pressed === 'undo' ? { ref: button } : {})} variant="accent" onPress={() => ask('undo', undo)}>
              {undo.kind === 'undo' ? messages.undo.this : messages.restore.before({ version: undo.version })}
            </Button>
          )}
          {!isCurrent && !isRemoval && (
            <Button
              {...(pressed === 'restore' ? { ref: button } : {})}
              variant="secondary"
              onPress={() => ask('restore', { kind: 'restore', version })}
            >
              {messages.restore.this({ version })}
            </Button>
          )}
          {isCurrent && <span className="rp-quiet">{messages.restore.isCurrent}</span>}
        </div>
      );
    case 'testing':
      return <Loading text={messages[restore.aim.kind].testing({ version: restore.aim.version })} />;
    case 'restoring':
      return <Loading text={messages[restore.aim.kind].restoring({ version: restore.aim.version })} />;
    case 'overlaps':
      return <ChangeOverlaps {...restore} onRestore={(before) => void look({ kind: 'restore', version: before })} onCancel={decline} />;
    case 'refused':
      return <RestoreRefused {...restore} onLook={(confirm) => void look(restore.aim, confirm)} onCancel={decline} />;
    case 'tested': {
      const { aim, restoring, changes, paths } = restore;
      const says = messages[aim.kind];
      const isNothing = changes.every(({ kind }) => kind === 'same');
      return (
        <div className="rp-restore">
          <h3 tabIndex={-1} ref={focus}>
            {isNothing ? says.nothing({ version: aim.version }) : says.would({ version: aim.version })}
          </h3>
          {!isNothing && <ChangeList changes={changes} label={says.would({ version: aim.version })} />}
          {!isNothing && <p className="rp-quiet">{messages.restore.keeps}</p>}
          {paths !== undefined && portsOf !== undefined && (
            <Suspense fallback={null}>
              <SimulateMappings ports={portsOf(paths.author)} intended={paths.intended} occasion="restore" level={4} />
            </Suspense>
          )}
          <div className="rp-actions">
            {!isNothing && (
              <Button variant={restoring.confirm ? 'negative' : 'accent'} onPress={() => void go(aim, restoring)}>
                {says.now({ version: aim.version })}
              </Button>
            )}
            <Button variant="secondary" onPress={decline}>
              {messages.restore.cancel}
            </Button>
          </div>
        </div>
      );
    }
    default:
      return restore satisfies never;
  }
}
