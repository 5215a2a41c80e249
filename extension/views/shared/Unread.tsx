import { Button } from '@adobe/react-spectrum/Button';
import type { Failure } from '#extension/setup/situation.ts';
import type { Explained } from '#extension/words/explained.ts';
import { explainFailure } from '#extension/words/explain-failure.ts';
import { Explanation } from './Explanation.tsx';
import { useWords } from '../use-words.ts';

interface Props {
  readonly reading: { readonly state: 'loading' | 'missing' } | { readonly state: 'failed'; readonly failure: Failure };
  readonly loading: string;
  readonly missing: Explained;
  readonly onRetry: () => void;
}

/** What could not be read (yet), in words. */
export function Unread({ reading, loading, missing, onRetry }: Props) {
  const words = useWords();
  switch (reading.state) {
    case 'loading':
      return (
        <p className="rp-quiet" role="status">
          {loading}
        </p>
      );
    case 'missing':
      return <Explanation explained={missing} />;
    case 'failed':
      return (
        <Explanation explained={explainFailure(words, reading.failure)}>
          <Button variant="secondary" onPress={onRetry}>
            {words.general.retry}
          </Button>
        </Explanation>
      );
    default:
      return reading satisfies never;
  }
}
