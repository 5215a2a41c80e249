import { Button } from '@adobe/react-spectrum/Button';
import { explainFailure } from '#extension/words/explain-failure.ts';
import type { Connection } from '../../host/connection.ts';
import { Explanation } from '../shared/Explanation.tsx';
import { HiddenTitle } from '../shared/HiddenTitle.tsx';
import { Loading } from '../shared/Loading.tsx';
import { useWords } from '../use-words.ts';
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
    case 'code-asked':
      return <Waiting text={words.general.loading} />;
    case 'choose':
    case 'window':
    case 'code':
    case 'code-ended':
      return (
        <section className="rp-narrow" aria-labelledby="rp-sign-in">
          <h1 id="rp-sign-in">{words.signIn.title}</h1>
          <p role="status">{ended ? words.signIn.ended : words.signIn.text}</p>
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
