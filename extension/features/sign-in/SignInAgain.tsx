import { Button } from '@adobe/react-spectrum/Button';
import { useEffect, useEffectEvent, useId, useRef } from 'react';
import type { LackingSignIn } from '@repoless/core/api/sign-in-requests.ts';
import type { Connection } from '../../app/host/connection.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { SignInWay } from './SignInWay.tsx';
import { useSignIn } from './use-sign-in.ts';

interface Props {
  readonly connection: Connection;
  readonly mode: 'framed' | 'stand-alone';
  readonly lacking: LackingSignIn;
  /** Signed in, or rather not now. */
  readonly onEnd: (signedIn: boolean) => void;
}

/** The way to sign in again, in front of the work that waits for it. */
export function SignInAgain({ connection, mode, lacking, onEnd }: Props) {
  const messages = useMessages().signIn.again;
  const ways = useSignIn(connection, () => onEnd(true), { lacking });
  const title = useRef<HTMLHeadingElement>(null);
  const id = useId();
  useEffect(() => {
    // Where another frame has the focus, e.g. the editor, it is left there.
    if (document.hasFocus()) title.current?.focus();
  }, []);
  const decline = useEffectEvent((event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.isComposing) return;
    event.preventDefault();
    onEnd(false);
  });
  useEffect(() => {
    // Before anything else hears it, wherever the focus is: it declines, and closes nothing.
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
          <p>{messages.texts[lacking]}</p>
          {mode === 'framed' && <p>{messages.texts.framed}</p>}
        </div>
        <SignInWay ways={ways} lacking={lacking} />
        <div>
          <Button variant="secondary" onPress={() => onEnd(false)}>
            {messages.notNow}
          </Button>
        </div>
      </div>
    </div>
  );
}
