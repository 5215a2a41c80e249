import { addressWith } from '@repoless/extension/app/host/address-state.ts';
import { Shell } from '@repoless/extension/app/shell/Shell.tsx';
import { LeaveContext, LeaveGuard } from '@repoless/extension/features/leaving/LeaveGuard.tsx';
import { useGuarded } from '@repoless/extension/features/leaving/use-guarded.ts';
import { useAddress } from '@repoless/extension/ui/address/LinkedRows.tsx';
import { type ReactNode, use } from 'react';

interface Props {
  /** What is shown at the place `Here`; at `Elsewhere` there is nothing. */
  readonly children: (onUnsaved: (isUnsaved: boolean) => void) => ReactNode;
}

/** A view whose shell has two places, for what is shown at one of them. */
export function InShell(props: Props) {
  // Whoever draws it within a guard of its own asks by that one.
  if (use(LeaveContext) !== undefined) return <TwoPlaces {...props} />;
  return (
    <LeaveGuard asked={props} id="">
      {(asked) => <TwoPlaces {...asked} />}
    </LeaveGuard>
  );
}

function TwoPlaces({ children }: Props) {
  const asked = useAddress().get('place') ?? '';
  const { shown, question, onUnsaved } = useGuarded(asked, asked);
  const place = (name: string, key: string) => ({ name, address: addressWith({ place: key }), isCurrent: shown === key });
  return (
    <Shell title="A site" places={[place('Here', ''), place('Elsewhere', 'elsewhere')]} facts={null} question={question}>
      {shown === '' ? children(onUnsaved) : null}
    </Shell>
  );
}
