import { Button } from '@adobe/react-spectrum/Button';
import type { Failure } from '#extension/setup/situation.ts';
import { explainFailure, fieldSentences } from '#extension/words/explain-failure.ts';
import { Explanation } from '../shared/Explanation.tsx';
import type { SignInAgain } from '../sign-in/sign-in-again.ts';
import { useWords } from '../use-words.ts';
import { isSignedOut } from './signed-out.ts';

interface Props {
  readonly path: string;
  /** Absent where there is no such page. */
  readonly failure?: Failure;
  readonly onRetry: () => void;
  readonly onSignedOut: SignInAgain;
}

/** The page could not be read: why, and the way on. */
export function ReadFailed(props: Props) {
  const words = useWords();
  return (
    <>
      <h1>{words.page.readFailed}</h1>
      <ReadFailure {...props} />
    </>
  );
}

/** The same where something that was read before is still on the screen. */
export function ReadFailure({ path, failure, onRetry, onSignedOut }: Props) {
  const words = useWords();
  const explained = failure === undefined ? words.page.pageMissing(path) : explainFailure(words, failure);
  return (
    <Explanation explained={explained} details={failure === undefined ? [] : fieldSentences(failure)}>
      <Button variant="secondary" onPress={onRetry}>
        {words.general.retry}
      </Button>
      {failure !== undefined && isSignedOut(failure) && (
        <Button variant="accent" onPress={() => onSignedOut(onRetry)}>
          {words.signIn.inWindow}
        </Button>
      )}
    </Explanation>
  );
}
