import type { Call } from '@repoless/core/situation/call.ts';
import type { PlannedStep } from '@repoless/core/sites/rows.ts';
import { Fold } from '../../ui/Fold.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { StepChanges } from '../page-properties/StepList.tsx';

/** The steps of a row that change something: each changed value, or what is created. */
export function PlannedSteps({ steps }: { readonly steps: readonly PlannedStep[] }) {
  const { applyRows, move } = useMessages('sites');
  const { technical } = useMessages('setup').setup;
  return steps.map(({ step, state, call }) => (
    <div key={step}>
      <p className="rp-strong">{applyRows.steps[step]}</p>
      {state.kind === 'change' ? (
        <StepChanges change={state} />
      ) : (
        call !== undefined && (
          <>
            <p className="rp-quiet">
              {move.created}: <span className="rp-value">{createdAt(call)}</span>
            </p>
            <Fold title={technical} of={applyRows.steps[step]}>
              <p className="rp-quiet">
                {call.method} {call.address}
              </p>
              <ul className="rp-plain-list">
                {fieldsOf(call).map(([name, value]) => (
                  <li key={name}>
                    <code className="rp-quiet">
                      {name}: {value}
                    </code>
                  </li>
                ))}
              </ul>
            </Fold>
          </>
        )
      )}
    </div>
  ));
}

/** The page that a call creates: from its fields, or its own address. */
function createdAt(call: Call): string {
  const { parentPath, label } = Object.fromEntries(fieldsOf(call));
  return parentPath === undefined || label === undefined
    ? new URL(call.address, 'http://service.invalid').pathname
    : `${parentPath}/${label}`;
}

function fieldsOf({ body }: Call): readonly (readonly [string, string])[] {
  return body?.type === 'form' ? body.fields : [];
}

export function openSteps(steps: readonly PlannedStep[]): PlannedStep[] {
  return steps.filter(({ state }) => state.kind !== 'done' && state.kind !== 'verify');
}
