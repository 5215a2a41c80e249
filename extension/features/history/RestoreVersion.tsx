import { type Area, hasNoChanges } from '@repoless/core/history/change.ts';
import type { HistoryPort, HistorySubject } from '@repoless/core/history/history-port.ts';
import { explainFailure, fieldSentences } from '@repoless/core/messages/explain-failure.ts';
import type { Failure } from '@repoless/core/situation/call.ts';
import { Suspense, use, useState } from 'react';
import { TextButton } from '../../ui/TextButton.tsx';
import { Consequences, useConfirmation } from '../../ui/Consequences.tsx';
import { Explanation } from '../../ui/Notice.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { useFocusBack, useFocusOnArrival } from '../../ui/focus.ts';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import { SimulationContext } from '../../ui/organization-contexts.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { useUnsavedEntry } from '../../ui/use-guarded.ts';
import { ChangeList } from './ChangeList.tsx';
import { type Aim, type Restore, useRestore } from './use-restore.ts';

/** Loaded lazily: only a version with other mappings needs it. */
const SimulateMappings = lazyComponent(async () => (await import('../mappings/SimulateMappings.tsx')).SimulateMappings);

interface Props {
  readonly history: HistoryPort;
  readonly subject: HistorySubject;
  readonly version: number;
  /** How to undo this change; absent if there was nothing before it, or it is not read yet. */
  readonly undo: Aim | undefined;
  readonly isCurrent: boolean;
  readonly isRemoval: boolean;
  readonly onRestored: (aim: Aim) => void;
  /** It may have been restored: the history must be read again. */
  readonly onUncertain: () => void;
}

/** Restores the state without this change, or the state after it. A preview is shown first. */
export function RestoreVersion({ history, subject, version, undo, isCurrent, isRemoval, onRestored, onUncertain }: Props) {
  const messages = useMessages('history');
  const portsOf = use(SimulationContext);
  const { restore, look, go, dismiss } = useRestore(history, subject, { onRestored, onUncertain });
  useUnsavedEntry(restore.state === 'restoring', 'place', 'saving');
  const [pressed, setPressed] = useState<'undo' | 'restore'>();
  const [button, focusBack] = useFocusBack();
  /** Declined: focus returns to the button that asked. */
  const decline = (): void => {
    dismiss();
    focusBack();
  };
  const ask = (by: 'undo' | 'restore', aim: Aim): void => {
    setPressed(by);
    void look(aim);
  };
  const focus = useFocusOnArrival<HTMLHeadingElement>(restore.state === 'tested' ? restore : undefined);
  const confirmation = useConfirmation(restore.state === 'tested' ? restore.consequences : []);
  switch (restore.state) {
    case 'idle':
      return (
        <div className="rp-actions">
          {undo !== undefined && (
            <TextButton
              {...(pressed === 'undo' ? { ref: button } : {})}
              variant="accent"
              onPress={() => ask('undo', undo)}
              text={undo.kind === 'undo' ? messages.undo.this : messages.restore.before({ version: undo.version })}
            />
          )}
          {!isCurrent && !isRemoval && (
            <TextButton
              {...(pressed === 'restore' ? { ref: button } : {})}

              onPress={() => ask('restore', { kind: 'restore', version })}
              text={messages.restore.this({ version })}
            />
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
      return <RestoreRefused {...restore} onLook={() => void look(restore.aim)} onCancel={decline} />;
    case 'tested': {
      const { aim, restoring, changes, consequences, paths } = restore;
      const says = messages[aim.kind];
      const isSame = hasNoChanges(changes);
      return (
        <div className="rp-restore">
          <h3 tabIndex={-1} ref={focus}>
            {isSame ? says.nothing({ version: aim.version }) : says.would({ version: aim.version })}
          </h3>
          {!isSame && <ChangeList changes={changes} label={says.would({ version: aim.version })} />}
          <Consequences
            consequences={consequences}
            about={subject.kind === 'organization' ? 'organization' : 'site'}
            confirmation={confirmation}
          />
          {!isSame && <p className="rp-quiet">{messages.restore.keeps}</p>}
          {paths !== undefined && portsOf !== undefined && (
            <Suspense fallback={null}>
              <SimulateMappings ports={portsOf(paths.author)} intended={paths.intended} occasion="restore" level={4} />
            </Suspense>
          )}
          <div className="rp-actions">
            {!isSame && (
              <TextButton
                variant={confirmation.isNeeded ? 'negative' : 'accent'}
                isDisabled={!confirmation.isGiven}
                onPress={() => void go(aim, restoring)}
                text={says.now({ version: aim.version })}
              />
            )}
            <TextButton onPress={decline} text={messages.restore.cancel} />
            <span className="rp-quiet">{confirmation.hint}</span>
          </div>
        </div>
      );
    }
    default:
      return restore satisfies never;
  }
}

interface ChangeOverlapsProps {
  readonly aim: Extract<Aim, { kind: 'undo' }>;
  /** JSON pointers. */
  readonly places: readonly string[];
  readonly onRestore: (version: number) => void;
  readonly onCancel: () => void;
}

/** Later versions changed the same places: this change cannot be undone separately, but the version before it can be restored. */
function ChangeOverlaps({ aim, places, onRestore, onCancel }: ChangeOverlapsProps) {
  const messages = useMessages('history');
  const focus = useFocusOnArrival<HTMLDivElement>(aim);
  const areas = [...new Set(places.map((place) => messages.areaNames[areaOf(place)]))];
  return (
    <Explanation
      title={messages.undo.overlaps({ version: aim.version })}
      explained={{ sentence: messages.undo.overlapsText, next: messages.undo.overlapsNext({ before: aim.before }) }}
      details={areas}
      focus={focus}
    >
      <TextButton onPress={() => onRestore(aim.before)} text={messages.restore.this({ version: aim.before })} />
      <TextButton onPress={onCancel} text={messages.restore.cancel} />
    </Explanation>
  );
}

function areaOf(place: string): Area {
  if (place.startsWith('/access')) return 'access';
  if (place.startsWith('/public/paths')) return 'mappings';
  if (place.startsWith('/content')) return 'content';
  return place.startsWith('/code') ? 'code' : 'other';
}

interface RestoreRefusedProps {
  readonly aim: Aim;
  readonly failure: Failure;
  readonly after: Extract<Restore, { state: 'refused' }>['after'];
  readonly onLook: () => void;
  readonly onCancel: () => void;
}

/** Why a version cannot be restored, or that it may have been restored, and a button that checks again. */
function RestoreRefused({ aim, failure, after, onLook, onCancel }: RestoreRefusedProps) {
  const messages = useMessages();
  const history = useMessages('history');
  const { restore } = history;
  const says = history[aim.kind];
  const focus = useFocusOnArrival<HTMLDivElement>(failure);
  const code = failure.problem?.code;
  const explained =
    code === 'PRECONDITION_FAILED'
      ? { sentence: restore.changedMeanwhile }
      : after === 'lost'
        ? { sentence: explainFailure(messages, failure).sentence, next: restore.uncertainNext }
        : explainFailure(messages, failure);
  const titles = { look: says.refused, go: says.failed, lost: says.uncertain };
  return (
    <Explanation
      title={titles[after]({ version: aim.version })}
      explained={explained}
      details={fieldSentences(messages, failure)}
      focus={focus}
    >
      <TextButton onPress={onLook} text={restore.again} />
      <TextButton onPress={onCancel} text={restore.cancel} />
    </Explanation>
  );
}
