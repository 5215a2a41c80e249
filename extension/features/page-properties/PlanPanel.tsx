import { useLocale } from '@adobe/react-spectrum/Provider';
import { Switch } from '@adobe/react-spectrum/Switch';
import { explainWork } from '@repoless/core/messages/explain-work.ts';
import { planPeople, planWork } from '@repoless/core/plan/plan-work.ts';
import type { Plan } from '@repoless/core/plan/plan.ts';
import type { Situation, Target } from '@repoless/core/situation/situation.ts';
import { use } from 'react';
import { TextButton } from '../../ui/TextButton.tsx';
import { useFocusRestore } from '../../ui/focus.ts';
import type { SignInAgain } from '../../ui/Unread.tsx';
import { LinkedRows, useNamed } from '../../ui/LinkedRows.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { RunEnd, RunProgress } from './RunEnd.tsx';
import { Blocks, StepList } from './StepList.tsx';
import { planCount, stepGroups, type StepView, stepViews, TechnicalContext } from './step-view.ts';
import { isPlanChanged, progressOf, runCount, type Runner } from './use-run.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Fold } from '../../ui/Card.tsx';
import { Status } from '../../ui/Notice.tsx';

interface Props {
  readonly plan: Plan;
  readonly runner: Runner;
  readonly service: string;
  /** The plan is being reloaded, or belongs to choices that were changed since. */
  readonly reading: boolean;
  readonly target: Target;
  readonly caller: string | undefined;
  /** The first invalid field; absent if all are valid. */
  readonly invalidField: { readonly label: string; readonly show: () => void } | undefined;
  /** The plan was carried out, and the result is not read yet. */
  readonly isSettling: boolean;
  /** What was read after a completed run, if more remains to be done. */
  readonly remainingAfterRun: Situation | undefined;
  /** Settings were edited since the run started: it would be a different plan now. */
  readonly isEdited: boolean;
  readonly busy: boolean;
  readonly onStart: (plan: Plan) => void;
  readonly onTechnical: (isTechnical: boolean) => void;
  readonly onRead: () => void;
  readonly onSignedOut: SignInAgain;
}

export function PlanPanel(props: Props) {
  const { plan, runner, service, reading, onStart, onRead } = props;
  const messages = useMessages('setup');
  const isTechnical = use(TechnicalContext);
  const { run } = runner;
  const heading = useFocusRestore<HTMLHeadingElement>(props.remainingAfterRun);
  const isReviewed = run.state === 'ended' && run.result.outcome !== 'complete' && (props.isEdited || isPlanChanged(run.result));
  const unfinished =
    run.state === 'running' || (run.state === 'ended' && !isReviewed && (props.isSettling || run.result.outcome !== 'complete'));
  const shown = unfinished ? run.plan : plan;
  const steps = stepViews(messages, shown, unfinished ? progressOf(run) : new Map(), service);
  const isFinished = plan.complete && !unfinished;
  const { done, open } = planCount(plan);
  const count = unfinished ? runCount(run) : { done, total: done + open };
  const summary = isFinished ? messages.plan.complete : messages.plan.summary({ done: count.done, open: count.total - count.done });
  return (
    <section className="rp-card" aria-labelledby="rp-plan" aria-busy={reading}>
      <div className="rp-section-head">
        <h2 id="rp-plan" tabIndex={-1} ref={heading}>
          {isFinished ? messages.plan.doneTitle : messages.plan.title}
        </h2>
        <Status as="span">{reading ? messages.plan.reading : run.state === 'running' ? '' : summary}</Status>
      </div>
      <RunProgress run={run} steps={messages.steps} onStop={runner.stop} />
      {run.state === 'ended' && (
        <RunEnd
          run={run}
          steps={messages.steps}
          onRetry={isReviewed ? undefined : () => onStart(run.plan)}
          onRead={onRead}
          onSignedOut={props.onSignedOut}
        />
      )}
      {!plan.complete && run.state !== 'running' && !unfinished && (
        <PlanOffer
          plan={plan}
          steps={steps}
          target={props.target}
          caller={props.caller}
          isWaiting={reading || props.busy}
          invalidField={props.invalidField}
          onStart={() => onStart(plan)}
          onRead={onRead}
        />
      )}
      <LinkedRows>
        <StepGroups steps={steps} label={isFinished ? messages.plan.doneTitle : messages.plan.title} />
      </LinkedRows>
      <Switch isSelected={isTechnical} onChange={props.onTechnical}>
        {messages.setup.technical}
      </Switch>
    </section>
  );
}

interface PlanOfferProps {
  readonly plan: Plan;
  readonly steps: readonly StepView[];
  readonly target: Target;
  readonly caller: string | undefined;
  /** The plan is being reloaded, or something else is running. */
  readonly isWaiting: boolean;
  readonly invalidField: { readonly label: string; readonly show: () => void } | undefined;
  readonly onStart: () => void;
  readonly onRead: () => void;
}

function PlanOffer({ plan, steps, target, caller, isWaiting, invalidField, onStart, onRead }: PlanOfferProps) {
  const messages = useMessages('setup');
  const { locale } = useLocale();
  const work = planWork(plan);
  const explained = explainWork(messages, work, { target, people: planPeople(plan), caller, locale });
  if (explained === undefined && work.kind !== 'unknown') return null;
  const isValid = invalidField === undefined;
  return (
    <div className="rp-offer">
      <Blocks steps={steps}>
        <TextButton isDisabled={isWaiting} onPress={onRead} text={messages.run.readAgain} />
      </Blocks>
      {explained !== undefined && <p>{explained.sentence}</p>}
      {explained !== undefined && explained.people.length > 0 && (
        <ul className="rp-work-people">
          {explained.people.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      <div className="rp-actions">
        {explained !== undefined && (
          <TextButton variant="accent" isDisabled={plan.blocked || !isValid || isWaiting} onPress={onStart} text={explained.button} />
        )}
        {invalidField !== undefined && steps.every(({ field }) => field === undefined) && (
          <>
            <span className="rp-quiet">{messages.run.invalid}</span>
            <TextButton onPress={invalidField.show} text={messages.run.showField({ label: invalidField.label })} />
          </>
        )}
      </div>
    </div>
  );
}

/** The steps of a plan in groups, each collapsed except for what is in progress or requires action. */
function StepGroups({ steps, label }: { readonly steps: readonly StepView[]; readonly label: string }) {
  const messages = useMessages('setup');
  const { groups } = messages.setup;
  const isNamed = useNamed('step');
  return (
    <ol className="rp-groups" aria-label={label}>
      {stepGroups(messages, steps).map(({ id, steps: some, state, isOpen }) => (
        <li key={id}>
          <Fold
            open={isOpen || some.some((step) => isNamed(step.id))}
            title={
              <>
                <span className="rp-group-name">{groups[id]}</span>
                <Badge tone={state.tone} text={state.label} />
              </>
            }
          >
            <StepList steps={some} label={groups[id]} />
          </Fold>
        </li>
      ))}
    </ol>
  );
}
