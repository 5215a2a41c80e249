import { Button } from '@adobe/react-spectrum/Button';
import type { Plan } from '#extension/setup/plan.ts';
import { Fold } from '../shared/Fold.tsx';
import type { SignInAgain } from '../sign-in/sign-in-again.ts';
import { useWords } from '../use-words.ts';
import { RunEnd } from './RunEnd.tsx';
import { RunProgress } from './RunProgress.tsx';
import { progressOf, runCount } from './run-state.ts';
import { StepList } from './StepList.tsx';
import { planCount, stepViews } from './step-view.ts';
import type { Runner } from './use-run.ts';

interface Props {
  readonly plan: Plan;
  readonly runner: Runner;
  readonly service: string;
  /** The plan is being read afresh, or belongs to choices that were changed since. */
  readonly reading: boolean;
  /** Every choice is usable. */
  readonly valid: boolean;
  /** Something else runs. */
  readonly busy: boolean;
  readonly onStart: (plan: Plan) => void;
  readonly onRead: () => void;
  readonly onSignedOut: SignInAgain;
}

/** What will be done, the one button that does it, and while it runs how far it is. */
export function PlanPanel({ plan, runner, service, reading, valid, busy, onStart, onRead, onSignedOut }: Props) {
  const words = useWords();
  const { run } = runner;
  const unfinished = run.state === 'running' || (run.state === 'ended' && run.result.outcome !== 'complete');
  const shown = unfinished ? run.plan : plan;
  const steps = stepViews(words, shown, unfinished ? progressOf(run) : new Map(), service);
  const list = <StepList steps={steps} label={words.plan.title} />;
  const { done, open } = planCount(plan);
  const count = unfinished ? runCount(run) : { done, total: done + open };
  const summary = plan.complete && !unfinished ? words.plan.complete : words.plan.summary(count.done, count.total - count.done);
  return (
    <section className="rp-card" aria-labelledby="rp-plan" aria-busy={reading}>
      <div className="rp-section-head">
        <h2 id="rp-plan">{plan.complete && !unfinished ? words.plan.doneTitle : words.plan.title}</h2>
        <span className="rp-quiet" role="status">
          {reading ? words.plan.reading : run.state === 'running' ? '' : summary}
        </span>
      </div>
      <RunProgress run={run} onStop={runner.stop} />
      {run.state === 'ended' && <RunEnd run={run} onRetry={() => onStart(plan)} onRead={onRead} onSignedOut={onSignedOut} />}
      {!plan.complete && run.state !== 'running' && !unfinished && (
        <div className="rp-actions">
          <Button variant="accent" isDisabled={plan.blocked || !valid || reading || busy} onPress={() => onStart(plan)}>
            {words.run.enable}
          </Button>
          {(plan.blocked || !valid) && <span className="rp-quiet">{valid ? words.run.blocked : words.run.invalid}</span>}
          {plan.blocked && (
            <Button variant="secondary" isDisabled={reading} onPress={onRead}>
              {words.run.readAgain}
            </Button>
          )}
        </div>
      )}
      {plan.complete && !unfinished ? <Fold title={words.plan.doneSteps(done)}>{list}</Fold> : list}
    </section>
  );
}
