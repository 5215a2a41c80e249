import { Badge } from '../../ui/Badge.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { useNamed } from '../../ui/address/LinkedRows.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { StepList } from './StepList.tsx';
import { stepGroups, type StepView } from './step-view.ts';

/** The steps of a plan in groups, each collapsed except for what is in progress or requires action. */
export function StepGroups({ steps, label }: { readonly steps: readonly StepView[]; readonly label: string }) {
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
