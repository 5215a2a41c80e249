import { addressWith } from '@repoless/extension/host/address-state.ts';
import { Shell } from '@repoless/extension/features/shell/Shell.tsx';
import { useGuarded } from '@repoless/extension/ui/use-guarded.ts';
import { LeaveContext, LeaveGuard } from '@repoless/extension/ui/LeaveGuard.tsx';
import { useAddress } from '@repoless/extension/ui/LinkedRows.tsx';
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
    <LeaveGuard requested={props} id="">
      {(shown) => <TwoPlaces {...shown} />}
    </LeaveGuard>
  );
}

function TwoPlaces({ children }: Props) {
  const requested = useAddress().get('place') ?? '';
  const { shown, question, onUnsaved } = useGuarded(requested, requested);
  const place = (name: string, key: string) => ({ name, address: addressWith({ place: key }), isCurrent: shown === key });
  return (
    <Shell title="A site" places={[place('Here', ''), place('Elsewhere', 'elsewhere')]} facts={null} question={question}>
      {shown === '' ? children(onUnsaved) : null}
    </Shell>
  );
}
