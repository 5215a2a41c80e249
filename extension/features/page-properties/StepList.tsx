import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { ProgressBar } from '@adobe/react-spectrum/ProgressBar';
import { StatusLight } from '@adobe/react-spectrum/StatusLight';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { showField } from './choice-problems.ts';
import { changesOf, type ChangeState, type Live, type StepView } from './step-view.ts';

/** The steps of a plan, in order: title, why, state, what changes, the exact call. */
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
  const { plan } = useMessages();
  return (
    <li className={step.active ? 'rp-step rp-step-active' : 'rp-step'} aria-current={step.active ? 'step' : undefined}>
      <span className="rp-step-number" aria-hidden="true">
        {step.number}
      </span>
      <div className="rp-step-body">
        <div className="rp-step-head">
          <h3>{step.title}</h3>
          <StatusLight variant={step.state.tone} UNSAFE_className="rp-step-state">
            {step.state.label}
          </StatusLight>
        </div>
        <p className="rp-quiet">{step.why}</p>
        {step.blocked !== undefined && (
          <div className="rp-blocked">
            <p>{step.blocked.why}</p>
            {step.blocked.turn !== '' && (
              <p>
                <span className="rp-strong">{plan.waitingFor({ turn: step.blocked.turn })} </span>
                {step.blocked.who}
              </p>
            )}
            {step.field !== undefined && <FieldLink field={step.field} />}
          </div>
        )}
        {step.live !== undefined && <LiveLine live={step.live} label={step.title} />}
        {step.evidence !== undefined && (
          <p className="rp-quiet rp-evidence">
            {plan.checked}: <code>{step.evidence.request}</code> → {step.evidence.answer}
          </p>
        )}
        {step.sharedWith !== undefined && <p className="rp-quiet">{plan.sharedCall({ title: step.sharedWith })}</p>}
        {step.change !== undefined && (
          <Fold title={plan.changes} of={step.title}>
            <StepChanges change={step.change} />
          </Fold>
        )}
        {step.call !== undefined && step.sharedWith === undefined && <ExactCall title={step.title} call={step.call} />}
      </div>
    </li>
  );
}

/** Leads to the field where what blocks the step is mended. */
function FieldLink({ field }: { readonly field: NonNullable<StepView['field']> }) {
  const { run } = useMessages('setup');
  return (
    <div className="rp-actions">
      <ActionButton onPress={() => showField(field.id)}>{run.showField({ label: field.label })}</ActionButton>
    </div>
  );
}

/** What goes on inside a step that takes a while. The live region of the run says it too. */
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

function ExactCall({ title, call }: { readonly title: string; readonly call: NonNullable<StepView['call']> }) {
  const { plan } = useMessages();
  return (
    <Fold title={plan.call} of={title}>
      <pre className="rp-pre">
        {call.line}
        {call.body !== undefined && `\n\n${call.body}`}
      </pre>
      <div className="rp-curl-head">
        <span className="rp-strong">{plan.curl}</span>
        <CopyButton text={call.curl} label={`${plan.copyCurl}: ${title}`} />
      </div>
      <pre className="rp-pre">{call.curl}</pre>
    </Fold>
  );
}

/** What a step changes, place by place: what is there now and what will be. */
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
