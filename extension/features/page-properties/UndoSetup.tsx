import { Button } from '@adobe/react-spectrum/Button';
import { useDateFormatter } from '@adobe/react-spectrum/useDateFormatter';
import { restoredPaths } from '@repoless/core/mappings/read-simulation.ts';
import type { Plan } from '@repoless/core/plan/plan.ts';
import type { SetupPorts } from '@repoless/core/plan/ports.ts';
import { readWithLeaving } from '@repoless/core/run/run-plan.ts';
import type { Situation } from '@repoless/core/situation/situation.ts';
import { planUndo } from '@repoless/core/undo/plan-undo.ts';
import CheckmarkCircle from '@spectrum-icons/workflow/CheckmarkCircle';
import { Suspense, useEffect, useState } from 'react';
import { Loading } from '../../ui/Loading.tsx';
import { useFocusBack } from '../../ui/focus-return.ts';
import { useFocusOnArrival } from '../../ui/focus.ts';
import { late } from '../../ui/lazy-component.tsx';
import type { SignInAgain } from '../../ui/Unread.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { RunEnd, RunProgress } from './RunEnd.tsx';
import { StepList } from './StepList.tsx';
import { stepViews } from './step-view.ts';
import { isPlanChanged, progressOf, type Runner } from './use-run.ts';

const SimulateMappings = late(async () => (await import('../mappings/SimulateMappings.tsx')).SimulateMappings);

interface Props {
  readonly ports: SetupPorts;
  readonly situation: Situation;
  readonly runner: Runner;
  readonly service: string;
  /** Something else runs, or the page is being read. */
  readonly busy: boolean;
  /** It was all put back, and what became of it is not read yet. */
  readonly isSettling: boolean;
  readonly onStart: (plan: Plan) => void;
  readonly onRead: () => void;
  readonly onSignedOut: SignInAgain;
}

/** The way back: asked for, shown as a plan of its own, confirmed here in the panel, run. */
export function UndoSetup({ ports, situation, runner, service, busy, isSettling, onStart, onRead, onSignedOut }: Props) {
  const { undoSteps, ...spoken } = useMessages('setup');
  const steps = { ...spoken.steps, ...undoSteps };
  const messages = { ...spoken, steps };
  const [open, setOpen] = useState(false);
  const heading = useFocusOnArrival<HTMLHeadingElement>(open ? 'open' : undefined);
  const [button, focusBack] = useFocusBack();
  const dates = useDateFormatter({ dateStyle: 'long', timeStyle: 'short' });
  const { run } = runner;
  const { previous } = situation.settings;
  // Nothing was written: what there is to undo by now is looked at first.
  const isReviewed = run.state === 'ended' && isPlanChanged(run.result);
  const unfinished = run.state === 'running' || (run.state === 'ended' && run.result.outcome !== 'complete' && !isReviewed);
  const whole = useWhatGoes(ports, situation, open || isReviewed);
  if (previous === undefined && run.state === 'idle') return null;
  const plan = planUndo(whole ?? situation);
  const leaving = whole?.leaving?.state === 'known' ? whole.leaving.value : undefined;
  const restored = restoredPaths(situation);
  const views = stepViews(messages, unfinished ? run.plan : plan, unfinished ? progressOf(run) : new Map(), service);
  if (!open && !unfinished && !isReviewed) {
    return (
      <div className="rp-stack">
        <RunProgress run={run} steps={steps} onStop={runner.stop} />
        {run.state === 'ended' && <UndoSetupDone isSettling={isSettling} />}
        {previous !== undefined && run.state === 'idle' && (
          <div className="rp-actions">
            <Button ref={button} variant="secondary" isDisabled={busy} onPress={() => setOpen(true)}>
              {messages.undo.open}
            </Button>
            <span className="rp-quiet">{messages.undo.kept({ by: previous.by, at: printTime(dates, previous.at) })}</span>
          </div>
        )}
      </div>
    );
  }
  return (
    <>
      <section className="rp-card" aria-labelledby="rp-undo">
        <h2 id="rp-undo" tabIndex={-1} ref={heading}>
          {messages.undo.title}
        </h2>
        <p>{isReviewed && previous === undefined ? messages.undo.nothing : messages.undo.text}</p>
        {previous !== undefined && <p className="rp-quiet">{messages.undo.kept({ by: previous.by, at: printTime(dates, previous.at) })}</p>}
        {!unfinished && whole === undefined && <Loading text={messages.undo.reading} />}
        {leaving !== undefined && leaving.secrets.length > 0 && <p>{messages.undo.secrets({ names: leaving.secrets.join(', ') })}</p>}
        {leaving !== undefined && leaving.apiKeys.length > 0 && <p>{messages.undo.apiKeys({ names: leaving.apiKeys.join(', ') })}</p>}
        <RunProgress run={run} steps={steps} onStop={runner.stop} />
        {run.state === 'ended' && (
          <RunEnd
            run={run}
            steps={steps}
            // Without a record there is no other plan: whether this one is done by now is for the run to find.
            onRetry={isReviewed ? undefined : () => onStart(previous === undefined ? run.plan : plan)}
            onRead={onRead}
            onSignedOut={onSignedOut}
          />
        )}
        {!unfinished && previous !== undefined && (
          <div className="rp-actions">
            <Button
              variant="negative"
              isDisabled={busy || plan.blocked || whole === undefined}
              onPress={() => {
                setOpen(false);
                onStart(plan);
              }}
            >
              {messages.undo.confirm}
            </Button>
            <Button
              variant="secondary"
              onPress={() => {
                setOpen(false);
                if (isReviewed) runner.dismiss();
                focusBack();
              }}
            >
              {messages.undo.cancel}
            </Button>
          </div>
        )}
        {views.length > 0 && <StepList steps={views} label={messages.plan.undoTitle} />}
      </section>
      {restored !== undefined && !unfinished && (
        <Suspense fallback={null}>
          <SimulateMappings key={JSON.stringify(restored)} ports={ports} intended={restored} />
        </Suspense>
      )}
    </>
  );
}

/** The situation with what goes with the site, once it is read: as soon as somebody asks for the way back. */
function useWhatGoes(ports: SetupPorts, situation: Situation, isRequested: boolean): Situation | undefined {
  const [read, setRead] = useState<{ readonly of: Situation; readonly whole: Situation }>();
  useEffect(() => {
    if (!isRequested) return undefined;
    let gone = false;
    void readWithLeaving(ports, situation).then((whole) => {
      if (!gone) setRead({ of: situation, whole });
    });
    return () => {
      gone = true;
    };
  }, [ports, situation, isRequested]);
  return read?.of === situation ? read.whole : undefined;
}

/** The plan above it grows or folds once the page is read afresh: it comes into view again then. */
function UndoSetupDone({ isSettling }: { readonly isSettling: boolean }) {
  const messages = useMessages('setup');
  const focus = useFocusOnArrival<HTMLDivElement>(isSettling ? 'put back' : 'read afresh');
  return (
    <div className="rp-notice rp-notice-info" tabIndex={-1} ref={focus}>
      <CheckmarkCircle size="S" UNSAFE_className="rp-notice-icon" />
      <p>{messages.run.completeUndo}</p>
    </div>
  );
}

/** The record is data of the authoring system: a time that is none is shown as it is. */
function printTime(dates: { format(date: Date): string }, at: string): string {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? at : dates.format(time);
}
