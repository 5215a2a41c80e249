import { Button } from '@adobe/react-spectrum/Button';
import CheckmarkCircle from '@spectrum-icons/workflow/CheckmarkCircle';
import { useState } from 'react';
import type { Plan } from '#extension/setup/plan.ts';
import { planUndo } from '#extension/setup/plan-undo.ts';
import type { Situation } from '#extension/setup/situation.ts';
import { useFocusOnArrival } from '../shared/use-focus-on-arrival.ts';
import { useWords } from '../use-words.ts';
import { RunEnd } from './RunEnd.tsx';
import { RunProgress } from './RunProgress.tsx';
import { progressOf } from './run-state.ts';
import { StepList } from './StepList.tsx';
import { stepViews } from './step-view.ts';
import type { Runner } from './use-run.ts';

interface Props {
  readonly situation: Situation;
  readonly runner: Runner;
  readonly service: string;
  /** Something else runs, or the page is being read. */
  readonly busy: boolean;
  readonly onStart: (plan: Plan) => void;
  readonly onRead: () => void;
  readonly onSignedOut: () => void;
}

/** The way back: asked for, shown as a plan of its own, confirmed here in the panel, run. */
export function PutBack({ situation, runner, service, busy, onStart, onRead, onSignedOut }: Props) {
  const words = useWords();
  const [open, setOpen] = useState(false);
  const heading = useFocusOnArrival<HTMLHeadingElement>(open ? 'open' : undefined);
  const { run } = runner;
  const { previous } = situation.settings;
  const unfinished = run.state === 'running' || (run.state === 'ended' && run.result.outcome !== 'complete');
  if (previous === undefined && run.state === 'idle') return null;
  const plan = planUndo(situation);
  const steps = stepViews(words, unfinished ? run.plan : plan, unfinished ? progressOf(run) : new Map(), service);
  if (!open && !unfinished) {
    return (
      <div className="rp-stack">
        <RunProgress run={run} onStop={runner.stop} />
        {run.state === 'ended' && <PutBackDone />}
        {previous !== undefined && (
          <Button variant="secondary" isDisabled={busy} onPress={() => setOpen(true)}>
            {words.undo.open}
          </Button>
        )}
      </div>
    );
  }
  return (
    <section className="rp-card" aria-labelledby="rp-undo">
      <h2 id="rp-undo" tabIndex={-1} ref={heading}>
        {words.undo.title}
      </h2>
      <p>{words.undo.text}</p>
      {previous !== undefined && <p className="rp-quiet">{words.undo.kept(previous.by, previous.at)}</p>}
      <RunProgress run={run} onStop={runner.stop} />
      {run.state === 'ended' && <RunEnd run={run} onRetry={() => onStart(plan)} onRead={onRead} onSignedOut={onSignedOut} />}
      <StepList steps={steps} label={words.plan.undoTitle} />
      {!unfinished && (
        <div className="rp-actions">
          <Button
            variant="negative"
            isDisabled={busy || plan.blocked}
            onPress={() => {
              setOpen(false);
              onStart(plan);
            }}
          >
            {words.undo.confirm}
          </Button>
          <Button variant="secondary" onPress={() => setOpen(false)}>
            {words.undo.cancel}
          </Button>
        </div>
      )}
    </section>
  );
}

function PutBackDone() {
  const words = useWords();
  const focus = useFocusOnArrival<HTMLDivElement>('done');
  return (
    <div className="rp-notice rp-notice-info" tabIndex={-1} ref={focus}>
      <CheckmarkCircle size="S" UNSAFE_className="rp-notice-icon" />
      <p>{words.run.completeUndo}</p>
    </div>
  );
}
