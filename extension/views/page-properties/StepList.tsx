import { lazy, Suspense } from 'react';
import { StatusLight } from '@adobe/react-spectrum/StatusLight';
import { CopyButton } from '../shared/CopyButton.tsx';
import { Fold } from '../shared/Fold.tsx';
import { useWords } from '../use-words.ts';
import type { StepView } from './step-view.ts';

/** How values differ is folded away at first: the list does not wait for it. */
const StepChanges = lazy(async () => ({ default: (await import('./StepChanges.tsx')).StepChanges }));

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
  const { general, plan } = useWords();
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
            <p>
              <span className="rp-strong">{plan.whoCanHelp}:</span> {step.blocked.who}
            </p>
          </div>
        )}
        {step.sharedWith !== undefined && <p className="rp-quiet">{plan.sharedCall(step.sharedWith)}</p>}
        {step.change !== undefined && (
          <Fold title={plan.changes} of={step.title}>
            <Suspense fallback={<p className="rp-quiet">{general.loading}</p>}>
              <StepChanges change={step.change} />
            </Suspense>
          </Fold>
        )}
        {step.call !== undefined && step.sharedWith === undefined && <ExactCall title={step.title} call={step.call} />}
      </div>
    </li>
  );
}

function ExactCall({ title, call }: { readonly title: string; readonly call: NonNullable<StepView['call']> }) {
  const { plan } = useWords();
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
