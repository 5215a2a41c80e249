import type { ConsequenceOfSites } from '@repoless/contract/consequence.ts';
import { explainFailure } from '@repoless/core/messages/explain-failure.ts';
import type { SetupPorts } from '@repoless/core/situation/ports.ts';
import {
  type AppliedRow,
  undoableRows,
  undoConsequences,
  type UndoneBatch,
  type UndoneRow,
  undoRows,
} from '@repoless/core/sites/undo-rows.ts';
import { Fragment, useState } from 'react';
import { TextButton } from '../../ui/TextButton.tsx';
import { usePrintedTime } from '../../ui/Age.tsx';
import { Consequences, useConfirmation } from '../../ui/Consequences.tsx';
import { TextList } from '../../ui/Facts.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Question } from '../../ui/Question.tsx';
import { useFocusBack, useFocusOnArrival } from '../../ui/focus.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { useStopper } from '../../ui/use-reading.ts';
import { useActiveRun } from '../../ui/use-guarded.ts';
import { ReadingProgress, RunProgress, UnfinishedNotice } from './RunProgress.tsx';
import type { OpenedEnvironment } from '../../ui/organization-contexts.ts';
import type { StoredRun } from './stored-runs.ts';

interface Props {
  readonly ports: SetupPorts;
  readonly batch: UndoneBatch;
  readonly results: readonly AppliedRow[];
  /** An earlier run: which one it is, and a button that dismisses its undo. */
  readonly past?: PastRun;
  /** Called before the first write and after the last. */
  readonly onBusy: (isBusy: boolean) => void;
  readonly onUndone: (undone: readonly UndoneRow[]) => void;
}

interface PastRun {
  /** ISO 8601. */
  readonly started: string;
  readonly isRepair: boolean;
  readonly onDismiss: () => void;
}

type Undo =
  | { readonly state: 'offered' }
  | { readonly state: 'reading'; readonly read: number }
  | { readonly state: 'requested'; readonly consequences: readonly ConsequenceOfSites[] }
  | { readonly state: 'running'; readonly isStopping: boolean; readonly done: number; readonly results: readonly AppliedRow[] }
  | { readonly state: 'ended'; readonly undone: readonly UndoneRow[] };

/** The undo of a run over many sites: one question, one run, and the result for each site that was not undone. */
export function UndoRun({ ports, batch, results, past, onBusy, onUndone }: Props) {
  const messages = useMessages('sites');
  const { undo: texts } = messages.applyRows;
  const [undo, setUndo] = useState<Undo>({ state: 'offered' });
  const [button, focusBack] = useFocusBack();
  const stopper = useStopper();
  useActiveRun(undo.state === 'running', 'view');
  const heading = useFocusOnArrival<HTMLDivElement>(undo.state === 'ended' ? undo : undefined);
  const undoable = undoableRows(results);
  const confirmation = useConfirmation(undo.state === 'requested' ? undo.consequences : []);
  const readConsequences = async (): Promise<void> => {
    const signal = stopper.start();
    setUndo({ state: 'reading', read: 0 });
    const onRow = (): void => setUndo((now) => (now.state === 'reading' ? { ...now, read: now.read + 1 } : now));
    const consequences = await undoConsequences(ports, batch, undoable, { signal, onRow });
    if (!signal.aborted) setUndo({ state: 'requested', consequences });
  };
  const start = async (some: readonly AppliedRow[], before: readonly UndoneRow[]): Promise<void> => {
    const signal = stopper.start();
    onBusy(true);
    setUndo({ state: 'running', isStopping: false, done: 0, results: some });
    const onRow = (): void => setUndo((now) => (now.state === 'running' ? { ...now, done: now.done + 1 } : now));
    const undone = await undoRows(ports, batch, some, { signal, onRow });
    setUndo({ state: 'ended', undone: [...before, ...undone] });
    onBusy(false);
    onUndone(undone);
  };
  const decline = (): void => {
    setUndo({ state: 'offered' });
    focusBack();
  };
  if (undoable.length === 0) return null;
  const count = undoable.length;
  switch (undo.state) {
    case 'offered':
      return (
        <div className="rp-actions">
          {past !== undefined && <PastRunText past={past} count={count} />}
          <TextButton ref={button} onPress={() => void readConsequences()} text={texts.open({ count })} />
          {past !== undefined && <TextButton onPress={past.onDismiss} text={texts.dismiss} />}
        </div>
      );
    case 'reading':
      return (
        <ReadingProgress
          text={messages.applyRows.preparing}
          read={undo.read}
          all={count}
          onCancel={() => {
            stopper.stop();
            decline();
          }}
        />
      );
    case 'requested': {
      const created = undoable.filter(({ steps = [] }) => steps.some(({ id, state }) => id === 'register-site' && state.kind === 'create'));
      return (
        <Question
          title={texts.title({ count })}
          text={texts.text({ created: created.length, changed: count - created.length })}
          more={<Consequences consequences={undo.consequences} confirmation={confirmation} />}
          hint={confirmation.hint}
          yes={texts.now}
          no={texts.cancel}
          onYes={() => void start(undoable, [])}
          onNo={decline}
        />
      );
    }
    case 'running':
      return (
        <RunProgress
          label={texts.progress}
          done={undo.done}
          of={undo.results.length}
          count={texts.count({ done: undo.done, all: undo.results.length })}
          text={undo.isStopping ? texts.stopping : ''}
          stop={texts.stop}
          isStopping={undo.isStopping}
          run={undo.results}
          onStop={() => {
            stopper.stop();
            setUndo({ ...undo, isStopping: true });
          }}
        />
      );
    case 'ended': {
      const { undone } = undo;
      const left = undone.filter(({ state }) => state !== 'undone');
      const sentences = undone.flatMap((one) => sentenceOf(messages, one));
      const open = new Set(left.filter(({ state }) => state !== 'kept').map(({ row }) => row.id));
      return (
        <Notice
          tone={left.length === 0 ? 'positive' : 'warning'}
          role={left.length === 0 ? 'status' : 'alert'}
          title={texts.done({ undone: undone.length - left.length, all: undone.length })}
          focus={heading}
          actions={
            open.size > 0 && (
              <TextButton
                variant="accent"
                onPress={() =>
                  void start(
                    undoable.filter(({ row }) => open.has(row.id)),
                    undone.filter(({ row }) => !open.has(row.id)),
                  )
                }
                text={texts.again({ count: open.size })}
              />
            )
          }
        >
          {sentences.length > 0 && <TextList texts={sentences} />}
        </Notice>
      );
    }
    default:
      return undo satisfies never;
  }
}

