import { Button } from '@adobe/react-spectrum/Button';
import type { Failure } from '#extension/setup/situation.ts';
import { explainFailure, fieldSentences } from '#extension/messages/explain-failure.ts';
import { useMessages } from '../messages/use-messages.ts';
import { isSignedOut } from '../page-properties/signed-out.ts';
import type { SignInAgain } from '../sign-in/sign-in-again.ts';
import { Explanation } from './Explanation.tsx';

interface Props {
  readonly failure: Failure;
  readonly title?: string;
  readonly onRetry: () => void;
  /** Offers to sign in, where that is what is missing. */
  readonly onSignedOut?: SignInAgain;
}

/** Why something could not be read, or not be read afresh, and the way on. */
export function ReadRefused({ failure, title, onRetry, onSignedOut }: Props) {
  const messages = useMessages();
  return (
    <Explanation
      {...(title === undefined ? {} : { title })}
      explained={explainFailure(messages, failure)}
      details={fieldSentences(failure)}
    >
      {onSignedOut !== undefined && isSignedOut(failure) ? (
        <Button variant="accent" onPress={() => onSignedOut(onRetry)}>
          {messages.signIn.inWindow}
        </Button>
      ) : (
        <Button variant="secondary" onPress={onRetry}>
          {messages.general.retry}
        </Button>
      )}
    </Explanation>
  );
}
