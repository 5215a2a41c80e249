import { Button } from '@adobe/react-spectrum/Button';
import type { ReactNode } from 'react';
import type { LackingSignIn } from '#extension/api/sign-in-requests.ts';
import { explainFailure } from '#extension/words/explain-failure.ts';
import { Explanation } from '../shared/Explanation.tsx';
import { Loading } from '../shared/Loading.tsx';
import { useWords } from '../use-words.ts';
import { DeviceCode } from './DeviceCode.tsx';
import type { SignInWays } from './use-sign-in.ts';

interface Props {
  readonly ways: SignInWays;
  /** What is lacking; a code does not give the authoring system's sign-in. */
  readonly lacking: LackingSignIn;
}

/** The ways to sign in, and where the one that was chosen stands. */
export function SignInWay({ ways, lacking }: Props) {
  const words = useWords();
  const { state } = ways;
  const choice = <Ways ways={ways} withCode={lacking === 'service'} />;
  switch (state.state) {
    case 'exchanging':
    case 'code-asked':
      return <Loading text={words.general.loading} />;
    case 'failed':
      return (
        <Explanation explained={explainFailure(words, state.failure)}>
          <Button variant="secondary" onPress={ways.begin}>
            {words.general.retry}
          </Button>
        </Explanation>
      );
    case 'choose':
      return (
        <>
          {state.note === 'window-closed' && <Said>{words.signIn.windowClosed}</Said>}
          {state.note === 'window-refused' && <Said>{words.signIn.again.windowBlocked}</Said>}
          {choice}
        </>
      );
    case 'window':
      return (
        <>
          <Said>{words.signIn.windowWaiting}</Said>
          {choice}
        </>
      );
    case 'code':
      return (
        <>
          <Said>{state.windowRefused ? `${words.signIn.windowBlocked} ${words.signIn.codeText}` : words.signIn.codeText}</Said>
          <DeviceCode device={state.device} />
        </>
      );
    case 'code-ended':
      return (
        <>
          <Said>{state.reason === 'denied' ? words.signIn.codeDenied : words.signIn.codeExpired}</Said>
          <div className="rp-actions">
            <Button variant="accent" onPress={() => ways.withCode()}>
              {words.signIn.newCode}
            </Button>
          </div>
        </>
      );
    default:
      return state satisfies never;
  }
}

function Said({ children }: { readonly children: ReactNode }) {
  return <p role="status">{children}</p>;
}

function Ways({ ways, withCode }: { readonly ways: SignInWays; readonly withCode: boolean }) {
  const { signIn } = useWords();
  return (
    <div className="rp-actions">
      <Button variant="accent" onPress={ways.inWindow}>
        {signIn.inWindow}
      </Button>
      {withCode && (
        <Button variant="secondary" onPress={() => ways.withCode()}>
          {signIn.withCode}
        </Button>
      )}
    </div>
  );
}
