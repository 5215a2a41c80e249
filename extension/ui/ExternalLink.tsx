import { useEffect, useRef, useState } from 'react';
import type { MouseEvent, ReactNode } from 'react';
import { useMessages } from './use-messages.ts';
import { CopyButton } from './CopyButton.tsx';

interface Link {
  readonly address: string;
  readonly children: ReactNode;
  /** Its accessible name, if the visible part is not enough. */
  readonly label?: string;
  readonly className?: string;
  readonly tabIndex?: 0 | -1;
}

/** Labels a button next to the link that copies its address; or reports elsewhere, with `LinkRefused`, that no window opened. */
type Refusal =
  { readonly copyLabel: string; readonly onRefused?: undefined } | { readonly copyLabel?: undefined; readonly onRefused: () => void };

/** A link to another window. A host's frame may not open one (docs/design-facts.md 1.2): there the address can be copied instead. */
export function ExternalLink({ address, children, label, className = '', tabIndex, copyLabel, onRefused }: Link & Refusal) {
  const [isRefused, setRefused] = useState(false);
  const open = (event: MouseEvent): void => {
    // Outside frames, and with a modifier key, browsers open the link as usual; a frame would fail silently.
    if (window.parent === window || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const opened = opensWindow(address);
    setRefused(!opened);
    if (!opened) onRefused?.();
  };
  return (
    <>
      <a
        className={`rp-link ${className}`}
        href={address}
        target="_blank"
        rel="noreferrer"
        aria-label={label}
        tabIndex={tabIndex}
        onClick={open}
      >
        {children}
      </a>
      {copyLabel !== undefined && (
        <>
          <CopyButton text={address} label={copyLabel} />
          <LinkRefused address={isRefused ? address : undefined} isShown />
        </>
      )}
    </>
  );
}

interface RefusedProps {
  /** The address of the link that opened no window; undefined if there is none. */
  readonly address: string | undefined;
  /** The address is visible and can be copied next to it. */
  readonly isShown?: boolean;
}

/** Announces that no window opened, with the address to copy, and scrolls that into view. */
export function LinkRefused({ address, isShown = false }: RefusedProps) {
  const { general } = useMessages();
  const notice = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (address !== undefined) notice.current?.scrollIntoView?.({ block: 'nearest' });
  }, [address]);
  return (
    <span className={address === undefined ? 'rp-hidden' : 'rp-link-refused'} ref={notice}>
      <span role="status">{address === undefined ? '' : general.linkRefused}</span>
      {address !== undefined && !isShown && (
        <span>
          <code className="rp-value">{address}</code>
          <CopyButton key={address} text={address} label={`${general.copyAddress}: ${address}`} />
        </span>
      )}
    </span>
  );
}

/** With `noopener` the browser would not report whether a window opened; instead, the opener is removed before its page can run. */
function opensWindow(address: string): boolean {
  const opened = window.open(address, '_blank');
  if (opened === null) return false;
  opened.opener = null;
  return true;
}
