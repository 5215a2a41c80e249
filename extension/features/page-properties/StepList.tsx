import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { ProgressBar } from '@adobe/react-spectrum/ProgressBar';
import { StatusLight } from '@adobe/react-spectrum/StatusLight';
import AlertCircle from '@spectrum-icons/workflow/AlertCircle';
import { type ReactNode, use } from 'react';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useArrivalAtRow } from '../../ui/LinkedRows.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { showField } from './choice-problems.ts';
import { changesOf, type ChangeState, type Live, type StepView, TechnicalContext } from './step-view.ts';

/** The steps of a plan, in order: title, reason, state; with technical details also the changes and the exact calls. */
export function StepList({ steps, label }: { readonly steps: readonly StepView[]; readonly label: string }) {
  return (
    <ol className="rp-steps" aria-label={label}>
      {steps.map((step) => (
        <StepItem key={step.id} step={step} />
      ))}
    </ol>
  );
}

function StepItem({ step }: { readonly step: StepView }) {
  const isTechnical = use(TechnicalContext);
  const { element } = useArrivalAtRow<HTMLHeadingElement>('step', step.id);
  return (
    <li
      className={step.phase === 'active' ? 'rp-step rp-step-active' : 'rp-step'}
      aria-current={step.phase === 'active' ? 'step' : undefined}
    >
      <span className="rp-step-number" aria-hidden="true">
        {step.number}
      </span>
      <div className="rp-step-body">
        <div className="rp-step-head">
          <h3 tabIndex={-1} ref={element}>
            {step.title}
          </h3>
          <StatusLight variant={step.state.tone} UNSAFE_className="rp-step-state">
            {step.state.label}
          </StatusLight>
        </div>
        <p className="rp-quiet">{step.why}</p>
        {step.live !== undefined && <LiveLine live={step.live} label={step.title} />}
        {isTechnical && <TechnicalDetails step={step} />}
      </div>
    </li>
  );
}

/** What blocks a plan, once and above its steps: why, who acts next, and a link to the field that fixes it. */
export function Blocks({ steps, children }: { readonly steps: readonly StepView[]; readonly children?: ReactNode }) {
  const { plan } = useMessages();
  const { run } = useMessages('setup');
  const blocked = steps.filter((step) => step.blocked !== undefined);
  if (blocked.length === 0) return null;
  return (
    <Notice tone="negative" icon={AlertCircle} role="group" label={run.blocked} title={run.blocked} actions={children}>
      {blocked.map((step) => (
        <div key={step.id} className="rp-blocked">
          <h3>{step.title}</h3>
          <p>{step.blocked?.why}</p>
          {step.blocked?.waitsFor !== '' && (
            <p>
              <span className="rp-strong">{plan.waitingFor({ who: step.blocked?.waitsFor ?? '' })} </span>
              {step.blocked?.next}
            </p>
          )}
          {step.field !== undefined && <FieldLink field={step.field} />}
        </div>
      ))}
    </Notice>
  );
}

function FieldLink({ field }: { readonly field: NonNullable<StepView['field']> }) {
  const { run } = useMessages('setup');
  return (
    <div className="rp-actions">
      <ActionButton onPress={() => showField(field.id)}>{run.showField({ label: field.label })}</ActionButton>
    </div>
  );
}

/** The progress within a step that takes a while. The run's live region announces it, too. */
function LiveLine({ live: { text, files }, label }: { readonly live: Live; readonly label: string }) {
  const { plan } = useMessages();
  if (files === undefined) return <p className="rp-step-live">{text}</p>;
  const { done, of } = files;
  return (
    <div className="rp-step-live">
      <ProgressBar
        aria-label={label}
        label={text}
        value={done}
        maxValue={of}
        valueLabel={plan.files({ processed: done, total: of })}
        size="S"
        width="100%"
      />
    </div>
  );
}

/** What was read to determine the state of a step that is due, what it changes in the stored documents, and its requests. */
function TechnicalDetails({ step: { title, phase, evidence, sharedWith, change, call } }: { readonly step: StepView }) {
  const { plan } = useMessages();
  const isDue = phase !== 'open' && phase !== 'waits';
  return (
    <>
      {evidence !== undefined && isDue && (
        <p className="rp-quiet rp-evidence">
          {plan.checked}: <code>{evidence.request}</code> → {evidence.answer}
        </p>
      )}
      {change !== undefined && <StepChanges change={change} />}
      {sharedWith !== undefined && <p className="rp-quiet">{plan.sharedCall({ title: sharedWith })}</p>}
      {call !== undefined && sharedWith === undefined && (
        <div className="rp-call">
          <pre className="rp-pre">{call.text}</pre>
          <CopyButton text={call.curl} label={`${plan.copyCurl}: ${title}`} />
        </div>
      )}
    </>
  );
}

/** The changes of a step, one by one: the current and the future value. */
export function StepChanges({ change }: { readonly change: ChangeState }) {
  const { plan } = useMessages();
  return (
    <ul className="rp-plain-list rp-changes">
      {changesOf(change).map(({ where, before, after }) => (
        <li key={`${where} ${after ?? ''}`}>
          <code className="rp-quiet">{where === '' ? '/' : where}</code>
          <pre className="rp-before">
            <span className="rp-change-name">{plan.before}</span>
            {before ?? plan.nothing}
          </pre>
          <pre className="rp-after">
            <span className="rp-change-name">{plan.after}</span>
            {after ?? plan.nothing}
          </pre>
        </li>
      ))}
    </ul>
  );
}
