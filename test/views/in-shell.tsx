import { addressWith } from '@repoless/extension/app/host/address-state.ts';
import { Shell } from '@repoless/extension/app/shell/Shell.tsx';
import { LeaveContext, LeaveGuard } from '@repoless/extension/features/leaving/LeaveGuard.tsx';
import { useGuarded } from '@repoless/extension/features/leaving/use-guarded.ts';
import { useAddress } from '@repoless/extension/ui/address/LinkedRows.tsx';
import { type ReactNode, use } from 'react';

interface Props {
  /** The content of the place `Here`; `Elsewhere` is empty. */
  readonly children: (onUnsaved: (isUnsaved: boolean) => void) => ReactNode;
}

/** Renders a view in one of a shell's two places. */
export function InShell(props: Props) {
  // An outer leave guard takes precedence.
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
