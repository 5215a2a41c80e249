import type { MouseEvent, ReactNode, Ref } from 'react';
import { goTo } from '../host/address-state.ts';

interface Props {
  /** The part of the address after the document, with its `#`. */
  readonly address: string;
  /** It leads to what is shown: a page, or one item on it. */
  readonly current?: 'page' | 'location' | undefined;
  readonly title?: string;
  readonly className?: string;
  readonly ref?: Ref<HTMLAnchorElement>;
  readonly children: ReactNode;
}

/** A link within the extension: navigates in this window; with a modifier key the browser opens another one, as for any link. */
export function AddressLink({ address, current, children, ...more }: Props) {
  const follow = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    goTo(address);
  };
  return (
    <a href={address} onClick={follow} {...more} {...(current === undefined ? {} : { 'aria-current': current })}>
      {children}
    </a>
  );
}
