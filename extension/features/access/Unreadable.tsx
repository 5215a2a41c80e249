import type { Failure } from '@repoless/core/situation/situation.ts';
import type { Explained } from '@repoless/core/messages/explain-failure.ts';
import { Explanation } from '../../ui/Explanation.tsx';
import { Unread } from '../../ui/Unread.tsx';

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
