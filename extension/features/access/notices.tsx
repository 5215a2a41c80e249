import { Button } from '@adobe/react-spectrum/Button';
import { type Explained, explainFailure } from '@repoless/core/messages/explain-failure.ts';
import type { Messages } from '@repoless/core/messages/language.ts';
import type { Failure } from '@repoless/core/situation/situation.ts';
import { Explanation } from '../../ui/Explanation.tsx';
import { Unread } from '../../ui/Unread.tsx';
import { useFocusOnArrival } from '../../ui/focus.ts';
import { useMessages } from '../../ui/use-messages.ts';

/** Shown to people who may read but not change this: why, and who can grant it. */
export function ReadOnlyNotice({ failure }: { readonly failure: Failure }) {
  const { lookOnly } = useMessages('access');
  const { sentence } = explainFailure(useMessages(), failure);
  return (
    <div className="rp-notice rp-notice-info" role="status">
      <div className="rp-notice-body">
        <p className="rp-notice-title">{lookOnly}</p>
        <p>{sentence}</p>
      </div>
    </div>
  );
}

interface Props {
  readonly reading: { readonly state: 'loading' | 'missing' } | { readonly state: 'failed'; readonly failure: Failure };
  readonly loading: string;
  readonly missing: Explained;
  /** Said to somebody who may not read it. */
  readonly notAllowed: string;
  readonly onRetry: () => void;
}

/** What could not be read (yet); who may not read it learns who may. */
export function Unreadable({ reading, loading, missing, notAllowed, onRetry }: Props) {
  if (reading.state === 'failed' && reading.failure.status === 403) {
    const detail = reading.failure.problem?.detail;
    return <Explanation explained={{ sentence: notAllowed, ...(detail === undefined ? {} : { next: detail }) }} />;
  }
  return <Unread reading={reading} loading={loading} missing={missing} onRetry={onRetry} />;
}

interface SavedProps {
  /** There is another change by now: nothing is said of this one, and the way back stays. */
  readonly isOver: boolean;
  readonly onHistory: () => void;
}

/** It is stored; the way back is in the history. */
export function Saved({ isOver, onHistory }: SavedProps) {
  const { review } = useMessages('access');
  const focus = useFocusOnArrival<HTMLDivElement>(true);
  return (
    <div className="rp-notice rp-notice-info" role="status" tabIndex={-1} ref={focus}>
      <div className="rp-notice-body">
        {!isOver && <p className="rp-notice-title">{review.saved}</p>}
        <div className="rp-actions">
          <Button variant="secondary" onPress={onHistory}>
            {review.history}
          </Button>
        </div>
      </div>
    </div>
  );
}

/** A failure in words; what to do next is left out where it speaks of another view. */
export function explainHere(messages: Messages, failure: Failure): Explained {
  const explained = explainFailure(messages, failure);
  return failure.problem === undefined ? explained : { sentence: explained.sentence };
}
