import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import Close from '@spectrum-icons/workflow/Close';
import type { PlannedStep } from '@repoless/core/sites/plan-row.ts';
import type { PlannedRow } from '@repoless/core/sites/plan-rows.ts';
import { explainCell } from '@repoless/core/messages/explain-row.ts';
import { StepChanges } from '../page-properties/StepChanges.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { useMessages } from '../../ui/use-messages.ts';

interface Props {
  readonly planned: PlannedRow;
  readonly to: string;
  /** In: what was pressed. */
  readonly onLeaveOut: (pressed: Element) => void;
}

/** What a planned move comes to for a site. */
export function standingOf({ plan, problems }: PlannedRow): 'moves' | 'arrived' | 'stays' {
  if (plan.kind === 'blocked' || problems.length > 0) return 'stays';
  return plan.outcome === 'unchanged' ? 'arrived' : 'moves';
}

const TONES = { moves: 'info', arrived: 'positive', stays: 'negative' } as const;

/** A site that moves: its content, what stands in the way, and each value that changes. */
export function MoveRow({ planned, to, onLeaveOut }: Props) {
  const messages = useMessages('sites');
  const { move } = messages;
  const { row, plan, problems } = planned;
  const standing = standingOf(planned);
  const steps =
    plan.kind === 'ready' && standing === 'moves' ? plan.steps.filter(({ state }) => state.kind !== 'done' && state.kind !== 'verify') : [];
  const before = row.move === undefined ? '' : `${row.move.from}${row.move.root}`;
  const after = `${to}${row.contentRoot}`;
  return (
    <tr>
      <th scope="row">
        <span className="rp-strong">{row.siteName}</span>
        <Badge tone={TONES[standing]} text={move.states[standing]} />
      </th>
      <td data-label={move.columns.content}>
        {standing === 'moves' && <span className="rp-quiet">{before} →</span>}
        <span>{after}</span>
      </td>
      <td data-label={move.columns.configuration}>{row.cloudConfiguration ?? ''}</td>
      <td data-label={move.columns.plan}>
        {problems.map(({ cell, says }) => (
          <span key={`${cell} ${explainCell(messages, says)}`} className="rp-row-error">
            {explainCell(messages, says)}
          </span>
        ))}
        {steps.length > 0 && (
          <Fold title={move.changes} of={row.siteName}>
            {steps.map((step) => (
              <Step key={step.step} planned={step} />
            ))}
          </Fold>
        )}
      </td>
      <td className="rp-row-actions">
        <ActionButton isQuiet aria-label={move.leaveOut({ site: row.siteName })} onPress={({ target }) => onLeaveOut(target)}>
          <Close />
        </ActionButton>
      </td>
    </tr>
  );
}

function Step({ planned: { step, state, call } }: { readonly planned: PlannedStep }) {
  const { applyRows, move } = useMessages('sites');
  return (
    <div>
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
  );
}