function PastRunText({ past, count }: { readonly past: PastRun; readonly count: number }) {
  const { undo } = useMessages('sites').applyRows;
  const time = usePrintedTime()(past.started);
  return <p className="rp-quiet">{(past.isRepair ? undo.repaired : undo.setUp)({ count, time })}</p>;
}

function sentenceOf(messages: ReturnType<typeof useMessages<'sites'>>, one: UndoneRow): string[] {
  const { undo: texts } = messages.applyRows;
  const site = one.row.siteName;
  switch (one.state) {
    case 'undone':
      return one.stays === undefined ? [] : [texts.stays({ site, page: one.stays })];
    case 'stopped':
      return [texts.stopped({ site })];
    case 'kept':
      return [one.part === 'page' ? texts.keptPage({ site }) : texts.kept({ site, by: one.by })];
    case 'failed': {
      const { sentence, next = '' } = explainFailure(messages, one.failure);
      return [texts.failed({ site, why: `${sentence} ${next}`.trim() })];
    }
    default:
      return one satisfies never;
  }
}

interface UnfinishedRunsProps {
  readonly runs: readonly { readonly run: StoredRun; readonly applied: readonly AppliedRow[] }[];
  readonly environment: OpenedEnvironment;
  readonly organization: string;
  /** The remaining rows of a run, or its undo, are discarded. */
  readonly onLeave: (run: StoredRun, what: 'rows' | 'undo') => void;
  /** Continues with the remaining rows in their review. */
  readonly onReview: (run: StoredRun) => void;
  /** It is for another environment. */
  readonly onOtherEnvironment: (run: StoredRun) => void;
  readonly onBusy: (isBusy: boolean) => void;
  readonly onUndone: (run: StoredRun, undone: readonly UndoneRow[]) => void;
}

/** Runs during which the tab was closed: the rest of each is continued or discarded, and what it wrote can be undone. */
export function UnfinishedRuns({
  runs,
  environment,
  organization,
  onLeave,
  onReview,
  onOtherEnvironment,
  onBusy,
  onUndone,
}: UnfinishedRunsProps) {
  const messages = useMessages('sites');
  const { kept: texts } = messages.applyRows;
  return runs.map(({ run, applied }) => {
    const isHere = run.author === environment.author;
    const isRepair = run.isRepair === true;
    const count = run.rows.length;
    return (
      <Fragment key={`${run.base} ${run.author} ${run.started}`}>
        {count > 0 && (
          <UnfinishedNotice
            title={texts.title}
            started={run.started}
            text={(time) => (isRepair ? texts.repair({ count, time }) : texts.text({ count, base: run.base, time }))}
            more={!isHere && <p className="rp-quiet">{messages.production.now({ author: run.author })}</p>}
            discard={texts.discard}
            onDiscard={() => onLeave(run, 'rows')}
          >
            <TextButton
              variant={isHere ? 'accent' : 'secondary'}
              onPress={() => (isHere ? onReview : onOtherEnvironment)(run)}
              text={isHere ? texts.goOn({ count }) : messages.production.read}
            />
          </UnfinishedNotice>
        )}
        {isHere && (
          <UndoRun
            ports={environment.ports}
            batch={{ organization, author: run.author }}
            results={applied}
            past={{ started: run.started, isRepair, onDismiss: () => onLeave(run, 'undo') }}
            onBusy={onBusy}
            onUndone={(undone) => onUndone(run, undone)}
          />
        )}
      </Fragment>
    );
  });
}
