import { Button } from '@adobe/react-spectrum/Button';
import type { ReactNode } from 'react';
import { explainFailure } from '#extension/words/explain-failure.ts';
import type { Connection } from '../../host/connection.ts';
import { Explanation } from '../shared/Explanation.tsx';
import { HiddenTitle } from '../shared/HiddenTitle.tsx';
import { Loading } from '../shared/Loading.tsx';
import { useWords } from '../use-words.ts';
import { DeviceCode } from './DeviceCode.tsx';
import { useSignIn } from './use-sign-in.ts';
import type { SignInWays } from './use-sign-in.ts';

interface Props {
  readonly connection: Connection;
  readonly mode: 'framed' | 'stand-alone';
  /** There was a sign-in and it has ended. */
  readonly ended: boolean;
  readonly onSignedIn: () => void;
}

/** Signing in to the configuration service: silently where the host's sign-in is trusted, else in a window or with a code. */
export function SignIn({ connection, mode, ended, onSignedIn }: Props) {
  const words = useWords();
  const ways = useSignIn(connection, onSignedIn);
  const { state } = ways;
  switch (state.state) {
    case 'exchanging':
      return <Waiting text={mode === 'framed' ? words.signIn.exchanging : words.general.loading} />;
    case 'failed':
      return (
        <>
          <HiddenTitle />
          <Explanation explained={explainFailure(words, state.failure)}>
            <Button variant="secondary" onPress={ways.begin}>
              {words.general.retry}
            </Button>
          </Explanation>
        </>
      );
    case 'choose':
      return (
        <Card text={ended ? words.signIn.ended : words.signIn.text}>
          {state.note === 'window-closed' && <p role="status">{words.signIn.windowClosed}</p>}
          <Ways ways={ways} />
        </Card>
      );
    case 'window':
      return (
        <Card text={words.signIn.windowWaiting}>
          <Ways ways={ways} />
        </Card>
      );
    case 'code-asked':
      return <Waiting text={words.general.loading} />;
    case 'code':
      return (
        <Card text={state.windowRefused ? `${words.signIn.windowBlocked} ${words.signIn.codeText}` : words.signIn.codeText}>
          <DeviceCode device={state.device} />
        </Card>
      );
    case 'code-ended':
      return (
        <Card text={state.reason === 'denied' ? words.signIn.codeDenied : words.signIn.codeExpired}>
          <div className="rp-actions">
            <Button variant="accent" onPress={() => ways.withCode()}>
              {words.signIn.newCode}
            </Button>
          </div>
        </Card>
      );
    default:
      return state satisfies never;
  }
}

function Waiting({ text }: { readonly text: string }) {
  return (
    <>
      <HiddenTitle />
      <Loading text={text} />
    </>
  );
}

function Card({ text, children }: { readonly text: string; readonly children: ReactNode }) {
  return (
    <section className="rp-narrow" aria-labelledby="rp-sign-in">
      <h1 id="rp-sign-in">{useWords().signIn.title}</h1>
      <p role="status">{text}</p>
      {children}
    </section>
  );
}

function Ways({ ways }: { readonly ways: SignInWays }) {
  const { signIn } = useWords();
  return (
    <div className="rp-actions">
      <Button variant="accent" onPress={ways.inWindow}>
        {signIn.inWindow}
      </Button>
      <Button variant="secondary" onPress={() => ways.withCode()}>
        {signIn.withCode}
      </Button>
    </div>
  );
}
