import type { Consequence } from '@repoless/contract/consequence.ts';
import { groupConsequences } from '@repoless/core/access/consequences.ts';
import { type Explained, explainFailure, serviceAnswer } from '@repoless/core/messages/explain-failure.ts';
import type { Messages } from '@repoless/core/messages/language.ts';
import type { Failure } from '@repoless/core/situation/call.ts';
import { Consequences } from '../../ui/Consequences.tsx';
import { Notice, Explanation } from '../../ui/Notice.tsx';
import { Unread } from '../../ui/Unread.tsx';
import { useMessages } from '../../ui/use-messages.ts';

/** Shown to people who may read but not change this: why, and who can grant it. */
export function ReadOnlyNotice({ failure }: { readonly failure: Failure }) {
  const { lookOnly } = useMessages('access');
  const { sentence } = explainFailure(useMessages(), failure);
  return (
    <Notice tone="info" role="status" title={lookOnly}>
      <p>{sentence}</p>
    </Notice>
  );
}

interface Props {
  readonly reading: { readonly state: 'loading' | 'missing' } | { readonly state: 'failed'; readonly failure: Failure };
  readonly loading: string;
  readonly missing: Explained;
  /** Shown to people who may not read it. */
  readonly notAllowed: string;
  readonly onRetry: () => void;
}

/** What could not be read (yet); people without permission see who has it. */
export function Unreadable({ reading, loading, missing, notAllowed, onRetry }: Props) {
  const messages = useMessages();
  if (reading.state === 'failed' && reading.failure.status === 403) {
    const next = serviceAnswer(messages, reading.failure);
    return <Explanation explained={{ sentence: notAllowed, ...(next === undefined ? {} : { next }) }} />;
  }
  return <Unread reading={reading} loading={loading} missing={missing} onRetry={onRetry} />;
}

/** An explained failure; the next step is left out if it refers to another view. */
export function explainHere(messages: Messages, failure: Failure): Explained {
  const explained = explainFailure(messages, failure);
  return failure.problem === undefined ? explained : { sentence: explained.sentence };
}

interface WarningsProps {
  readonly kind: 'site' | 'organization';
  readonly warnings: readonly Consequence[];
}

/** What a person should know before saving, announced as soon as it applies. */
export function Warnings({ kind, warnings }: WarningsProps) {
  return (
    <div role="status" className="rp-warnings">
      <Consequences consequences={groupConsequences(warnings.map((what) => ({ what, sites: [] })))} about={kind} />
    </div>
  );
}
