import { Button } from '@adobe/react-spectrum/Button';
import { explainFailure } from '@repoless/core/messages/explain-failure.ts';
import type { Connection } from '../../app/host/connection.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Explanation } from '../../ui/Explanation.tsx';
import { HiddenTitle, Loading } from '../../ui/Loading.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { SignInWay } from './SignInWay.tsx';
import { useSignIn } from './use-sign-in.ts';

interface Props {
  readonly connection: Connection;
  readonly mode: 'framed' | 'stand-alone';
  /** There was a sign-in and it has ended. */
  readonly ended: boolean;
  readonly onSignedIn: () => void;
}

/** Signing in to the configuration service: silently where the host's sign-in is trusted, else in a window or with a code. */
export function SignIn({ connection, mode, ended, onSignedIn }: Props) {
  const messages = useMessages();
  const ways = useSignIn(connection, onSignedIn);
  const { state } = ways;
  switch (state.state) {
    case 'exchanging':
      return <Waiting text={mode === 'framed' ? messages.signIn.exchanging : messages.general.loading} />;
    case 'failed':
      return (
        <>
          <HiddenTitle />
          <Explanation explained={explainFailure(messages, state.failure)}>
            <Button variant="secondary" onPress={ways.begin}>
              {messages.general.retry}
            </Button>
          </Explanation>
        </>
      );
    case 'code-asked':
      return <Waiting text={messages.general.loading} />;
    case 'choose':
    case 'window':
    case 'code':
    case 'code-ended':
      return (
        <section className="rp-narrow" aria-labelledby="rp-sign-in">
          <h1 id="rp-sign-in">{messages.signIn.title}</h1>
          <p role="status">{ended ? messages.signIn.ended : messages.signIn.text}</p>
          <SignInWay ways={ways} lacking="service" />
        </section>
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

interface AuthoringSignInMissingProps {
  readonly mode: 'framed' | 'stand-alone';
  readonly onSignIn: () => void;
}

/** The authoring system's sign-in was not handed over, so nothing can be read there; a separate window can get it. */
export function AuthoringSignInMissing({ mode, onSignIn }: AuthoringSignInMissingProps) {
  const { general, signIn } = useMessages();
  return (
    <>
      <HiddenTitle />
      {mode === 'stand-alone' ? (
        <Explanation explained={signIn.codeAlone}>
          <Button variant="accent" onPress={onSignIn}>
            {signIn.inWindow}
          </Button>
        </Explanation>
      ) : (
        <Explanation explained={signIn.notShared}>
          <code className="rp-value">{location.href}</code>
          <CopyButton text={location.href} label={general.copyAddress} />
        </Explanation>
      )}
    </>
  );
}
