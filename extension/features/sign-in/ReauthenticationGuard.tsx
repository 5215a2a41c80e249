import type { MissingSignIn } from '@repoless/core/api/sign-in-requests.ts';
import { type ReactNode, useCallback, useEffect, useEffectEvent, useId, useRef, useState, useSyncExternalStore } from 'react';
import { TextButton } from '../../ui/TextButton.tsx';
import type { Connection } from '../../host/connection.ts';
import { Announcement } from '../../ui/Notice.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { SignInWay, useSignIn } from './SignInWay.tsx';

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
        // Before the work becomes inert, which removes focus.
        if (requests.get() !== undefined) focused.current ??= document.activeElement;
        notify();
      }),
    [requests],
  );
  const missing = useSyncExternalStore(subscribe, requests.get);
  useEffect(() => {
    if (missing !== undefined || focused.current === null) return;
    const before = focused.current;
    focused.current = null;
    if (document.hasFocus() && document.activeElement === document.body) giveBack(before, work.current);
  }, [missing]);
  const settle = (signedIn: boolean): void => {
    setEnded(signedIn ? 'signed-in' : 'declined');
    requests.settle(signedIn);
  };
  return (
    <>
      <Announcement>
        {missing === undefined && ended === 'signed-in' && signIn.again.done}
        {missing === undefined && ended === 'declined' && signIn.again.declined}
      </Announcement>
      <div
        className="rp-kept"
        ref={work}
        tabIndex={-1}
        inert={missing !== undefined}
        onPointerDownCapture={requests.resume}
        onKeyDownCapture={requests.resume}
      >
        {children}
      </div>
      {missing !== undefined && <SignInAgain key={missing} connection={connection} mode={mode} missing={missing} onEnd={settle} />}
    </>
  );
}

/** The focused element may have been removed or disabled since. */
function giveBack(before: Element, work: HTMLElement | null): void {
  if (before instanceof HTMLElement && before.isConnected) before.focus();
  if (document.activeElement === document.body) work?.focus();
}

interface SignInAgainProps {
  readonly connection: Connection;
  readonly mode: 'framed' | 'stand-alone';
  readonly missing: MissingSignIn;
  /** Called with whether the person signed in or declined. */
  readonly onEnd: (signedIn: boolean) => void;
}

/** Offers to sign in again, in front of the waiting work. */
function SignInAgain({ connection, mode, missing, onEnd }: SignInAgainProps) {
  const messages = useMessages().signIn.again;
  const ways = useSignIn(connection, () => onEnd(true), missing);
  const title = useRef<HTMLHeadingElement>(null);
  const id = useId();
  useEffect(() => {
    // If another frame has focus, e.g. the editor, focus stays there.
    if (document.hasFocus()) title.current?.focus();
  }, []);
  const decline = useEffectEvent((event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.isComposing) return;
    event.preventDefault();
    onEnd(false);
  });
  useEffect(() => {
    // Captured before any other listener, wherever focus is: Escape declines, and closes nothing else.
    const listen = (event: KeyboardEvent): void => decline(event);
    document.addEventListener('keydown', listen, true);
    return () => document.removeEventListener('keydown', listen, true);
  }, []);
  return (
    <div className="rp-before-work">
      <div className="rp-narrow" role="dialog" aria-modal="true" aria-labelledby={`${id}-title`} aria-describedby={`${id}-text`}>
        <h1 id={`${id}-title`} ref={title} tabIndex={-1}>
          {messages.title}
        </h1>
        <div id={`${id}-text`} className="rp-stack-tight">
          <p>{messages.texts[missing]}</p>
          {mode === 'framed' && <p>{messages.texts.framed}</p>}
        </div>
        <SignInWay ways={ways} mode={mode} missing={missing} />
        <div>
          <TextButton onPress={() => onEnd(false)} text={messages.notNow} />
        </div>
      </div>
    </div>
  );
}
