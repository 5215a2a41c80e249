import { Button } from '@adobe/react-spectrum/Button';
import type { Failure } from '#extension/setup/situation.ts';
import type { Explained } from '#extension/messages/explained.ts';
import { explainFailure } from '#extension/messages/explain-failure.ts';
import { Explanation } from './Explanation.tsx';
import { useMessages } from '../messages/use-messages.ts';

interface Props {
  readonly reading: { readonly state: 'loading' | 'missing' } | { readonly state: 'failed'; readonly failure: Failure };
  readonly loading: string;
  readonly missing: Explained;
  readonly onRetry: () => void;
}

/** What could not be read (yet), in words. */
export function Unread({ reading, loading, missing, onRetry }: Props) {
  const messages = useMessages();
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
        <Explanation explained={explainFailure(messages, reading.failure)}>
          <Button variant="secondary" onPress={onRetry}>
            {messages.general.retry}
          </Button>
        </Explanation>
      );
    default:
      return reading satisfies never;
  }
}
