import { Button } from '@adobe/react-spectrum/Button';
import type { Failure } from '#extension/setup/situation.ts';
import { explainFailure, fieldSentences } from '#extension/words/explain-failure.ts';
import { Explanation } from '../shared/Explanation.tsx';
import { useWords } from '../use-words.ts';
import { isSignedOut } from './signed-out.ts';

interface Props {
  readonly path: string;
  /** Absent where there is no such page. */
  readonly failure?: Failure;
  readonly onRetry: () => void;
  readonly onSignedOut?: () => void;
}

/** The page could not be read: why, and the way on. */
export function ReadFailed({ path, failure, onRetry, onSignedOut }: Props) {
  const words = useWords();
  const explained = failure === undefined ? words.page.pageMissing(path) : explainFailure(words, failure);
  const signedOut = failure !== undefined && isSignedOut(failure) && onSignedOut !== undefined;
  return (
    <Explanation title={words.page.readFailed} explained={explained} details={failure === undefined ? [] : fieldSentences(failure)}>
      <Button variant="secondary" onPress={onRetry}>
        {words.general.retry}
      </Button>
      {signedOut && (
        <Button variant="accent" onPress={onSignedOut}>
          {words.signIn.inWindow}
        </Button>
      )}
    </Explanation>
  );
}
