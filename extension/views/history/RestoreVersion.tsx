import { Button } from '@adobe/react-spectrum/Button';
import type { HistoryPort } from '#extension/setup/history/history-port.ts';
import type { HistorySubject } from '#extension/setup/history/subject.ts';
import { Loading } from '../shared/Loading.tsx';
import { useFocusOnArrival } from '../shared/use-focus-on-arrival.ts';
import { useHistoryWords } from './use-history-words.ts';
import { ChangeList } from './ChangeList.tsx';
import { RestoreRefused } from './RestoreRefused.tsx';
import { useRestore } from './use-restore.ts';

interface Props {
  readonly history: HistoryPort;
  readonly subject: HistorySubject;
  readonly version: number;
  /** The version that this one followed. */
  readonly before: number | undefined;
  readonly isCurrent: boolean;
  /** This version records the removal. */
  readonly isRemoval: boolean;
  readonly onRestored: (version: number) => void;
}

/** The way back: to the state before a change, or to the one that it made. What would change is shown first. */
export function RestoreVersion({ history, subject, version, before, isCurrent, isRemoval, onRestored }: Props) {
  const words = useHistoryWords();
  const { restore, look, go, dismiss } = useRestore(history, subject, onRestored);
  const focus = useFocusOnArrival<HTMLHeadingElement>(restore.state === 'rehearsed' ? restore : undefined);
  switch (restore.state) {
    case 'idle':
      return (
        <div className="rp-actions">
          {before !== undefined && (
            <Button variant="accent" onPress={() => void look(before)}>
              {words.restore.before(before)}
            </Button>
          )}
          {!isCurrent && !isRemoval && (
            <Button variant="secondary" onPress={() => void look(version)}>
              {words.restore.this(version)}
            </Button>
          )}
          {isCurrent && <span className="rp-quiet">{words.restore.isCurrent}</span>}
        </div>
      );
    case 'rehearsing':
      return <Loading text={words.restore.rehearsing(restore.version)} />;
    case 'restoring':
      return <Loading text={words.restore.restoring(restore.version)} />;
    case 'refused':
      return <RestoreRefused {...restore} onLook={(confirm) => void look(restore.version, confirm)} onCancel={dismiss} />;
    case 'rehearsed': {
      const { restoring, changes } = restore;
      const isNothing = changes.every(({ kind }) => kind === 'same');
      return (
        <div className="rp-restore">
          <h3 tabIndex={-1} ref={focus}>
            {isNothing ? words.restore.nothing(restoring.version) : words.restore.would(restoring.version)}
          </h3>
          {!isNothing && <ChangeList changes={changes} label={words.restore.would(restoring.version)} />}
          {!isNothing && <p className="rp-quiet">{words.restore.keeps}</p>}
          <div className="rp-actions">
            {!isNothing && (
              <Button variant={restoring.confirm ? 'negative' : 'accent'} onPress={() => void go(restoring)}>
                {words.restore.now(restoring.version)}
              </Button>
            )}
            <Button variant="secondary" onPress={dismiss}>
              {words.restore.cancel}
            </Button>
          </div>
        </div>
      );
    }
    default:
      return restore satisfies never;
  }
}
