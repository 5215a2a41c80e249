import type { ReactNode } from 'react';
import { addressWith } from '#extension/host/address-state.ts';
import { Shell } from '#extension/views/shell/Shell.tsx';
import { useAddress } from '#extension/views/address/use-address.ts';
import { useGuarded } from '#extension/views/leaving/use-guarded.ts';

interface Props {
  /** What is shown at the place `Here`; at `Elsewhere` there is nothing. */
  readonly children: (onUnsaved: (isUnsaved: boolean) => void) => ReactNode;
}

/** A shell with two places, for what is shown at one of them. */
export function InShell({ children }: Props) {
  const asked = useAddress().get('place') ?? '';
  const { shown, question, onUnsaved } = useGuarded(asked, asked);
  const place = (name: string, key: string) => ({ name, address: addressWith({ place: key }), isCurrent: shown === key });
  return (
    <Shell title="A site" places={[place('Here', ''), place('Elsewhere', 'elsewhere')]} facts={null} question={question}>
      {shown === '' ? children(onUnsaved) : null}
    </Shell>
  );
}
