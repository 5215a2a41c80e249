import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import type { Connection } from '../../app/host/connection.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { SignInAgain } from './SignInAgain.tsx';
import './sign-in.css';

interface Props {
  readonly connection: Connection;
  readonly mode: 'framed' | 'stand-alone';
  readonly children: ReactNode;
}

/**
 * Preserves work while the person signs in again. Calls wait; the sign-in is shown in front of the work, which keeps all input
 * and continues afterwards. Focus returns to where it was.
 */
export function ReauthenticationGuard({ connection, mode, children }: Props) {
  const { requests } = connection;
  const { signIn } = useMessages();
  const work = useRef<HTMLDivElement>(null);
  const focused = useRef<Element>(null);
  const [ended, setEnded] = useState<'signed-in' | 'declined'>();
  const subscribe = useCallback(
    (notify: () => void) =>
      requests.subscribe(() => {
        // Before the work becomes inert, which removes the focus.
        if (requests.get() !== undefined) focused.current ??= document.activeElement;
        notify();
      }),
    [requests],
  );
  const lacking = useSyncExternalStore(subscribe, requests.get);
  useEffect(() => {
    if (lacking !== undefined || focused.current === null) return;
    const before = focused.current;
    focused.current = null;
    if (document.hasFocus() && document.activeElement === document.body) giveBack(before, work.current);
  }, [lacking]);
  const settle = (signedIn: boolean): void => {
    setEnded(signedIn ? 'signed-in' : 'declined');
    requests.settle(signedIn);
  };
  return (
    <>
      <p className="rp-hidden" role="status">
        {lacking === undefined && ended === 'signed-in' && signIn.again.done}
        {lacking === undefined && ended === 'declined' && signIn.again.declined}
      </p>
      <div
        className="rp-kept"
        ref={work}
        tabIndex={-1}
        inert={lacking !== undefined}
        onPointerDownCapture={requests.act}
        onKeyDownCapture={requests.act}
      >
        {children}
      </div>
      {lacking !== undefined && <SignInAgain key={lacking} connection={connection} mode={mode} lacking={lacking} onEnd={settle} />}
    </>
  );
}

/** The focused element may have been removed or disabled since. */
function giveBack(before: Element, work: HTMLElement | null): void {
  if (before instanceof HTMLElement && before.isConnected) before.focus();
  if (document.activeElement === document.body) work?.focus();
}
