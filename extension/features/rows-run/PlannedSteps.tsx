import type { PlannedStep } from '@repoless/core/sites/plan-row.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { StepChanges } from '../page-properties/StepList.tsx';

/** The steps of a row that change something: each value that changes, or what is created. */
export function PlannedSteps({ steps }: { readonly steps: readonly PlannedStep[] }) {
  const { applyRows, move } = useMessages('sites');
  return steps.map(({ step, state, call }) => (
    <div key={step}>
      <p className="rp-strong">{applyRows.steps[step]}</p>
      {state.kind === 'change' ? (
        <StepChanges change={state} />
      ) : (
        <>
          <p className="rp-quiet">
            {move.created}: {call?.address}
          </p>
          <ul className="rp-plain-list">
            {(call?.body?.type === 'form' ? call.body.fields : []).map(([name, value]) => (
              <li key={name}>
                <code className="rp-quiet">
                  {name}: {value}
                </code>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  ));
}

/** Of the steps of a plan those that write something. */
export function openSteps(steps: readonly PlannedStep[]): PlannedStep[] {
  return steps.filter(({ state }) => state.kind !== 'done' && state.kind !== 'verify');
}
