import { type Area, type Change, hasNoChanges } from '@repoless/core/history/change.ts';
import type { HistoryPort, HistorySubject, Restoring, StoredDocument } from '@repoless/core/history/history-port.ts';
import { explainFailure, fieldSentences } from '@repoless/core/messages/explain-failure.ts';
import { type Failure, failureOf, isUncertain, NOT_FOUND } from '@repoless/core/situation/call.ts';
import { Suspense, use, useRef, useState } from 'react';
import type { ConsequenceOfSites } from '@repoless/contract/consequence.ts';
import { wasRestored } from '@repoless/core/history/version-store.ts';
import { describeChange } from '@repoless/core/history/describe-change.ts';
import { isObject } from '@repoless/core/history/json-values.ts';
import { undoChange } from '@repoless/core/history/undo-change.ts';
import { pathsAfterRestore, type PathsAfterRestore } from '@repoless/core/mappings/read-simulation.ts';
import { TextButton } from '../../ui/TextButton.tsx';
import { Consequences, useConfirmation } from '../../ui/Consequences.tsx';
import { Explanation, Loading } from '../../ui/Notice.tsx';
import { useFocusBack, useFocusOnArrival } from '../../ui/focus.ts';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import { SimulationContext } from '../../ui/organization-contexts.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { useUnsavedEntry } from '../../ui/use-guarded.ts';
import { ChangeList } from './ChangeList.tsx';

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
  const { restore, preview, go, dismiss } = useRestore(history, subject, { onRestored, onUncertain });
  useUnsavedEntry(restore.state === 'restoring', 'place', 'saving');
  const [pressed, setPressed] = useState<'undo' | 'restore'>();
  const [button, focusBack] = useFocusBack();
  /** Declined: focus returns to the button that opened the question. */
  const decline = (): void => {
    dismiss();
    focusBack();
  };
  const confirm = (by: 'undo' | 'restore', aim: Aim): void => {
    setPressed(by);
    void preview(aim);
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
              onPress={() => confirm('undo', undo)}
              text={undo.kind === 'undo' ? messages.undo.this : messages.restore.before({ version: undo.version })}
            />
          )}
          {!isCurrent && !isRemoval && (
            <TextButton
              {...(pressed === 'restore' ? { ref: button } : {})}

              onPress={() => confirm('restore', { kind: 'restore', version })}
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
      return <ChangeOverlaps {...restore} onRestore={(before) => void preview({ kind: 'restore', version: before })} onCancel={decline} />;
    case 'refused':
      return <RestoreRefused {...restore} onPreview={() => void preview(restore.aim)} onCancel={decline} />;
    case 'tested': {
      const { aim, restoring, changes, consequences, paths } = restore;
      const texts = messages[aim.kind];
      const isSame = hasNoChanges(changes);
      return (
        <div className="rp-restore">
          <h3 tabIndex={-1} ref={focus}>
            {isSame ? texts.nothing({ version: aim.version }) : texts.would({ version: aim.version })}
          </h3>
          {!isSame && <ChangeList changes={changes} label={texts.would({ version: aim.version })} />}
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
                isDisabled={!confirmation.isConfirmed}
                onPress={() => void go(aim, restoring)}
                text={texts.now({ version: aim.version })}
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
  readonly pointers: readonly string[];
  readonly onRestore: (version: number) => void;
  readonly onCancel: () => void;
}

/** Later versions changed the same values: this change cannot be undone separately, but the version before it can be restored. */
function ChangeOverlaps({ aim, pointers, onRestore, onCancel }: ChangeOverlapsProps) {
  const messages = useMessages('history');
  const focus = useFocusOnArrival<HTMLDivElement>(aim);
  const areas = [...new Set(pointers.map((pointer) => messages.areaNames[areaOf(pointer)]))];
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

function areaOf(pointer: string): Area {
  if (pointer.startsWith('/access')) return 'access';
  if (pointer.startsWith('/public/paths')) return 'mappings';
  if (pointer.startsWith('/content')) return 'content';
  return pointer.startsWith('/code') ? 'code' : 'other';
}

interface RestoreRefusedProps {
  readonly aim: Aim;
  readonly failure: Failure;
  readonly after: Extract<Restore, { state: 'refused' }>['after'];
  readonly onPreview: () => void;
  readonly onCancel: () => void;
}

/** Why a version cannot be restored, or that it may have been restored, and a button that checks again. */
function RestoreRefused({ aim, failure, after, onPreview, onCancel }: RestoreRefusedProps) {
  const messages = useMessages();
  const history = useMessages('history');
  const { restore } = history;
  const texts = history[aim.kind];
  const focus = useFocusOnArrival<HTMLDivElement>(failure);
  const code = failure.problem?.code;
  const explained =
    code === 'PRECONDITION_FAILED'
      ? { sentence: restore.changedMeanwhile }
      : after === 'lost'
        ? { sentence: explainFailure(messages, failure).sentence, next: restore.uncertainNext }
        : explainFailure(messages, failure);
  const titles = { preview: texts.refused, go: texts.failed, lost: texts.uncertain };
  return (
    <Explanation
      title={titles[after]({ version: aim.version })}
      explained={explained}
      details={fieldSentences(messages, failure)}
      focus={focus}
    >
      <TextButton onPress={onPreview} text={restore.again} />
      <TextButton onPress={onCancel} text={restore.cancel} />
    </Explanation>
  );
}

/** What a person wants: to restore a version, or the current state without the change of one version. */
export type Aim =
  | { readonly kind: 'restore'; readonly version: number }
  /** `change`: the documents before and after it; `before`: the number of the previous version. */
  | { readonly kind: 'undo'; readonly version: number; readonly before: number; readonly change: Difference };

interface Difference {
  readonly before: StoredDocument;
  readonly after: StoredDocument;
}

type Restore =
  | { readonly state: 'idle' }
  | { readonly state: 'testing'; readonly aim: Aim }
  /** What the service would store; valid only for the state that was previewed. */
  | {
      readonly state: 'tested';
      readonly aim: Aim;
      readonly restoring: Restoring;
      readonly changes: readonly Change[];
      readonly consequences: readonly ConsequenceOfSites[];
      /** If it changes the path mapping of a site: the paths that would be stored, and the site's author. */
      readonly paths?: PathsAfterRestore;
    }
  /** Later changes touched the same values (JSON pointers). */
  | { readonly state: 'overlaps'; readonly aim: Extract<Aim, { kind: 'undo' }>; readonly pointers: readonly string[] }
  | { readonly state: 'restoring'; readonly aim: Aim }
  /** `after`: what was refused. `lost`: it may be stored, but the stored state does not show it now. */
  | { readonly state: 'refused'; readonly aim: Aim; readonly failure: Failure; readonly after: 'preview' | 'go' | 'lost' };

/** `preview` asks the service what would change, without changing anything; `go` makes that change. */
function useRestore(history: HistoryPort, subject: HistorySubject, { onRestored, onUncertain }: Pick<Props, 'onRestored' | 'onUncertain'>) {
  const [restore, setRestore] = useState<Restore>({ state: 'idle' });
  const latest = useRef(0);
  /** A request without an answer, until it is known whether it is stored. */
  const lost = useRef<{ readonly aim: Aim; readonly restoring: Restoring }>(undefined);
  return {
    restore,
    async preview(aim: Aim): Promise<void> {
      const mine = ++latest.current;
      setRestore({ state: 'testing', aim });
      const next = await dryRun(history, subject, aim);
      if (mine !== latest.current) return undefined;
      const isStored = lost.current?.aim === aim && changesNothing(next) && next.restoring.etag !== lost.current.restoring.etag;
      return isStored ? onRestored(aim) : setRestore(next);
    },
    async go(aim: Aim, restoring: Restoring): Promise<void> {
      latest.current++;
      setRestore({ state: 'restoring', aim });
      const answer = await history.restore(subject, restoring);
      if (answer.state === 'known') return onRestored(aim);
      const failure = failureOf(answer);
      const isStored = isUncertain(failure) ? await wasRestored(history, subject, restoring) : false;
      if (isStored === true) return onRestored(aim);
      setRestore({ state: 'refused', aim, failure, after: isStored === undefined ? 'lost' : 'go' });
      lost.current = isStored === undefined ? { aim, restoring } : undefined;
      return isStored === undefined ? onUncertain() : undefined;
    },
    dismiss(): void {
      latest.current++;
      setRestore({ state: 'idle' });
    },
  };
}

function changesNothing(preview: Restore): preview is Extract<Restore, { state: 'tested' }> {
  return preview.state === 'tested' && hasNoChanges(preview.changes);
}

async function dryRun(history: HistoryPort, subject: HistorySubject, aim: Aim): Promise<Restore> {
  const refused = (failure: Failure): Restore => ({ state: 'refused', aim, failure, after: 'preview' });
  const current = await history.current(subject);
  if (current.state === 'failed') return refused(current.failure);
  const over = current.state === 'known' ? { etag: current.value.etag } : {};
  let restoring: Restoring = { version: aim.version, confirm: false, ...over };
  if (aim.kind === 'undo') {
    if (current.state === 'missing') return refused(NOT_FOUND);
    const undone = undoChange(aim.change.before, aim.change.after, current.value.data);
    if (undone.state === 'overlaps') return { state: 'overlaps', aim, pointers: undone.pointers };
    if (undone.state === 'undone') return { state: 'tested', aim, restoring, changes: [], consequences: [] };
    restoring = { ...restoring, document: undone.document };
  }
  let answer = await history.dryRun(subject, restoring);
  if (answer.state === 'failed' && answer.failure.problem?.code === 'WOULD_LOCK_OUT') {
    // Its consequences say so, and are confirmed together with it.
    restoring = { ...restoring, confirm: true };
    answer = await history.dryRun(subject, restoring);
  }
  if (answer.state !== 'known') return refused(failureOf(answer));
  const { result, consequences = [] } = answer.value;
  if (!isObject(result)) return refused({ kind: 'unexpected' });
  const before = current.state === 'known' ? current.value.data : null;
  const paths = pathsAfterRestore(subject, before, result);
  return {
    state: 'tested',
    aim,
    restoring,
    changes: describeChange(before, result),
    consequences,
    ...(paths === undefined ? {} : { paths }),
  };
}
