import type { MouseEvent, ReactNode } from 'react';
import { goTo } from '../../host/address-state.ts';

interface Props {
  /** The part of the address behind the document, with its `#`. */
  readonly address: string;
  readonly isCurrent?: boolean;
  readonly children: ReactNode;
}

/** A link within the extension: it goes there in this window; with a modifier key the browser opens another one, as for any link. */
export function AddressLink({ address, isCurrent = false, children }: Props) {
  const follow = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    goTo(address);
  };
  return (
    <a href={address} onClick={follow} {...(isCurrent ? { 'aria-current': 'page' } : {})}>
      {children}
    </a>
  );
}
